import Dispatch
import MultipeerConnectivity
import NearbyInteraction

/// Cerca's view model: finds a peer, exchanges tokens, ranges, and recovers from interruptions.
///
/// It follows the flow of Apple's sample "Implementing interactions between users in close proximity" and
/// uses only public API. Use it on the main queue, where it also calls `onChange`.
public final class NearbyViewModel: NSObject, @unchecked Sendable {
  /// Runs a closure on the main queue after a delay.
  public typealias Later = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// How this device presents itself, and which peers it accepts.
  public struct Settings: Sendable {
    /// The type of the DNS-SD service.
    public var serviceType = "cerca"
    /// Only devices with the same identity connect, which keeps real devices from meeting simulated ones.
    public var identity = "swift-nearby.cerca"
    /// Creates the default settings.
    public init() {}
  }

  /// After this many invalidated sessions in a row, without a measurement in between, the app gives up.
  static let patience = 3

  /// What to show.
  public private(set) var state = CercaState.searching {
    didSet { if state != oldValue { onChange(state) } }
  }
  /// The number of measurements so far.
  public private(set) var updates = 0

  private let channel: PeerChannel
  private let onChange: (CercaState) -> Void
  private var session: NISession?
  private var peerToken: NIDiscoveryToken?
  private var peerName: String?
  /// Whether the latest event of the session was a measurement, and not a removal.
  private var isRanging = false
  private var isSuspended = false
  private var failures = 0

  /// - Parameters:
  ///   - peer: This device. Archive it to remain the same peer after a relaunch.
  ///   - settings: How this device presents itself, and which peers it accepts.
  ///   - later: Runs a closure on the main queue after a delay.
  ///   - onChange: Called with each new state.
  public init(
    peer: MCPeerID, settings: Settings = Settings(), later: @escaping Later = NearbyViewModel.onMainQueue,
    onChange: @escaping (CercaState) -> Void = { _ in }
  ) {
    self.onChange = onChange
    channel = PeerChannel(
      peer: peer, serviceType: settings.serviceType, identity: settings.identity, later: later)
    super.init()
    channel.onConnected = { [unowned self] in connected($0) }
    channel.onDisconnected = { [unowned self] _ in showWhatIsKnown() }
    channel.onData = { [unowned self] in received($0) }
    channel.onUnavailable = { [unowned self] in
      if !isRanging { state = .noNetwork }
    }
  }

  /// The default for `later`: waits in real time.
  public static func onMainQueue(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + delay / .seconds(1), execute: body)
  }

  /// Starts looking for a peer.
  public func start() {
    guard SupportCheck.current != .unsupported else { return state = .unsupported }
    startSession()
    channel.open()
    showWhatIsKnown()
  }

  /// Disconnects. `start` starts again.
  public func stop() {
    channel.close()
    endSession()
    peerToken = nil
    peerName = nil
    state = .searching
  }

  // MARK: The session

  /// Creates a session, sends its token to the peer, and ranges if the peer's token is known.
  private func startSession() {
    let session = NISession()
    session.delegate = self
    self.session = session
    isSuspended = false
    shareToken()
    runSession()
  }

  private func endSession() {
    session?.invalidate()
    session = nil
    isRanging = false
  }

  private func startOver() {
    endSession()
    startSession()
    showWhatIsKnown()
  }

  private func runSession() {
    guard let peerToken else { return }
    session?.run(NINearbyPeerConfiguration(peerToken: peerToken))
  }

  private func runAgain() {
    guard let configuration = session?.configuration else { return startOver() }
    session?.run(configuration)
  }

  private func giveUp(_ reason: CercaState) {
    channel.close()
    session = nil
    isRanging = false
    state = reason
  }

  // MARK: Tokens

  private func connected(_ peer: MCPeerID) {
    peerName = peer.displayName
    shareToken()
    showWhatIsKnown()
  }

  private func shareToken() {
    guard let token = session?.discoveryToken,
      let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    else { return }
    channel.send(data)
  }

  private func received(_ data: Data) {
    guard let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
    else { return }
    // After a reconnection the peer may send the token that this session already ranges with.
    guard token != peerToken || !isRanging else { return }
    if token != peerToken { isRanging = false }
    peerToken = token
    runSession()
    showWhatIsKnown()
  }

  /// Shows the state of the connection while there are no measurements.
  private func showWhatIsKnown() {
    if isSuspended { return state = .suspended }
    if isRanging { return }
    if let partner = channel.partner { return state = .meeting(peer: partner.displayName) }
    if peerToken != nil, let peerName { return state = .lost(peer: peerName) }
    state = .searching
  }
}

extension NearbyViewModel: NISessionDelegate {
  /// Shows the new measurement.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard session === self.session, let peer = nearbyObjects.first(where: { $0.discoveryToken == peerToken })
    else { return }
    updates += 1
    failures = 0
    isRanging = true
    state = .near(Sighting(peer: peerName ?? "", distance: peer.distance, direction: peer.direction))
  }

  /// After a timeout, runs the same configuration again. If the peer ended its session, starts a new one,
  /// because the peer will send another token.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    guard session === self.session else { return }
    isRanging = false
    switch reason {
    case .peerEnded:
      peerToken = nil
      startOver()
    case .timeout:
      state = .lost(peer: peerName ?? "")
      runAgain()
    }
  }

  /// The app left the foreground.
  public func sessionWasSuspended(_ session: NISession) {
    guard session === self.session else { return }
    isSuspended = true
    isRanging = false
    showWhatIsKnown()
  }

  /// The app is in the foreground again: resumes ranging.
  public func sessionSuspensionEnded(_ session: NISession) {
    guard session === self.session else { return }
    isSuspended = false
    showWhatIsKnown()
    runAgain()
  }

  /// Stops after a final error; otherwise starts over with a new session, which has a new token.
  public func session(_ session: NISession, didInvalidateWith error: any Error) {
    guard session === self.session else { return }
    switch error {
    case NIError.userDidNotAllow: return giveUp(.refused)
    case NIError.unsupportedPlatform: return giveUp(.unsupported)
    default: break
    }
    failures += 1
    guard failures < Self.patience else { return giveUp(.failed(reason: error.localizedDescription)) }
    startOver()
  }
}
