import Dispatch
import NearbyInteraction

/// The app in a visitor's hand. It leads the visitor to one exhibit and marks the exhibit's place in the AR
/// world.
///
/// It follows the flow of Apple's sample "Finding devices with precision" and uses only public API.
public final class FindingApp: NSObject, NISessionDelegate, @unchecked Sendable {
  // The state changes only on `queue`. `phase` is also read elsewhere, but only while the queue is idle.

  /// What the app asks the visitor to do.
  public enum Phase: Equatable, Sendable {
    /// Nothing has been received from the exhibit yet.
    case connecting
    /// Move the phone from side to side.
    case moveSideToSide
    /// Follow the arrow: `angle` in radians, positive to the right; `distance` in metres.
    case followArrow(angle: Float, distance: Float)
    /// The exhibit is near: move the phone up and down.
    case moveUpAndDown(angle: Float, distance: Float)
    /// A sphere floats where the exhibit is.
    case placed(angle: Float?, distance: Float)
    /// The app cannot continue, for this reason.
    case stopped(String)
  }

  /// What the app asks the visitor to do now.
  public private(set) var phase = Phase.connecting {
    didSet { if phase != oldValue { onChange(phase) } }
  }
  /// What the search still needs to converge.
  public private(set) var missing: [NIAlgorithmConvergenceStatus.Reason] = []
  /// The spheres in the AR world. Empty until the exhibit's place is known.
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
  ///   - seconds: The current time.
  ///   - closeChannel: Closes the connection over which tokens were exchanged. Ranging no longer needs it.
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

  /// The token to give to the exhibit.
  public var token: NIDiscoveryToken? { session?.discoveryToken }

  /// Starts looking for the exhibit with this token.
  public func find(_ token: NIDiscoveryToken) {
    exhibit = token
    let here = NISession.deviceCapabilities
    guard here.supportsCameraAssistance else {
      return phase = .stopped("this phone has no camera assistance")
    }
    guard here.supportsExtendedDistanceMeasurement,
      token.deviceCapabilities.supportsExtendedDistanceMeasurement
    else { return phase = .stopped("one of the two devices does not support extended distance measurement") }
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

  /// Updates the phase, and places the sphere once the exhibit's position is known.
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

  /// Updates what the search still needs.
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

  /// After a timeout, keeps looking with the same session.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    phase = .connecting
    if reason == .timeout, let configuration = session.configuration { session.run(configuration) }
  }

  /// The app is in the foreground again: resumes ranging.
  public func sessionSuspensionEnded(_ session: NISession) {
    if let configuration = session.configuration { session.run(configuration) }
  }

  /// Stops after a final error, and starts over after any other.
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
