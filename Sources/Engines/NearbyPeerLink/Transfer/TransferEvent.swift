/// What a node reports about resources and streams with one peer.
package enum TransferEvent: Equatable, Sendable {
  // MARK: An incoming resource
  /// Answer with `acceptResource` or `cancelResource`. `size` is `nil` if the sender does not know it.
  case resourceOffered(TransferID, name: String, size: UInt64?)
  /// Store it, then call `resourceConsumed`.
  case resourceChunk(TransferID, [UInt8])
  /// Everything has arrived. Call `resourceStored` when the app has it; only then does the sender get
  /// `resourceSent`.
  case resourceComplete(TransferID)

  // MARK: An outgoing resource
  /// Read up to this many octets at the offset and pass them to `resourceRead`; passing none means the end.
  case readResource(TransferID, offset: UInt64, count: Int)
  /// The receiver has stored this many octets.
  case resourceProgress(TransferID, stored: UInt64)
  /// The receiver has stored all of it.
  case resourceSent(TransferID)

  /// In either direction: the peer cancelled it, or the connection ended.
  case resourceFailed(TransferID, PeerReason)

  // MARK: Streams
  case streamOpened(TransferID, name: String)
  /// Let the app read it, then call `streamConsumed`.
  case streamData(TransferID, [UInt8])
  /// After `writeStream` accepted less than it was given: it can accept more now.
  case streamWritable(TransferID)
  /// The peer has ended its direction.
  case streamEnded(TransferID)
  /// Both directions are closed: by the peer, by the end of the connection, or because both sides ended
  /// theirs.
  case streamClosed(TransferID, PeerReason)
}
