/// An immutable value on the heap: several owners share it, and each needs one pointer.
final class ImmutableBox<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
