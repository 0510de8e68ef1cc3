import Dispatch

/// A serial queue that the library created, for example for a facade's delegate.
///
/// All blocks of such a queue go through the device, which may therefore run them on another thread in the
/// queue's turn. On an app's own queue it must not do that, because the app runs blocks there itself.
package struct LibraryQueue: Sendable {
  package let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }
}

extension AppSide {
  /// Runs a block on a queue that the library created, preserving the order of the calls.
  package func perform(on queue: LibraryQueue, _ body: @escaping @Sendable () -> Void) {
    perform(on: queue.queue, body)
  }
}
