import NearbyPeerLink

/// One who uses a device's peer network: a session, an advertiser or a browser of one local peer.
package struct PeerUser: Hashable, Comparable, Sendable {
  package let number: Int
  package init(number: Int) { self.number = number }
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a user of the peer network is there for.
package enum PeerRole: Sendable {
  /// Without credentials the local peer's own key is used.
  case session(EncryptionPreference, credentials: SessionCredentials?)
  case advertiser(ServiceType, DiscoveryInfo)
  case browser(ServiceType)
}

/// What an app asks of the peer network; in force when the call returns.
package enum PeerCommand: Sendable {
  // MARK: Advertisers and browsers
  case start
  case stop
  /// Of a browser: asks a peer into a session. Zero or less means 30 s.
  case invite(PeerID, to: PeerUser, context: [UInt8]?, timeout: Duration)
  /// Of an advertiser: `nil` declines.
  case answer(InvitationID, accept: PeerUser?)

  // MARK: Sessions
  case disconnect
  case connect(PeerID, data: [UInt8])
  case cancelConnect(PeerIdentity)
  case decideCertificate(PeerIdentity, isAccepted: Bool)
  case transfer(PeerIdentity, TransferCommand)
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
  /// Answer by `PeerCommand.answer`, or never.
  case invited(InvitationID, PeerID, context: [UInt8]?)
  /// Nobody waits for the answer any more.
  case withdrawn(InvitationID)

  // MARK: Sessions
  case state(PeerID, PeerState)
  /// Messages of a peer, at least one, in order.
  case received(PeerIdentity, [[UInt8]])
  case transfer(PeerIdentity, TransferEvent)
  /// Answer by `PeerCommand.decideCertificate`; the chain is in DER, the peer's own first, and empty where the
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

/// Why the peer network does not follow a request.
package enum PeerFailure: Error, Equatable, Sendable {
  /// There is no network, or the peer's key is not this device's.
  case unavailable
  /// The command is not one for this role.
  case wrongRole
  case refused(PeerLinkError)
}

/// The peer network of devices, as drivers give it.
package protocol PeerNetworkDriver: AnyObject, Sendable {
  /// A new identity whose secret the device keeps.
  func makePeerIdentity(device: Int) -> PeerIdentity
  /// An app archives a peer's ID: where its secret is this device's, the device keeps it for later processes.
  func keepPeerIdentity(_ identity: PeerIdentity, device: Int)
  /// The sink is kept until the user is released.
  func makePeerUser(_ sink: any PeerSink, local: PeerID, role: PeerRole, device: Int) -> PeerUser
  /// The user is gone: it stops, leaves, and its sink hears nothing more.
  func releasePeerUser(_ user: PeerUser, device: Int)
  /// Follows at once; what it causes is told later, never inside the call.
  func perform(_ command: PeerCommand, of user: PeerUser, device: Int) throws(PeerFailure)
  /// Sends a message of a session to connected peers; by itself, for it is what comes most.
  func send(
    _ message: Span<UInt8>, to peers: [PeerIdentity], _ mode: SendMode, of user: PeerUser, device: Int
  ) throws(PeerFailure)
  /// The app took messages of a peer, of so many octets in all: more may come.
  func tookMessages(_ count: Int, octets: Int, from peer: PeerIdentity, of user: PeerUser, device: Int)
  /// Begins a resource or stream with a connected peer.
  func offer(
    _ offer: TransferOffer, to peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> TransferID
  /// How many octets of a stream were taken; where fewer than given, `streamWritable` will come.
  func write(
    _ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> Int
  /// What a peer needs to `connect` to a session without discovery.
  func connectionData(
    for peer: PeerIdentity, of user: PeerUser, device: Int
  ) throws(PeerFailure) -> [UInt8]
}
