/// What the owner of a node hears of resources and streams with one peer.
package enum TransferEvent: Equatable, Sendable {
  // MARK: A resource that comes
  /// Answer with `acceptResource` or `cancelResource`. `size` is `nil` where the sender does not know it.
  case resourceOffered(TransferID, name: String, size: UInt64?)
  /// Store it, then call `resourceConsumed`.
  case resourceChunk(TransferID, [UInt8])
  /// All of it came. Call `resourceStored` when the app has it; only then does the sender hear `resourceSent`.
  case resourceComplete(TransferID)

  // MARK: A resource that goes
  /// Read so many octets at the offset, at most, and give them to `resourceRead`; none mean the end.
  case readResource(TransferID, offset: UInt64, count: Int)
  /// So much of it the receiver has stored.
  case resourceProgress(TransferID, stored: UInt64)
  /// The receiver has stored all of it.
  case resourceSent(TransferID)

  /// Either way: cancelled by the peer, or the connection ended.
  case resourceFailed(TransferID, PeerReason)

  // MARK: Streams
  case streamOpened(TransferID, name: String)
  /// Let the app read it, then call `streamConsumed`.
  case streamData(TransferID, [UInt8])
  /// `writeStream` took less than it was given; now it takes more.
  case streamWritable(TransferID)
  /// The peer writes no more.
  case streamEnded(TransferID)
  /// Gone both ways: by the peer, by the connection's end, or since both sides ended.
  case streamClosed(TransferID, PeerReason)
}
