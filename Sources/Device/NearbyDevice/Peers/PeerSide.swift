import NearbyPeerLink

/// Why the peer network rejects a request.
package enum PeerFailure: Error, Equatable, Sendable {
  /// There is no network, or the peer's key is not this device's.
  case unavailable
  case refused(PeerLinkError)
}

/// A device's peer network.
///
/// The sinks of what it makes are kept until `release`. Where the local peer's key is not this device's, what is made is
/// unavailable: `start` reports `didNotStart`, and requests throw `unavailable`.
package protocol PeerSide: Sendable {
  /// A new identity whose secret the device keeps.
  func makeIdentity() -> PeerIdentity
  /// An app archives a peer's ID: if its secret is this device's, the device keeps it for later processes.
  func keep(_ identity: PeerIdentity)
  /// Without credentials the local peer's own key is used.
  func makeMember(
    _ sink: any PeerSink, local: PeerID, _ preference: EncryptionPreference, credentials: SessionCredentials?
  ) -> any PeerMember
  func makeAdvertiser(
    _ sink: any PeerSink, local: PeerID, _ type: ServiceType, _ info: DiscoveryInfo
  ) -> any PeerAdvertiser
  func makeBrowser(_ sink: any PeerSink, local: PeerID, _ type: ServiceType) -> any PeerBrowser
  /// Octets of all messages received over the network that apps have not consumed.
  var unreadOctets: Int { get }
}

/// One user of the peer network. Requests are in force when the call returns; events come later.
package protocol PeerUserSide: Sendable {
  var user: PeerUser { get }
  /// The user is gone: it stops, leaves, and its sink receives nothing more.
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
  /// Leaves all peers, behind all that was sent.
  func disconnect()
  /// Connects without discovery, by the peer's connection data.
  func connect(_ peer: PeerID, data: [UInt8]) throws(PeerFailure)
  func cancelConnect(_ peer: PeerIdentity)
  func decideCertificate(_ peer: PeerIdentity, isAccepted: Bool)
  /// What a peer needs to `connect` to this session without discovery.
  func connectionData(for peer: PeerIdentity) throws(PeerFailure) -> [UInt8]
  /// Sends a message to connected peers.
  func send(_ message: Span<UInt8>, to peers: [PeerIdentity], _ mode: SendMode) throws(PeerFailure)
  /// The app consumed messages of a peer, of so many octets in all: more may come.
  func consumed(_ count: Int, octets: Int, from peer: PeerIdentity)
  /// Begins a resource or stream with a connected peer.
  func offer(_ offer: TransferOffer, to peer: PeerIdentity) throws(PeerFailure) -> TransferID
  func perform(_ command: TransferCommand, with peer: PeerIdentity) throws(PeerFailure)
  /// - Returns: How many octets of a stream were accepted; where fewer than given, `streamWritable` will come.
  func write(_ octets: [UInt8], to stream: TransferID, with peer: PeerIdentity) throws(PeerFailure) -> Int
}
