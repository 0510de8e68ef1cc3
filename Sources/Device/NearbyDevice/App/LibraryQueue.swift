import Dispatch

/// A serial queue that the library made itself, as a facade does for its delegate.
///
/// Only on such a queue may a driver run blocks on another thread in the queue's turn: an app's own queue runs the
/// app's own blocks too, which the driver knows nothing of. All blocks of a library's queue go through the driver.
package struct LibraryQueue: Sendable {
  package let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }
}

extension AppSide {
  /// Runs a block on a queue of the library's own, in order.
  package func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void) {
    perform(on: queue.queue, body)
  }
}
