import NearbyPeerLink

/// A user of a device's peer network: a session, an advertiser or a browser of one local peer.
package struct PeerUser: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// An app's request concerning a resource or stream with one peer.
package enum TransferCommand: Sendable {
  /// The octets that `readResource` requested; empty at the end of the resource.
  case resourceRead(TransferID, [UInt8])
  case acceptResource(TransferID)
  case resourceConsumed(TransferID, Int)
  case resourceStored(TransferID)
  case cancelResource(TransferID)
  case streamConsumed(TransferID, Int)
  case endStream(TransferID)
  case closeStream(TransferID)
}

/// A new resource or stream for a peer.
package enum TransferOffer: Sendable {
  /// `size` is `nil` if unknown.
  case resource(name: String, size: UInt64?)
  case stream(name: String)
}

/// Events of the peer network, delivered to its users in order.
package enum PeerEvent: Sendable {
  /// The network is unavailable. Sent to advertisers and browsers after `start`.
  case didNotStart

  // MARK: Browsers
  /// A peer was found, or its name or info changed.
  case found(AdvertisedPeer)
  case lost(PeerID)

  // MARK: Advertisers
  /// Answer with `PeerAdvertiser.answer`, at any time or never.
  case invited(InvitationID, PeerID, context: [UInt8]?)
  /// The inviter no longer waits for an answer.
  case withdrawn(InvitationID)

  // MARK: Sessions
  case state(PeerID, PeerState)
  /// Messages from a peer, at least one, in order.
  case received(PeerIdentity, [[UInt8]])
  case transfer(PeerIdentity, TransferEvent)
  /// Answer with `PeerMember.decideCertificate`. The chain is in DER, the peer's own certificate first; it is
  /// empty on a network without certificates, such as the simulated one.
  case askCertificate(PeerID, chain: [[UInt8]])
}

extension TransferEvent {
  /// The octets that an event counts while it waits for its session's queue.
  ///
  /// Events count like messages, so that a peer is slowed down if the app does not keep up with its events.
  /// The contents of files are not counted, because the credit granted to the peer already bounds them.
  package var queueWeight: Int {
    switch self {
    case .resourceOffered, .resourceChunk, .resourceComplete, .readResource, .resourceProgress, .resourceSent,
      .resourceFailed, .streamOpened:
      256
    // Handled on the network's own thread, so they do not wait.
    case .streamData, .streamWritable, .streamEnded, .streamClosed: 0
    }
  }
}

/// Receives a user's events, on the device's own thread.
package protocol PeerSink: AnyObject, Sendable {
  func received(_ event: PeerEvent)
}
