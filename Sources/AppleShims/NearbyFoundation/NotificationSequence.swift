import NearbyConcurrency

extension NotificationCenter {
  /// The notifications with a name posted from now on, by `object` or, for `nil`, by any object.
  public func notifications(
    named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
  ) -> Notifications { Notifications(self, name, object) }

  /// An asynchronous sequence of notifications. Notifications are queued until they are read.
  public final class Notifications: AsyncSequence, Sendable {
    /// The type of the sequence's elements.
    public typealias Element = Notification
    /// It cannot fail.
    public typealias Failure = Never

    // Unchecked because a stream may be used from any thread.
    private let stream: UncheckedSendable<AsyncStream<Notification>>

    init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      let stream = AsyncStream<Notification> { continuation in
        let token = UncheckedSendable(
          center.addObserver(forName: name, object: object, queue: nil) { notification in
            let kept = UncheckedSendable(notification)
            continuation.yield(kept.value)
          })
        let center = UncheckedSendable(center)
        continuation.onTermination = { _ in center.value.removeObserver(token.value) }
      }
      self.stream = UncheckedSendable(stream)
    }

    /// Creates an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(stream.value.makeAsyncIterator()) }

    /// Iterates over the notifications.
    public struct Iterator: AsyncIteratorProtocol {
      private var iterator: AsyncStream<Notification>.Iterator
      init(_ iterator: AsyncStream<Notification>.Iterator) { self.iterator = iterator }
      /// The next notification; `nil` once the task is cancelled.
      public mutating func next() async -> Notification? { await iterator.next() }
    }
  }
}
