import ARKit
import NearbyInteraction
import NearbyTesting
import Testing

final class ThingFinder: NSObject, NISessionDelegate {
  let arSession = ARSession()
  let session = NISession()
  private(set) var place: simd_float4x4?
  private(set) var advice: [String] = []

  func find(_ token: NIDiscoveryToken) {
    session.delegate = self
    session.setARSession(arSession)
    arSession.run(ARWorldTrackingConfiguration())
    let configuration = NINearbyPeerConfiguration(peerToken: token)
    configuration.isCameraAssistanceEnabled = true
    session.run(configuration)
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let object = nearbyObjects.first else { return }
    place = session.worldTransform(for: object)
  }

  func session(
    _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
    for object: NINearbyObject?
  ) {
    guard object != nil else { return }
    if case .notConverged(let reasons) = convergence.status {
      advice = reasons.compactMap(\.localizedDescription)
    } else {
      advice = []
    }
  }
}

func cameraPosition(of session: ARSession) -> simd_float3? {
  guard let camera = session.currentFrame?.camera, camera.trackingState == .normal else { return nil }
  return simd_make_float3(camera.transform.columns.3)
}

func markOrigin(in session: ARSession) {
  session.add(anchor: ARAnchor(name: "origin", transform: matrix_identity_float4x4))
}

@Suite("Camera assistance on Linux")
struct CameraArticle {
  @Test("Sweeps locate an object that lies behind the phone")
  func sweep() throws {
    let world = World(seed: 1)
    let ann = world.addPhone("Seeker", at: [0, 0, 1.4], heading: 0)
    let thing = world.addPhone("Target", at: [4, -5, 1], heading: 180)
    let finder = ann.launch { ThingFinder() }
    let target = thing.launch { Seeker() }
    let token = try #require(target.session.discoveryToken)
    ann.launch { finder.find(token) }
    target.find(try #require(finder.session.discoveryToken))
    world.advance(by: .seconds(2))
    #expect(finder.place == nil && !finder.advice.isEmpty)
    #expect(simd_length(try #require(cameraPosition(of: finder.arSession))) < 0.1)
    markOrigin(in: finder.arSession)
    for _ in 0..<3 where finder.place == nil {
      ann.walk(
        through: [
          [1.5, 0.5, 1.4], [2.5, 2, 1.4], [0, 2.5, 1.4], [-1, 1, 1.4], [0, 0, 1.8], [0, 0, 0.6], [0, 0, 1.4],
          [2, 1, 1.4], [0, 0, 1.4],
        ], speed: 0.8)
      world.advance(until: { finder.place != nil }, within: .seconds(22))
    }
    // The AR world starts at the phone and looks north along −z: 4 m to the right, 5 m behind.
    let place = simd_make_float3(try #require(finder.place).columns.3)
    #expect(simd_length(simd_float2(place.x - 4, place.z - 5)) < 0.6, "\(place)")
  }
}
