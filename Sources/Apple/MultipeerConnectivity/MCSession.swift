import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import NearbyPeerLink
import Synchronization

/// Peers that are connected with each other, and what they send.
///
/// The delegate is called on a serial queue of the session's own. Methods may be called from any thread.
///
/// A delegate that takes its time makes the peer wait: of messages it has not taken, 8 MiB of each peer are kept here,
/// and the rest stays with the sender, whose `send` throws in the end. Unreliable messages are lost meanwhile.
///
/// Source: `facts/multipeerconnectivity.md`, section 3.
open class MCSession: NSObject, @unchecked Sendable {
  // All stored properties are immutable; what changes is behind `state`'s lock. The identity's objects are only
  // handed back.
  let device: NearbyDevice
  private let relay: SessionRelay
  package let member: any PeerMember
  let queue = LibraryQueue(label: "swift-nearby.session")
  let state = Mutex(MCSessionContents())

  /// The local peer.
  public let myPeerID: MCPeerID
  /// What the session was made with.
  public let securityIdentity: [Any]?
  /// What the session was made with.
  public let encryptionPreference: MCEncryptionPreference

  /// Makes a session that is always encrypted.
  public convenience init(peer myPeerID: MCPeerID) {
    self.init(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
  }

  /// Makes a session of the device that is current.
  ///
  /// - Parameters:
  ///   - myPeerID: The local peer.
  ///   - identity: An `MCSecurityIdentity`, then, if need be, certificates as `Data` in DER. With `nil` or none the
  ///     peer's own key is used. Anything else stops the process.
  ///   - encryptionPreference: How the session is encrypted.
  public init(
    peer myPeerID: MCPeerID, securityIdentity identity: [Any]?,
    encryptionPreference: MCEncryptionPreference
  ) {
    self.myPeerID = myPeerID
    securityIdentity = identity
    self.encryptionPreference = encryptionPreference
    device = NearbyDevice.bound
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

  /// Hears of everything that happens in the session. Not kept alive by it.
  open weak var delegate: (any MCSessionDelegate)? {
    get { state.withLock { $0.delegate.object } }
    set {
      let box = WeakBox { [weak newValue] in newValue }
      state.withLock { $0.delegate = box }
    }
  }

  /// The peers that the delegate heard are connected, in the order in which they came.
  open var connectedPeers: [MCPeerID] { state.withLock { $0.connected } }

  /// Sends a message to connected peers; none is sent where one of them is not connected.
  ///
  /// - Throws: `MCError`: `invalidParameter` for no peers or a message over 64 MiB, `notConnected`, `unavailable`
  ///   where 256 MiB wait for a peer.
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

  /// Sends a file to a connected peer, in pieces that let messages pass.
  ///
  /// - Parameters:
  ///   - resourceURL: A file's, or one of `http` or `https`, which is fetched here first; not in a simulated
  ///     world, whose time does not wait for the web. Others end in `MCError.unsupported`.
  ///   - resourceName: What the receiver hears, at most 1024 octets.
  ///   - peerID: Who gets it.
  ///   - completionHandler: Called once on the session's queue, with `nil` when the receiver has all of it.
  /// - Returns: What cancels it, and says how much the receiver has; `nil` where it cannot be sent.
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

  /// Begins a stream to a connected peer, whose delegate is given the other end.
  ///
  /// Open it, and schedule it in a run loop where a delegate is to hear of room. `write` takes what fits; the
  /// peer reads at its own pace. `close` comes behind all that was written.
  ///
  /// - Parameters:
  ///   - streamName: What the peer hears, at most 1024 octets.
  ///   - peerID: Who gets it.
  /// - Throws: `MCError`: `notConnected`, `invalidParameter`, `unavailable` for the 257th at once.
  open func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
    try openStream(withName: streamName, toPeer: peerID)
  }

  /// Leaves all peers, behind all that was sent. The session can be used again.
  open func disconnect() { member.disconnect() }

  // MARK: Without discovery

  /// Makes what a peer needs to connect with this session by `connectPeer`; `nil` with an error.
  open func nearbyConnectionData(
    forPeer peerID: MCPeerID, withCompletionHandler completionHandler: @escaping (Data?, (any Error)?) -> Void
  ) {
    // Called once, on the session's queue.
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

  /// The form of handlers that take the data as given, as code does that was written for older systems. With an
  /// error the data is empty.
  @_disfavoredOverload
  public final func nearbyConnectionData(
    forPeer peerID: MCPeerID, withCompletionHandler completionHandler: @escaping (Data, (any Error)?) -> Void
  ) {
    nearbyConnectionData(forPeer: peerID) { (data: Data?, error: (any Error)?) in
      completionHandler(data ?? Data(), error)
    }
  }

  /// Makes what a peer needs to connect with this session by `connectPeer`.
  open func nearbyConnectionData(forPeer peerID: MCPeerID) async throws -> Data {
    try connectionData(for: peerID).get()
  }

  /// Connects with a peer by its connection data; the peer must do the same with ours. What goes wrong is told as
  /// `.notConnected`.
  open func connectPeer(_ peerID: MCPeerID, withNearbyConnectionData data: Data) {
    do throws(PeerFailure) {
      try member.connect(peerID.peer, data: [UInt8](data))
    } catch {
      attemptFailed(with: peerID)
    }
  }

  /// Ends an attempt, by invitation or connection data, that is under way.
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

  // MARK: What the network tells

  /// Takes an event to the session's queue.
  func receive(_ event: PeerEvent) {
    guard case .transfer(let peer, let transfer) = event else {
      return device.perform(on: queue) { [self] in report(event) }
    }
    if takeOfStream(transfer, with: peer) { return }
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

  /// An attempt that could not even begin. Of a member it says nothing.
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

  /// The connection waits for the app's word.
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

/// What of a session changes, under its lock.
struct MCSessionContents: Sendable {
  var delegate = WeakBox<any MCSessionDelegate>()
  var connected: [MCPeerID] = []
  var outgoing: [ResourceKey: OutgoingResource] = [:]
  var incoming: [ResourceKey: IncomingResource] = [:]
  var streams: [ResourceKey: SessionStream] = [:]
  var events: [AsyncStream<MCSession.Event>.Continuation] = []
}

/// Stands between a device and a session, so that the device does not keep the session alive.
typealias SessionRelay = Relay<MCSession, PeerEvent>

extension Relay: PeerSink where Event == PeerEvent {}
