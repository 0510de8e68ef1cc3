import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import NearbyPeerLink
import Synchronization

/// A group of connected peers that exchange messages, files and streams.
///
/// The delegate is called on the session's own serial queue. Methods may be called from any thread.
///
/// A slow delegate slows down the sender: up to 8 MiB of undelivered messages per peer are buffered here, and
/// the rest stays with the sender, whose `send` eventually throws. Unreliable messages are dropped meanwhile.
///
/// Source: Apple's documentation of `MCSession`.
open class MCSession: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: stored properties are immutable, and mutable state is guarded by the lock of
  // `state`. The objects of the identity are only handed back to the app.
  let device: NearbyDevice
  private let relay: SessionRelay
  package let member: any PeerMember
  let queue = LibraryQueue(label: "swift-nearby.session")
  let state = Mutex(MCSessionContents())
  private let own: (peer: MCPeerID, identity: [Any]?, preference: MCEncryptionPreference)

  /// The local peer.
  open var myPeerID: MCPeerID { own.peer }
  /// The array that the session was created with.
  open var securityIdentity: [Any]? { own.identity }
  /// The preference that the session was created with.
  open var encryptionPreference: MCEncryptionPreference { own.preference }

  /// Creates a session that is always encrypted.
  public convenience init(peer myPeerID: MCPeerID) {
    self.init(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
  }

  /// Creates a session on the current device.
  ///
  /// - Parameters:
  ///   - myPeerID: The local peer.
  ///   - identity: An `MCSecurityIdentity`, optionally followed by certificates as `Data` in DER. If `nil` or
  ///     empty, the local peer's own key is used. Anything else stops the process.
  ///   - encryptionPreference: Whether the session is encrypted.
  public init(
    peer myPeerID: MCPeerID, securityIdentity identity: [Any]?,
    encryptionPreference: MCEncryptionPreference
  ) {
    own = (myPeerID, identity, encryptionPreference)
    device = NearbyDevice.bound(for: "MCSession")
    relay = SessionRelay { $0.owner?.receive($1) }
    member = device.peers.makeMember(
      relay, local: myPeerID.peer, EncryptionPreference(encryptionPreference),
      credentials: MCSecurityIdentity.credentials(of: identity))
    super.init()
    relay.attach(self)
    DispatchQueue.global(qos: .utility).async { IncomingFile.removeLeftOnce() }
  }

  deinit {
    member.release()
    let left = state.withLock { $0 }
    for stream in left.streams.values { stream.fail(MCError(.notConnected)) }
    for resource in left.outgoing.values.compactMap(\.completion) {
      later.call(resource.value, MCError(.notConnected))
    }
    for continuation in left.events { continuation.finish() }
  }

  /// Receives the session's events. Held weakly.
  open weak var delegate: (any MCSessionDelegate)? {
    get { state.withLock { $0.delegate.object } }
    set {
      let box = WeakBox { [weak newValue] in newValue }
      state.withLock { $0.delegate = box }
    }
  }

  /// The peers reported to the delegate as connected, in the order in which they connected.
  open var connectedPeers: [MCPeerID] { state.withLock { $0.connected } }

  /// Sends a message to connected peers. If one of them is not connected, none receives it.
  ///
  /// - Throws: `MCError`: `invalidParameter` for an empty array of peers or a message over 64 MiB,
  ///   `notConnected`, or `unavailable` if 256 MiB are already queued for a peer.
  open func send(
    _ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode
  ) throws {
    let sendMode: SendMode =
      switch mode {
      case .reliable: .reliable
      case .unreliable: .unreliable
      }
    do throws(PeerFailure) {
      try member.send(data.span, to: peerIDs.map(\.peer.identity), sendMode)
    } catch {
      throw MCError(failure: error)
    }
  }

  /// Sends a file to a connected peer, in pieces that messages can overtake.
  ///
  /// - Parameters:
  ///   - resourceURL: A file URL, or an `http` or `https` URL, which is first downloaded to a file. Other URLs
  ///     fail with `MCError.unsupported`; so do downloads in a simulated world, whose virtual time cannot wait
  ///     for the web.
  ///   - resourceName: The name reported to the receiver, at most 1024 octets.
  ///   - peerID: The receiver.
  ///   - completionHandler: Called once on the session's queue, with `nil` when the receiver has the whole
  ///     file.
  /// - Returns: A progress that counts the octets stored by the receiver and can cancel the transfer; `nil`
  ///   if the file cannot be sent.
  @discardableResult
  open func sendResource(
    at resourceURL: URL, withName resourceName: String, toPeer peerID: MCPeerID,
    withCompletionHandler completionHandler: (((any Error)?) -> Void)? = nil
  ) -> Progress? {
    switch resourceURL.scheme?.lowercased() {
    case "file":
      sendFile(
        at: resourceURL, withName: resourceName, toPeer: peerID, completionHandler: completionHandler)
    case "http", "https":
      sendDownload(
        of: resourceURL, withName: resourceName, toPeer: peerID, completionHandler: completionHandler)
    default: fail(completionHandler, MCError(.unsupported))
    }
  }

  /// Opens a stream to a connected peer, whose delegate receives the other end.
  ///
  /// Open the returned stream, and schedule it in a run loop if its delegate is to be notified of free space.
  /// `write` accepts as much as fits; the peer reads at its own pace. `close` takes effect after everything
  /// written has been sent.
  ///
  /// - Parameters:
  ///   - streamName: The name reported to the peer, at most 1024 octets.
  ///   - peerID: The receiver.
  /// - Throws: `MCError`: `notConnected`, `invalidParameter`, or `unavailable` for the 257th stream at once.
  open func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
    try openStream(withName: streamName, toPeer: peerID)
  }

  /// Leaves all peers once everything queued has been sent. The session can be used again.
  open func disconnect() { member.disconnect() }

  // MARK: Without discovery

  /// Creates the data with which a peer can connect to this session by `connectPeer`, or an error. The
  /// handler is called on the session's queue.
  open func nearbyConnectionData(
    forPeer peerID: MCPeerID, withCompletionHandler completionHandler: @escaping (Data?, (any Error)?) -> Void
  ) {
    // `UncheckedSendable` is safe because the handler is called once, on the session's queue.
    let handler = UncheckedSendable(completionHandler)
    let result = connectionData(for: peerID)
    device.app.later { [device, queue] in
      device.perform(on: queue) {
        switch result {
        case .success(let data): handler.value(data, nil)
        case .failure(let error): handler.value(nil, error)
        }
      }
    }
  }

  /// A variant for handlers that take non-optional data, as code written for older SDKs does. With an error,
  /// the data is empty.
  @_disfavoredOverload
  public final func nearbyConnectionData(
    forPeer peerID: MCPeerID, withCompletionHandler completionHandler: @escaping (Data, (any Error)?) -> Void
  ) {
    nearbyConnectionData(forPeer: peerID) { (data: Data?, error: (any Error)?) in
      completionHandler(data ?? Data(), error)
    }
  }

  /// Creates the data with which a peer can connect to this session by `connectPeer`.
  open func nearbyConnectionData(forPeer peerID: MCPeerID) async throws -> Data {
    try connectionData(for: peerID).get()
  }

  /// Connects to a peer by its connection data; the peer must do the same with this session's data. Failures
  /// are reported as `.notConnected`.
  open func connectPeer(_ peerID: MCPeerID, withNearbyConnectionData data: Data) {
    do throws(PeerFailure) {
      try member.connect(peerID.peer, data: [UInt8](data))
    } catch {
      attemptFailed(with: peerID)
    }
  }

  /// Cancels an attempt to connect to a peer, whether by invitation or by connection data.
  open func cancelConnectPeer(_ peerID: MCPeerID) {
    member.cancelConnect(peerID.peer.identity)
  }

  private func connectionData(for peerID: MCPeerID) -> Result<Data, MCError> {
    do throws(PeerFailure) {
      return .success(Data(try member.connectionData(for: peerID.peer.identity)))
    } catch {
      return .failure(MCError(failure: error))
    }
  }

  // MARK: Events of the network

  /// Handles stream data on the calling thread and forwards other events to the session's queue.
  func receive(_ event: PeerEvent) {
    guard case .transfer(let peer, let transfer) = event else {
      return device.perform(on: queue) { [self] in report(event) }
    }
    if handleStream(transfer, with: peer) { return }
    device.perform(on: queue) { [self] in
      report(event)
      member.consumed(0, octets: transfer.queueWeight, from: peer)
    }
  }

  private func report(_ event: PeerEvent) {
    switch event {
    case .state(let peer, let change): changed(MCPeerID(peer), MCSessionState(change))
    case .received(let identity, let messages):
      report(messages, of: identity)
    case .askCertificate(let peer, let chain): ask(peer, chain)
    case .transfer(let identity, let event): report(event, with: identity)
    case .didNotStart, .found, .lost, .invited, .withdrawn: break
    }
  }

  /// Reports an attempt that could not even start as `.notConnected`, unless the peer is already a member.
  func attemptFailed(with peer: MCPeerID) {
    device.app.later { [self] in
      device.perform(on: queue) { [self] in
        if connected(peer.peer.identity) == nil { changed(peer, .notConnected) }
      }
    }
  }

  func connected(_ identity: PeerIdentity) -> MCPeerID? {
    state.withLock { $0.connected.first { $0.peer.identity == identity } }
  }

  private func changed(_ peer: MCPeerID, _ change: MCSessionState) {
    state.withLock { state in
      state.connected.removeAll { $0 == peer }
      if change == .connected { state.connected.append(peer) }
    }
    report(.stateChanged(peer, change))
  }

  /// Asks the app whether to accept a peer's certificate; the connection waits for the answer.
  private func ask(_ peer: PeerID, _ chain: [[UInt8]]) {
    let answer: @Sendable (Bool) -> Void = { [weak self] isAccepted in
      self?.member.decideCertificate(peer.identity, isAccepted: isAccepted)
    }
    guard let delegate else { return answer(true) }
    let certificate = chain.isEmpty ? nil : chain.map { Data($0) as Any }
    delegate.session(
      self, didReceiveCertificate: certificate, fromPeer: MCPeerID(peer), certificateHandler: answer)
  }
}

/// The mutable part of a session, guarded by its lock.
struct MCSessionContents: Sendable {
  var delegate = WeakBox<any MCSessionDelegate>()
  var connected: [MCPeerID] = []
  var outgoing: [ResourceKey: ResourceBeingSent] = [:]
  var incoming: [ResourceKey: ResourceBeingReceived] = [:]
  var streams: [ResourceKey: SessionStream] = [:]
  var events: [AsyncStream<MCSession.Event>.Continuation] = []
}

/// Forwards the device's events to a session without keeping the session alive.
typealias SessionRelay = Relay<MCSession, PeerEvent>

extension Relay: PeerSink where Event == PeerEvent {}
