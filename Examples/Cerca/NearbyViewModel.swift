import Dispatch
import MultipeerConnectivity
import NearbyInteraction

/// Cerca's view model: finds somebody, exchanges tokens, ranges, and takes up again what broke off.
///
/// The flow of Apple's peer sample in our own words (`facts/samples.md`, section 1), on the public API alone.
/// To be used on the main queue, where `onChange` is called too.
public final class NearbyViewModel: NSObject, @unchecked Sendable {
  /// Calls back after a time, on the main queue.
  public typealias Later = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// How this device presents itself, and whom it meets.
  public struct Settings: Sendable {
    /// Of the DNS-SD service.
    public var serviceType = "cerca"
    /// Only those with the same one meet: real devices do not meet simulated ones.
    public var identity = "swift-nearby.cerca"
    /// Makes the usual settings.
    public init() {}
  }

  /// Ends in a row, without a measurement between, after which it gives up.
  static let patience = 3

  /// What to show.
  public private(set) var state = CercaState.searching {
    didSet { if state != oldValue { onChange(state) } }
  }
  /// Measurements so far.
  public private(set) var updates = 0

  private let channel: PeerChannel
  private let onChange: (CercaState) -> Void
  private var session: NISession?
  private var peerToken: NIDiscoveryToken?
  private var peerName: String?
  /// Whether the last that was heard of the peer's radio is that it is there.
  private var isRanging = false
  private var isSuspended = false
  private var failures = 0

  /// - Parameters:
  ///   - peer: This device; keep it archived to be the same one after a launch.
  ///   - later: Calls back after a time, on the main queue.
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

  /// By the clock.
  public static func onMainQueue(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + delay / .seconds(1), execute: body)
  }

  /// Begins to look for somebody.
  public func start() {
    guard SupportCheck.current != .unsupported else { return state = .unsupported }
    startSession()
    channel.open()
    showWhatIsKnown()
  }

  /// Leaves; `start` comes back.
  public func stop() {
    channel.close()
    endSession()
    peerToken = nil
    peerName = nil
    state = .searching
  }

  // MARK: The session

  /// Makes a session, tells the other one its token, and ranges if the other one's is known.
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
    // After a reconnection it may be the one that is ranged with already.
    guard token != peerToken || !isRanging else { return }
    if token != peerToken { isRanging = false }
    peerToken = token
    runSession()
    showWhatIsKnown()
  }

  /// What there is to show while nothing is measured.
  private func showWhatIsKnown() {
    if isSuspended { return state = .suspended }
    if isRanging { return }
    if let partner = channel.partner { return state = .meeting(peer: partner.displayName) }
    if peerToken != nil, let peerName { return state = .lost(peer: peerName) }
    state = .searching
  }
}

extension NearbyViewModel: NISessionDelegate {
  /// The other one was measured.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard session === self.session, let peer = nearbyObjects.first(where: { $0.discoveryToken == peerToken })
    else { return }
    updates += 1
    failures = 0
    isRanging = true
    state = .near(Sighting(peer: peerName ?? "", distance: peer.distance, direction: peer.direction))
  }

  /// The other one is silent, or has ended its session: then it will send another token.
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

  /// The app is no longer in front.
  public func sessionWasSuspended(_ session: NISession) {
    guard session === self.session else { return }
    isSuspended = true
    isRanging = false
    showWhatIsKnown()
  }

  /// The app is back in front.
  public func sessionSuspensionEnded(_ session: NISession) {
    guard session === self.session else { return }
    isSuspended = false
    showWhatIsKnown()
    runAgain()
  }

  /// Some ends are final; after others it starts over, with a token anew.
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
