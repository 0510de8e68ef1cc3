extension NotificationCenter {
  /// The notifications of a name as they are posted from now on, of an object or of all.
  public func notifications(
    named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
  ) -> Notifications { Notifications(self, name, object) }

  /// Notifications as they are posted. What nobody has looked at yet waits.
  public final class Notifications: AsyncSequence, @unchecked Sendable {
    // Nothing changes; the stream may be used from any thread.
    /// A notification.
    public typealias Element = Notification
    /// It cannot fail.
    public typealias Failure = Never

    private let stream: AsyncStream<Notification>

    init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      stream = AsyncStream { continuation in
        let token = Kept(
          value: center.addObserver(forName: name, object: object, queue: nil) { notification in
            let kept = Kept(value: notification)
            continuation.yield(kept.value)
          })
        let center = Kept(value: center)
        continuation.onTermination = { _ in center.value.removeObserver(token.value) }
      }
    }

    /// Begins to look at them.
    public func makeAsyncIterator() -> Iterator { Iterator(stream.makeAsyncIterator()) }

    /// Gives one notification after the other.
    public struct Iterator: AsyncIteratorProtocol {
      private var iterator: AsyncStream<Notification>.Iterator
      init(_ iterator: AsyncStream<Notification>.Iterator) { self.iterator = iterator }
      /// The next; `nil` once the task is cancelled.
      public mutating func next() async -> Notification? { await iterator.next() }
    }
  }
}

/// Something of Foundation's that is safe to use from any thread, or handed over as a whole.
private struct Kept<Value>: @unchecked Sendable {
  nonisolated(unsafe) let value: Value
}
