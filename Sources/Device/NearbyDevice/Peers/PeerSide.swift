import NearbyPeerLink

/// Why a request to the peer network failed.
package enum PeerFailure: Error, Equatable, Sendable {
  /// There is no network, or the local peer's key belongs to another device.
  case unavailable
  case refused(PeerLinkError)
}

/// A device's peer network.
///
/// The sinks passed to the `make` methods are retained until `release`. If the local peer's key belongs to
/// another device, the created object is unavailable: `start` reports `didNotStart`, and requests throw
/// `unavailable`.
package protocol PeerSide: Sendable {
  /// Creates a new identity, whose secret stays on the device.
  func makeIdentity() -> PeerIdentity
  /// Stores an identity's secret for later processes if it is this device's, because an app archived the ID.
  func store(_ identity: PeerIdentity)
  /// Creates a member of a session; without credentials it uses the local peer's own key.
  func makeMember(
    _ sink: any PeerSink, local: PeerID, _ preference: EncryptionPreference, credentials: SessionCredentials?
  ) -> any PeerMember
  func makeAdvertiser(
    _ sink: any PeerSink, local: PeerID, _ type: ServiceType, _ info: DiscoveryInfo
  ) -> any PeerAdvertiser
  func makeBrowser(_ sink: any PeerSink, local: PeerID, _ type: ServiceType) -> any PeerBrowser
  /// Octets of all messages received over the network that apps have not consumed yet.
  var unreadOctets: Int { get }
}

/// A user of the peer network. Requests take effect before the call returns; events come later.
package protocol PeerUserSide: Sendable {
  var user: PeerUser { get }
  /// Releases the user: it stops, leaves, and its sink gets no more events.
  func release()
}

/// Lets others find the local peer.
package protocol PeerAdvertiser: PeerUserSide {
  func start()
  func stop()
  /// - Parameter session: A session of the same local peer; `nil` declines.
  func answer(_ invitation: InvitationID, accept session: PeerUser?)
}

/// Finds peers and invites them.
package protocol PeerBrowser: PeerUserSide {
  func start()
  func stop()
  /// - Parameter timeout: Zero or less means 30 s.
  func invite(
    _ peer: PeerID, to session: PeerUser, context: [UInt8]?, timeout: Duration
  ) throws(PeerFailure)
}

/// The local peer as a member of one session.
package protocol PeerMember: PeerUserSide {
  /// Leaves all peers once everything queued has been sent.
  func disconnect()
  /// Connects without discovery, by the peer's connection data.
  func connect(_ peer: PeerID, data: [UInt8]) throws(PeerFailure)
  func cancelConnect(_ peer: PeerIdentity)
  func decideCertificate(_ peer: PeerIdentity, isAccepted: Bool)
  /// The data that a peer needs to `connect` to this session without discovery.
  func connectionData(for peer: PeerIdentity) throws(PeerFailure) -> [UInt8]
  /// Sends a message to connected peers.
  func send(_ message: Span<UInt8>, to peers: [PeerIdentity], _ mode: SendMode) throws(PeerFailure)
  /// Reports consumed messages of a peer, `octets` in total, so that the network accepts more.
  func consumed(_ count: Int, octets: Int, from peer: PeerIdentity)
  /// Starts a resource or stream with a connected peer.
  func offer(_ offer: TransferOffer, to peer: PeerIdentity) throws(PeerFailure) -> TransferID
  func perform(_ command: TransferCommand, with peer: PeerIdentity) throws(PeerFailure)
  /// - Returns: The number of octets accepted; if fewer than given, `streamWritable` follows.
  func write(_ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity) throws(PeerFailure) -> Int
}
