import Dispatch
import MultipeerConnectivity
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import NearbyInteraction
import Synchronization

/// Finds devices nearby, exchanges tokens with them, ranges with them, and recovers from interruptions: the
/// code that every app on Apple's frameworks otherwise writes by hand.
///
/// ```swift
/// let nearby = PeerFinder(named: "Ann", serviceType: "cerca")
/// nearby.start()
/// for await peers in nearby.peers {
///   for peer in peers { print(peer.name, peer.distance ?? .nan, peer.azimuth ?? .nan) }
/// }
/// ```
///
/// This class is an addition and does not exist on Apple's platforms. It belongs to the device that is
/// current when it is created, and may be used from any thread.
public final class PeerFinder: Sendable {
  /// The state of the search.
  public enum Status: Hashable, Sendable {
    /// Searching for peers and ranging with those found.
    case searching
    /// The app is in the background.
    case suspended
    /// The network between devices is unavailable; `PeerFinder` keeps retrying.
    case noNetwork
    /// The user denied permission. Final.
    case refused
    /// This device cannot measure distances. Final.
    case unsupported
    /// `stop` was called. Final.
    case stopped

    var isFinal: Bool { self == .refused || self == .unsupported || self == .stopped }
  }

  /// How this device presents itself and which peers it looks for.
  public struct Settings: Sendable {
    /// The service type of the DNS-SD service.
    public var serviceType: String
    /// Only devices with the same value find each other.
    public var identity = ""
    /// The maximum number of peers, 1 to 7.
    public var maximumPeers = 7
    /// Whether a peer that was measured stays in the list as `lost` after it has left the network too.
    /// Ranging for it continues until its place is needed. Otherwise it is removed from the list together
    /// with its last measurement.
    public var keepsLostPeers = false
    /// Whether to combine the ranges with camera tracking.
    public var isCameraAssistanceEnabled = false
    /// Creates settings with default values.
    public init(serviceType: String) { self.serviceType = serviceType }
  }

  private struct State: Sendable {
    var machine: PeersMachine
    var rangers: [MCPeerID: PeerRanger] = [:]
    var watchers: [AsyncStream<[NearbyPeer]>.Continuation] = []
    var listeners: [@Sendable ([NearbyPeer], Status) -> Void] = []
  }

  private let settings: Settings
  private let device: NearbyDevice
  private let meeting: PeersMeeting
  private let state: Mutex<State>

  /// Creates a finder with a new identity.
  public convenience init(named name: String, serviceType: String) {
    self.init(peer: MCPeerID(displayName: name), settings: Settings(serviceType: serviceType))
  }

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - peer: This device's identity; archive it to keep the identity across launches.
  ///   - settings: How the device presents itself and which peers it looks for.
  public init(peer: MCPeerID, settings: Settings) {
    self.settings = settings
    device = NearbyDevice.bound(for: "PeerFinder")
    meeting = PeersMeeting(peer: peer, serviceType: settings.serviceType, identity: settings.identity)
    let limit = min(max(settings.maximumPeers, 1), 7)
    state = Mutex(
      State(machine: PeersMachine(limit: limit, seed: "\(peer)", keepsLost: settings.keepsLostPeers)))
    meeting.setOwner(self)
  }

  deinit { meeting.close() }

  /// Starts to look for peers.
  public func start() {
    guard device.sessions.capabilities.contains(.preciseDistance) else {
      return finish(as: .unsupported)
    }
    meeting.open()
  }

  /// Leaves the session for good.
  public func stop() { finish(as: .stopped) }

  /// The present peers.
  public var currentPeers: [NearbyPeer] { state.withLock { $0.machine.peers } }
  /// The state of the search.
  public var status: Status { state.withLock { $0.machine.status } }

  /// The most recent list of peers after each measurement and change; finishes once the search has ended.
  public var peers: AsyncStream<[NearbyPeer]> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [NearbyPeer].self, bufferingPolicy: .bufferingNewest(1))
    let (peers, isOver) = state.withLock { state in
      let isOver = state.machine.status.isFinal
      if !isOver { state.watchers.append(continuation) }
      return (state.machine.peers, isOver)
    }
    continuation.yield(peers)
    if isOver { continuation.finish() }
    return stream
  }

  /// Calls a closure after each measurement and change, on the queue on which it occurred. Calls for one peer
  /// are made in order, one at a time.
  public func onChange(_ body: @escaping @Sendable ([NearbyPeer], Status) -> Void) {
    state.withLock { $0.listeners.append(body) }
  }

  // MARK: Events

  func happened(_ change: @Sendable (inout PeersMachine) -> [PeersMachine.Action]) {
    for action in state.withLock({ change(&$0.machine) }) { perform(action) }
  }

  /// Retries a search that could not start, after a delay.
  func networkFailed() {
    happened { $0.networkFailed() }
    device.app.later(after: PeersMachine.firstDelay) { [weak self] in
      guard let self, status == .noNetwork else { return }
      meeting.open()
    }
  }

  func welcomes(_ peer: MCPeerID) -> Bool { state.withLock { $0.machine.welcomes(peer) } }

  private func perform(_ action: PeersMachine.Action) {
    switch action {
    case .invite(let peer): meeting.invite(peer)
    case .retry(let peer, let delay):
      device.app.later(after: delay) { [weak self] in self?.happened { $0.retried(peer) } }
    case .begin(let peer):
      let ranger = NearbyDevice.$current.withValue(device) { PeerRanger(peer, owner: self) }
      let old = state.withLock { $0.rangers.updateValue(ranger, forKey: peer) }
      old?.end()
    case .share(let peer):
      if let token = state.withLock({ $0.rangers[peer] })?.token { meeting.send(token, to: peer) }
    case .run(let peer, let token):
      state.withLock { $0.rangers[peer] }?.run(token, isAssisted: settings.isCameraAssistanceEnabled)
    case .end(let peer):
      state.withLock { $0.rangers.removeValue(forKey: peer) }?.end()
    case .giveUp: finish(as: status)
    case .show: show()
    }
  }

  private func show() {
    let state = state.withLock { $0 }
    let peers = state.machine.peers
    for watcher in state.watchers { watcher.yield(peers) }
    for listener in state.listeners { listener(peers, state.machine.status) }
  }

  private func finish(as status: Status) {
    meeting.close()
    let (rangers, watchers) = state.withLock { state in
      state.machine.finish(as: status)
      defer { state.rangers = [:] }
      return (state.rangers.values.map { $0 }, state.watchers)
    }
    rangers.forEach { $0.end() }
    show()
    watchers.forEach { $0.finish() }
    state.withLock { $0.watchers = [] }
  }
}

/// The NI session with one peer.
final class PeerRanger: NSObject, NISessionDelegate, Sendable {
  private let peer: MCPeerID
  private let session: NISession
  private let queue: DispatchQueue
  /// Weak, because the owner holds the ranger.
  private let owner: WeakBox<PeerFinder>

  init(_ peer: MCPeerID, owner: PeerFinder) {
    self.peer = peer
    self.owner = WeakBox(owner)
    session = NISession()
    queue = DispatchQueue(label: "swift-nearby.peers")
    super.init()
    session.delegateQueue = queue
    session.delegate = self
  }

  var token: NIDiscoveryToken? { session.discoveryToken }

  func run(_ token: NIDiscoveryToken, isAssisted: Bool) {
    let configuration = NINearbyPeerConfiguration(peerToken: token)
    configuration.isCameraAssistanceEnabled = isAssisted
    session.run(configuration)
  }

  func end() { session.invalidate() }

  private func post(_ change: @Sendable (inout PeersMachine, MCPeerID) -> [PeersMachine.Action]) {
    owner.object?.happened { [peer] in change(&$0, peer) }
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    for object in nearbyObjects { post { $0.updated($1, object) } }
  }
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) { post { $0.removed($1, reason) } }
  func sessionWasSuspended(_ session: NISession) { post { machine, _ in machine.suspended() } }
  func sessionSuspensionEnded(_ session: NISession) { post { $0.suspensionEnded($1) } }
  func session(_ session: NISession, didInvalidateWith error: any Error) {
    let error = (error as? NIError) ?? NIError(.sessionFailed)
    post { $0.invalidated($1, error) }
  }
}
