/// A publisher that starts only once it is connected, so that several subscribers can share one subscription.
public protocol ConnectablePublisher: Publisher {
  /// Starts publishing, until the returned object is cancelled or released.
  func connect() -> any Cancellable
}
