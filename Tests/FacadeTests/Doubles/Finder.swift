import ARKit
import NearbyInteraction
import NearbyTesting

/// An app that looks for a peer with camera assistance and records its callbacks.
final class Finder: NSObject, NISessionDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let session = NISession()
  private(set) var updates: [NINearbyObject] = []
  private(set) var ofPeer: [NIAlgorithmConvergenceStatus] = []
  private(set) var ofSession: [NIAlgorithmConvergenceStatus] = []
  private(set) var errors: [NIError.Code] = []
  private(set) var isRunning = false

  override init() {
    super.init()
    session.delegate = self
  }

  func find(_ token: NIDiscoveryToken?, camera: Bool = true) {
    guard let token else { return }
    let configuration = NINearbyPeerConfiguration(peerToken: token)
    configuration.isCameraAssistanceEnabled = camera
    session.run(configuration)
  }

  /// The peer's position in the AR world, in metres.
  var place: simd_float3? {
    guard let object = updates.last, let transform = session.worldTransform(for: object) else { return nil }
    return simd_float3(transform.columns.3.x, transform.columns.3.y, transform.columns.3.z)
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) { updates += nearbyObjects }
  func session(_ session: NISession, didInvalidateWith error: any Error) {
    if let code = (error as? NIError)?.code { errors.append(code) }
  }
  func session(
    _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
    for object: NINearbyObject?
  ) {
    if object == nil { ofSession.append(convergence.status) } else { ofPeer.append(convergence.status) }
  }
  func sessionDidStartRunning(_ session: NISession) { isRunning = true }
}

/// A seeker at the origin who faces north, and a target.
struct Search {
  let world: World
  let seeker: Phone
  let target: Phone
  let app: Finder
  let other: Finder

  init(
    seed: UInt64 = 1, target place: SIMD3<Double> = [4, -5, 1], profile: PhoneProfile = PhoneProfile()
  ) {
    world = World(seed: seed)
    seeker = world.addPhone("Seeker", at: [0, 0, 1.4], heading: 0, profile: profile)
    target = world.addPhone("Target", at: place, heading: 180)
    app = seeker.launch { Finder() }
    other = target.launch { Finder() }
  }

  /// Runs both sessions, the seeker's with camera assistance.
  func begin(camera: Bool = true) {
    app.find(other.session.discoveryToken, camera: camera)
    other.find(app.session.discoveryToken, camera: false)
  }

  /// Walks through points, at most three times, until the target has a place.
  func placeFound(on points: [SIMD3<Double>]) -> simd_float3? {
    for _ in 0..<3 {
      seeker.walk(through: points, speed: 0.8)
      if world.advance(until: { app.place != nil }, within: .seconds(15)) { break }
    }
    return app.place
  }

  /// From side to side, then up and down.
  static let sweeping: [SIMD3<Double>] = [
    [1.5, 0.5, 1.4], [2.5, 2, 1.4], [0, 2.5, 1.4], [-1, 1, 1.4], [0, 0, 1.8], [0, 0, 0.6], [0, 0, 1.4],
    // The place must stay the same for 8 m.
    [2, 1, 1.4], [0, 0, 1.4],
  ]

  func sweep() { seeker.walk(through: Self.sweeping, speed: 0.8) }

  /// The target's position in the seeker's AR world, if that began at the origin facing north.
  var truth: simd_float3 {
    let p = target.position - SIMD3(0, 0, 1.4)
    return simd_float3(Float(p.x), Float(p.z), Float(-p.y))
  }
}
