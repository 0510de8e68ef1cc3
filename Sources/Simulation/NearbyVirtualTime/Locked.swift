import Synchronization

/// A value behind a lock, for values that the compiler cannot prove safe to send, such as addresses of C objects.
final class Locked<Value>: @unchecked Sendable {
  private let lock = Mutex(())
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    var result: Result?
    try lock.withLock { _ in result = try body(&value) }
    // The line before has returned or thrown.
    return result.unsafelyUnwrapped
  }
}
