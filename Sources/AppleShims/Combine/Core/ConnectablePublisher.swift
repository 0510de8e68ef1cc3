/// Gives what one subscription to a publisher gives to many.
public protocol ConnectablePublisher: Publisher {
  /// Begins; to be held for as long as it is to go on.
  func connect() -> any Cancellable
}
