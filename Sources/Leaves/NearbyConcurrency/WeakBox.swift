/// A weak reference that may cross threads, usually to an app's delegate.
///
/// The box may be read from any thread. Call the object only where its owner promised to, such as on the
/// delegate's queue.
///
/// Unchecked because apps' delegates are not `Sendable`: the closure only loads a weak reference, which the
/// runtime does atomically.
package struct WeakBox<Object>: @unchecked Sendable {
  private let load: () -> Object?

  /// Creates an empty box.
  package init() { load = { nil } }

  /// Creates a box for an object of a protocol type, because generic code cannot refer to such an object
  /// weakly.
  ///
  /// - Parameter load: Captures the object weakly: `WeakBox { [weak delegate] in delegate }`.
  package init(_ load: @escaping () -> Object?) { self.load = load }

  /// The object, or `nil` once it was released.
  package var object: Object? { load() }
}

extension WeakBox where Object: AnyObject {
  package init(_ object: Object?) { self.init { [weak object] in object } }
}
