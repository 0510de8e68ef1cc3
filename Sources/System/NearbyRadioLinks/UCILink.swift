/// Octets to and from one UCI controller or host.
///
/// The link knows nothing of packets: what arrives is cut as the system cuts it.
package protocol UCILink: AnyObject, Sendable {
  /// Begins to deliver; to be called once.
  ///
  /// Both closures are called on one serial queue. `onClose` is called once and is the last call; its error
  /// is `nil` when `close()` was the cause.
  func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void)

  /// Queues octets; from any thread, in the order of the calls.
  ///
  /// - Throws: `.congested` when too much waits; the link stays open and nothing of `octets` was queued.
  ///   `.closedByPeer` after the link's end.
  func send(_ octets: [UInt8]) throws(LinkError)

  /// Stops delivering octets after the current call, so that the other side has to wait; from any thread.
  ///
  /// The link's end is still reported: a reset at once, an end in order when everything before it was delivered.
  func pauseReading()

  /// Delivers again after `pauseReading`; from any thread. Has no effect on a link that is not paused.
  func resumeReading()

  /// Ends the link; from any thread, any number of times. What waits to be sent is dropped.
  func close()
}
