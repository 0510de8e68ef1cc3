/// An immutable value on the heap, so that several owners can share it for the price of one pointer each.
final class ImmutableBox<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
