/// A byte stream to and from one UCI controller or host.
///
/// The link does not know about packets: octets arrive in chunks of arbitrary size.
package protocol UCILink: AnyObject, Sendable {
  /// Starts delivering; call it once.
  ///
  /// Both closures are called on one serial queue. `onClose` is called once, as the last call; its error is
  /// `nil` if `close()` was the cause.
  func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void)

  /// Queues octets, in the order of the calls; from any thread.
  ///
  /// - Throws: `.congested` if too much is queued; the link stays open, and none of `octets` was queued.
  ///   `.closedByPeer` after the link has ended.
  func send(_ octets: [UInt8]) throws(LinkError)

  /// Stops delivering octets after the current call, so that the other side has to wait; from any thread.
  ///
  /// The end of the link is still reported: a reset immediately, an orderly end after everything before it
  /// was delivered.
  func pauseReading()

  /// Resumes delivery after `pauseReading`; from any thread. Has no effect if the link is not paused.
  func resumeReading()

  /// Closes the link; from any thread, any number of times. Queued octets are dropped.
  func close()
}
