/// A value that may cross threads although the compiler cannot check that it is safe.
///
/// The only box of this kind in the project. Each use says in a comment why it is safe: the value is handed over once,
/// it is used on one queue only, or its type locks itself.
@frozen
package struct UncheckedSendable<Value>: @unchecked Sendable {
  package var value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }
}
