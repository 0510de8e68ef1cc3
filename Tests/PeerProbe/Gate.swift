import Foundation

/// Lets callers pass while it is open, and makes them wait while it is shut.
///
/// `@unchecked Sendable`: all state is behind the condition.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isShut = false

  func shut() { change(true) }
  func open() { change(false) }

  func pass() {
    condition.lock()
    while isShut { condition.wait() }
    condition.unlock()
  }

  private func change(_ value: Bool) {
    condition.lock()
    isShut = value
    condition.broadcast()
    condition.unlock()
  }
}
