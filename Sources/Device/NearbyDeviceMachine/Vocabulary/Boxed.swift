/// A value on the heap with the semantics of a value: it is copied when it is changed while it is shared.
///
/// The payload of an enum cannot be changed in place, and a large one makes every other case as large. In a
/// box it takes one word.
struct Boxed<Value: Sendable>: Sendable {
  /// Always one element: an array brings copy-on-write, and is `Sendable` without our vouching for it.
  private var storage: [Value]

  init(_ value: Value) { storage = [value] }

  var value: Value {
    // Bounded: there is one element.
    _read { yield storage[0] }
    // Bounded: there is one element.
    _modify { yield &storage[0] }
  }
}
