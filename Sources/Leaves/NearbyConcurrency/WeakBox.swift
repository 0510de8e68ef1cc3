/// A reference that does not keep its object alive and may cross threads; an app's delegate, usually.
///
/// The box may be read from any thread. What it gives is called where its owner promised, such as on the delegate's
/// queue.
///
/// Unchecked because apps' delegates are not `Sendable`: the closure only loads a weak reference, which the runtime
/// does atomically.
package struct WeakBox<Object>: @unchecked Sendable {
  private let load: () -> Object?

  /// A box without an object.
  package init() { load = { nil } }

  /// A box for an object of a protocol type, which cannot be referred to weakly in generic code.
  ///
  /// - Parameter load: Captures the object weakly: `WeakBox { [weak delegate] in delegate }`.
  package init(_ load: @escaping () -> Object?) { self.load = load }

  /// The object, while something else keeps it alive.
  package var object: Object? { load() }
}

extension WeakBox where Object: AnyObject {
  package init(_ object: Object?) { self.init { [weak object] in object } }
}
