import NearbyPeerLink

/// One who uses a device's peer network: a session, an advertiser or a browser of one local peer.
package struct PeerUser: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What an app asks of a resource or stream with one peer.
package enum TransferCommand: Sendable {
  /// What `readResource` asked for; none means the end.
  case resourceRead(TransferID, [UInt8])
  case acceptResource(TransferID)
  case resourceConsumed(TransferID, Int)
  case resourceStored(TransferID)
  case cancelResource(TransferID)
  case streamConsumed(TransferID, Int)
  case endStream(TransferID)
  case closeStream(TransferID)
}

/// A resource or stream to begin with a peer.
package enum TransferOffer: Sendable {
  /// `size` is `nil` where it is not known.
  case resource(name: String, size: UInt64?)
  case stream(name: String)
}

/// What the peer network tells its users, in order.
package enum PeerEvent: Sendable {
  /// The network cannot be used: of advertisers and browsers after `start`.
  case didNotStart

  // MARK: Browsers
  /// Again where the name or the info changed.
  case found(AdvertisedPeer)
  case lost(PeerID)

  // MARK: Advertisers
  /// Answer by `PeerAdvertiser.answer`, or never.
  case invited(InvitationID, PeerID, context: [UInt8]?)
  /// Nobody waits for the answer any more.
  case withdrawn(InvitationID)

  // MARK: Sessions
  case state(PeerID, PeerState)
  /// Messages of a peer, at least one, in order.
  case received(PeerIdentity, [[UInt8]])
  case transfer(PeerIdentity, TransferEvent)
  /// Answer by `PeerMember.decideCertificate`; the chain is in DER, the peer's own first, and empty where the
  /// network has none, as the simulated one.
  case askCertificate(PeerID, chain: [[UInt8]])
}

extension TransferEvent {
  /// What an event weighs while it waits for its session's queue, octets: as messages do, so that a peer whose events
  /// the app does not get to has to wait. The octets of files are bounded by what was granted.
  package var queueWeight: Int {
    switch self {
    case .resourceOffered, .resourceChunk, .resourceComplete, .readResource, .resourceProgress, .resourceSent,
      .resourceFailed, .streamOpened:
      256
    // The network's own thread is done with these.
    case .streamData, .streamWritable, .streamEnded, .streamClosed: 0
    }
  }
}

/// Who hears a user's events, on the device's own thread.
package protocol PeerSink: AnyObject, Sendable {
  func received(_ event: PeerEvent)
}
