// swift-format-ignore-file: NeverForceUnwrap
// Apps force-unwrap, so the code here must be allowed to.

// Code as written by people who know only Apple's module: one import, Swift 5, every usual spelling. It must
// compile.
import NearbyInteraction

// These patterns have one import, which also provides Foundation, Dispatch, simd and Observation.
enum DistanceDirectionState { case unknown, closeUpInFOV, notCloseUpInFOV, outOfFOV }

class PeekViewController: NSObject {
  var session: NISession?
  var peerDiscoveryToken: NIDiscoveryToken?
  var sharedTokenWithPeer = false
  var currentState: DistanceDirectionState = .unknown
  let nearbyDistanceThreshold: Float = 0.3
  var log: [String] = []

  func startup() {
    session = NISession()
    session?.delegate = self
    sharedTokenWithPeer = false
  }
  func shareMyDiscoveryToken(token: NIDiscoveryToken) -> Data {
    guard let encoded = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    else { fatalError() }
    sharedTokenWithPeer = true
    return encoded
  }
  func dataReceived(_ data: Data) {
    guard let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
    else { return }
    peerDiscoveryToken = token
    let config = NINearbyPeerConfiguration(peerToken: token)
    session?.run(config)
  }
  func getState(from object: NINearbyObject) -> DistanceDirectionState {
    if object.distance == nil && object.direction == nil { return .unknown }
    let isNearby = object.distance.map { $0 < nearbyDistanceThreshold } ?? false
    let directionAvailable = object.direction != nil
    if isNearby && directionAvailable { return .closeUpInFOV }
    if !isNearby && directionAvailable { return .notCloseUpInFOV }
    return .outOfFOV
  }
  func show(_ peer: NINearbyObject) {
    let azimuth = peer.direction.map(azimuth(from:))
    let elevation = peer.direction.map(elevation(from:))
    if let d = peer.distance { log.append(String(format: "%0.2f m", d)) }
    if let direction = peer.direction {
      log.append(String(format: "x %0.2f y %0.2f z %0.2f", direction.x, direction.y, direction.z))
      _ = simd_length(direction); _ = normalize(direction); _ = dot(direction, simd_float3(0, 0, -1))
    }
    if azimuth != nil && elevation != nil {
      if (elevation ?? 0) < 0 { log.append("down") } else { log.append("up") }
      let degrees = (azimuth ?? 0) * 180 / .pi
      log.append("\(Int(degrees))°")
    }
  }
}

func azimuth(from direction: simd_float3) -> Float { asin(direction.x) }
func elevation(from direction: simd_float3) -> Float { atan2(direction.z, direction.y) + .pi / 2 }

extension FloatingPoint {
  var degreesToRadians: Self { self * .pi / 180 }
  var radiansToDegrees: Self { self * 180 / .pi }
}

extension PeekViewController: NISessionDelegate {
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let peerToken = peerDiscoveryToken else { return }
    let peerObj = nearbyObjects.first { (obj) -> Bool in return obj.discoveryToken == peerToken }
    guard let nearbyObjectUpdate = peerObj else { return }
    currentState = getState(from: nearbyObjectUpdate)
    show(nearbyObjectUpdate)
  }
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    switch reason {
    case .peerEnded:
      peerDiscoveryToken = nil
      session.invalidate()
      startup()
    case .timeout:
      if let config = session.configuration { session.run(config) }
    @unknown default:
      fatalError("Unknown and unhandled NINearbyObject.RemovalReason")
    }
  }
  func sessionWasSuspended(_ session: NISession) { currentState = .unknown }
  func sessionSuspensionEnded(_ session: NISession) {
    if let config = self.session?.configuration { session.run(config) } else { startup() }
  }
  func session(_ session: NISession, didInvalidateWith error: Error) {
    currentState = .unknown
    if case NIError.userDidNotAllow = error {
      if #available(iOS 15.0, *) { log.append("settings") } else { log.append("alert") }
      return
    }
    switch error {
    case NIError.invalidConfiguration: log.append("configuration")
    case NIError.userDidNotAllow, NIError.unsupportedPlatform: break
    default: startup()
    }
    if let nierror = error as? NIError {
      switch nierror.code {
      case .userDidNotAllow: break
      case .sessionFailed, .resourceUsageTimeout: log.append(nierror.localizedDescription)
      case .invalidConfiguration, .unsupportedPlatform, .activeSessionsLimitExceeded: break
      default: break
      }
    }
    if (error as? NIError)?.code == .activeSessionsLimitExceeded { log.append("limit") }
    if (error as NSError).code == NIError.Code.sessionFailed.rawValue,
      (error as NSError).domain == NIErrorDomain
    {
      log.append("failed")
    }
    if (error as NSError).domain == NIError.errorDomain { log.append(error.localizedDescription) }
    NSLog("session invalidated: %@", error.localizedDescription)
  }
}

// One session per peer, looked up by name and by token.
final class Hub: NSObject, NISessionDelegate {
  var sessions = [String: NISession]()
  var names: [NIDiscoveryToken: String] = [:]
  var distances: [NIDiscoveryToken: Float] = [:]
  var seen = Set<NIDiscoveryToken>()
  let queue = DispatchQueue(label: "ni", qos: .userInitiated)
  weak var listener: AnyObject?
  var onUpdate: ((String, Float?, simd_float3?) -> Void)?
  func session(for name: String) -> NISession {
    if let known = sessions[name] { return known }
    let session = NISession()
    session.delegate = self
    session.delegateQueue = DispatchQueue(label: "ni.\(name)", qos: .userInitiated)
    sessions[name] = session
    return session
  }
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    for object in nearbyObjects {
      seen.insert(object.discoveryToken)
      distances[object.discoveryToken] = object.distance ?? -1
      guard let name = sessions.first(where: { $0.value === session })?.key else { continue }
      DispatchQueue.main.async { [weak self] in self?.onUpdate?(name, object.distance, object.direction) }
    }
  }
}

// Capabilities in all spellings.
struct Abilities {
  static func text() -> String {
    if #available(iOS 16.0, watchOS 9.0, *) {
      let c = NISession.deviceCapabilities
      return
        "\(c.supportsPreciseDistanceMeasurement) \(c.supportsDirectionMeasurement) \(c.supportsCameraAssistance)"
    } else {
      return "old"
    }
  }
  static var extended: Bool { NISession.deviceCapabilities.supportsExtendedDistanceMeasurement }
  @available(*, deprecated) static func supported() -> Bool {
    guard NISession.isSupported else { return false }
    return true
  }
}

class BaseRanger: NSObject, NISessionDelegate {
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {}
}
class SubRanger: BaseRanger {
  override func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    super.session(session, didUpdate: nearbyObjects)
  }
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {}
}

protocol Ranging: AnyObject { var onDistance: ((Float) -> Void)? { get set } }
class RangingService: NSObject, Ranging, NISessionDelegate {
  var onDistance: ((Float) -> Void)?
  private lazy var session: NISession = {
    let s = NISession(); s.delegate = self; return s
  }()
  var token: NIDiscoveryToken? { session.discoveryToken }
  func tokenData() throws -> Data? {
    guard let token else { return nil }
    return try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
  }
  func begin(_ peer: NIDiscoveryToken) {
    let configuration = NINearbyPeerConfiguration(peerToken: peer)
    if NISession.deviceCapabilities.supportsCameraAssistance {
      configuration.isCameraAssistanceEnabled = true
    }
    if peer.deviceCapabilities.supportsExtendedDistanceMeasurement {
      configuration.isExtendedDistanceMeasurementEnabled = true
    }
    session.run(configuration)
  }
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let distance = nearbyObjects.first?.distance else { return }
    onDistance?(distance)
  }
  func session(
    _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
    for object: NINearbyObject?
  ) {
    switch convergence.status {
    case .converged: break
    case .notConverged(let reasons):
      if reasons.contains(.insufficientMovement) { print(reasons.map { $0.localizedDescription ?? "" }) }
      for r in reasons where r == NIAlgorithmConvergenceStatus.Reason.insufficientLighting {
        print(r.rawValue)
      }
    case .unknown: break
    @unknown default: break
    }
  }
  func session(
    _ session: NISession, didGenerateShareableConfigurationData shareableConfigurationData: Data,
    for object: NINearbyObject
  ) {}
  func sessionDidStartRunning(_ session: NISession) {}
}

@Observable final class RangeModel: NSObject {
  var distance: Float?
  var horizontal: Float?
  @ObservationIgnored var session = NISession()
  func place(_ o: NINearbyObject) {
    horizontal = o.horizontalAngle
    switch o.verticalDirectionEstimate {
    case .above: break
    case .below: break
    case .same: break
    case .aboveOrBelow, .unknown: break
    @unknown default: break
    }
  }
}

func archive(_ t: NIDiscoveryToken) -> Data {
  let a = NSKeyedArchiver(requiringSecureCoding: true)
  a.encode(t, forKey: NSKeyedArchiveRootObjectKey)
  a.finishEncoding()
  return a.encodedData
}

struct Envelope: Codable { var name: String; var token: Data }
let decode: (Data) -> NIDiscoveryToken? = { data in
  try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
}
func multi(_ data: Data) -> NIDiscoveryToken? {
  (try? NSKeyedUnarchiver.unarchivedObject(ofClasses: [NIDiscoveryToken.self], from: data))
    as? NIDiscoveryToken
}
@available(*, deprecated) func old(_ data: Data) -> NIDiscoveryToken? {
  (try? NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data)) as? NIDiscoveryToken
}
func copies(_ t: NIDiscoveryToken, _ c: NINearbyPeerConfiguration) {
  _ = t.copy() as? NIDiscoveryToken; _ = c.copy() as? NINearbyPeerConfiguration; _ = c.peerDiscoveryToken
}
class MockSession: NISession, @unchecked Sendable {
  var ran: [NIConfiguration] = []
  override func run(_ configuration: NIConfiguration) { ran.append(configuration) }
  override var discoveryToken: NIDiscoveryToken? { nil }
  override class var deviceCapabilities: any NIDeviceCapability { Fake() }
}
struct Fake: NIDeviceCapability {
  var supportsPreciseDistanceMeasurement: Bool { true }
  var supportsDirectionMeasurement: Bool { true }
  var supportsCameraAssistance: Bool { false }
  var supportsExtendedDistanceMeasurement: Bool { false }
  var supportsDLTDOAMeasurement: Bool { false }
  var supportsBluetoothChannelSounding: Bool { false }
}
extension NINearbyObject { var text: String { distance.map { "\($0)" } ?? "-" } }
// Without a conformance to CustomStringConvertible, which would change what other tests of this process
// print.
extension NINearbyObject.RemovalReason {
  var label: String { self == .timeout ? "timeout" : "ended" }
}
func throwing() throws { throw NIError(.userDidNotAllow) }
func catching() -> Int {
  do { try throwing(); return 0 } catch NIError.userDidNotAllow { return 1 } catch let e as NIError
    where e.code == .sessionFailed
  { return 2 } catch { return 3 }
}
