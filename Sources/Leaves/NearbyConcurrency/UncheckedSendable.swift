/// A value that may cross threads although the compiler cannot verify that this is safe.
///
/// The only such box in the project. Every use explains in a comment why it is safe: the value is handed over
/// once, it is used on a single queue, or its type is internally synchronized.
@frozen
package struct UncheckedSendable<Value>: @unchecked Sendable {
  package var value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }
}
