import Dispatch
import NearbyInteraction

/// The app in a visitor's hand: leads to one exhibit and marks its place in the AR world.
///
/// The flow of Apple's finding sample in our own words (`facts/samples.md`, section 2), on the public API alone.
public final class FindingApp: NSObject, NISessionDelegate, @unchecked Sendable {
  // State is touched on `queue` only, but for `phase`, which is read when the queue is idle.

  /// What the app asks of the visitor.
  public enum Phase: Equatable, Sendable {
    /// Nothing of the exhibit yet.
    case connecting
    /// Move the phone from side to side.
    case moveSideToSide
    /// Follow the arrow: radians, positive to the right; metres.
    case followArrow(angle: Float, distance: Float)
    /// The exhibit is near: move the phone up and down.
    case moveUpAndDown(angle: Float, distance: Float)
    /// A sphere floats where the exhibit is.
    case placed(angle: Float?, distance: Float)
    /// The flow cannot go on.
    case stopped(String)
  }

  /// What the app asks now.
  public private(set) var phase = Phase.connecting {
    didSet { if phase != oldValue { onChange(phase) } }
  }
  /// What still stands between the search and its end.
  public private(set) var missing: [NIAlgorithmConvergenceStatus.Reason] = []
  /// The spheres in the AR world; none until the place is known.
  public private(set) var spheres: [simd_float4x4] = []

  private let queue = DispatchQueue(label: "museum.finding")
  private let seconds: () -> Double
  private let onChange: (Phase) -> Void
  private let closeChannel: () -> Void
  private var session: NISession?
  private var exhibit: NIDiscoveryToken?
  private var estimator = QualityEstimator()
  private var isChannelOpen = true

  /// - Parameters:
  ///   - seconds: The time.
  ///   - closeChannel: Ends the connection that tokens came over; ranging needs it no longer.
  ///   - onChange: Called with each new phase.
  public init(
    seconds: @escaping () -> Double, closeChannel: @escaping () -> Void = {},
    onChange: @escaping (Phase) -> Void = { _ in }
  ) {
    self.seconds = seconds
    self.closeChannel = closeChannel
    self.onChange = onChange
    super.init()
    start()
  }

  /// What goes to the exhibit.
  public var token: NIDiscoveryToken? { session?.discoveryToken }

  /// Takes the exhibit's token, and looks for it.
  public func find(_ token: NIDiscoveryToken) {
    exhibit = token
    let here = NISession.deviceCapabilities
    guard here.supportsCameraAssistance else {
      return phase = .stopped("this phone has no camera assistance")
    }
    guard here.supportsExtendedDistanceMeasurement,
      token.deviceCapabilities.supportsExtendedDistanceMeasurement
    else { return phase = .stopped("one of the two devices cannot range far") }
    let configuration = NINearbyPeerConfiguration(peerToken: token)
    configuration.isCameraAssistanceEnabled = true
    configuration.isExtendedDistanceMeasurementEnabled = true
    session?.run(configuration)
  }

  private func start() {
    let session = NISession()
    session.delegateQueue = queue
    session.delegate = self
    self.session = session
  }

  // MARK: NISessionDelegate

  /// Where the exhibit is now.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let object = nearbyObjects.first(where: { $0.discoveryToken == exhibit }) else { return }
    if isChannelOpen {
      isChannelOpen = false
      closeChannel()
    }
    if let distance = object.distance { estimator.add(distance, at: seconds()) }
    if let transform = session.worldTransform(for: object) {
      spheres = [transform]
      phase = .placed(angle: object.horizontalAngle, distance: object.distance ?? 0)
    } else {
      phase = guidance(to: object)
    }
  }

  private func guidance(to object: NINearbyObject) -> Phase {
    guard let angle = object.horizontalAngle, let distance = object.distance else { return .moveSideToSide }
    switch estimator.quality(at: seconds()) {
    case .unknown: return .moveSideToSide
    case .good: return .followArrow(angle: angle, distance: distance)
    case .close: return .moveUpAndDown(angle: angle, distance: distance)
    }
  }

  /// What still has to be done to place it.
  public func session(
    _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
    for object: NINearbyObject?
  ) {
    guard let object, object.discoveryToken == exhibit else { return }
    switch convergence.status {
    case .notConverged(let reasons): missing = reasons
    case .converged, .unknown: missing = []
    }
  }

  /// Silence: the same session looks on.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    phase = .connecting
    if reason == .timeout, let configuration = session.configuration { session.run(configuration) }
  }

  /// The app is back in front.
  public func sessionSuspensionEnded(_ session: NISession) {
    if let configuration = session.configuration { session.run(configuration) }
  }

  /// Some ends are final; after others it starts over.
  public func session(_ session: NISession, didInvalidateWith error: any Error) {
    switch error {
    case NIError.userDidNotAllow, NIError.invalidARConfiguration, NIError.incompatiblePeerDevice,
      NIError.activeSessionsLimitExceeded, NIError.activeExtendedDistanceSessionsLimitExceeded:
      phase = .stopped(error.localizedDescription)
    default:
      phase = .connecting
      start()
    }
  }
}
