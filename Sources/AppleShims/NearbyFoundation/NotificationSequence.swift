import NearbyConcurrency

extension NotificationCenter {
  /// The notifications of a name as they are posted from now on, of an object or of all.
  public func notifications(
    named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
  ) -> Notifications { Notifications(self, name, object) }

  /// Notifications as they are posted. What nobody has looked at yet waits.
  public final class Notifications: AsyncSequence, Sendable {
    /// A notification.
    public typealias Element = Notification
    /// It cannot fail.
    public typealias Failure = Never

    // A stream may be used from any thread.
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

    /// Begins to look at them.
    public func makeAsyncIterator() -> Iterator { Iterator(stream.value.makeAsyncIterator()) }

    /// Gives one notification after the other.
    public struct Iterator: AsyncIteratorProtocol {
      private var iterator: AsyncStream<Notification>.Iterator
      init(_ iterator: AsyncStream<Notification>.Iterator) { self.iterator = iterator }
      /// The next; `nil` once the task is cancelled.
      public mutating func next() async -> Notification? { await iterator.next() }
    }
  }
}
