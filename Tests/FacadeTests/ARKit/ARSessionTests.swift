import ARKit
import NearbyTesting
import Testing

/// Records a session's callbacks.
private final class Viewer: NSObject, ARSessionDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let session = ARSession()
  private(set) var frames: [ARFrame] = []
  private(set) var history: [String] = []

  override init() {
    super.init()
    session.delegate = self
  }

  func session(_ session: ARSession, didUpdate frame: ARFrame) { frames.append(frame) }
  func session(_ session: ARSession, didAdd anchors: [ARAnchor]) { note("added", anchors) }
  func session(_ session: ARSession, didUpdate anchors: [ARAnchor]) { note("moved", anchors) }
  func session(_ session: ARSession, didRemove anchors: [ARAnchor]) { note("removed", anchors) }
  func session(_ session: ARSession, didFailWithError error: any Error) {
    history.append("failed \((error as? ARError)?.code.rawValue ?? 0)")
  }
  func session(_ session: ARSession, cameraDidChangeTrackingState camera: ARCamera) {
    history.append("\(camera.trackingState)")
  }
  func sessionWasInterrupted(_ session: ARSession) { history.append("interrupted") }
  func sessionInterruptionEnded(_ session: ARSession) { history.append("interruption ended") }

  private func note(_ word: String, _ anchors: [ARAnchor]) {
    history.append("\(word) \(anchors.map { $0.name ?? "?" }.joined(separator: " "))")
  }
}

@Suite("ARSession")
struct ARSessionTests {
  let world = World(seed: 3)
  let phone: Phone
  private let viewer: Viewer

  init() {
    let phone = world.addPhone("Phone", at: [10, 20, 1.5], heading: 90)
    self.phone = phone
    viewer = phone.launch { Viewer() }
  }

  @Test("There are 60 frames per second, from the origin, looking along −z with the x axis down")
  func frames() throws {
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    #expect((58...60).contains(viewer.frames.count))
    let first = try #require(viewer.frames.first)
    let m = first.camera.transform
    #expect(simd_length(m.columns.3 - simd_float4(0, 0, 0, 1)) < 0.02)
    #expect(simd_length(m.columns.2 - simd_float4(0, 0, 1, 0)) < 0.02)
    #expect(simd_length(m.columns.0 - simd_float4(0, -1, 0, 0)) < 0.02)
    #expect(simd_length(m.columns.1 - simd_float4(1, 0, 0, 0)) < 0.02)
    #expect(abs(abs(first.camera.eulerAngles.z) - .pi / 2) < 0.02)
    #expect(first.lightEstimate?.ambientIntensity == 1000)
    #expect(viewer.history == ["limited(ARKit.ARCamera.TrackingState.Reason.initializing)", "normal"])
    #expect(zip(viewer.frames, viewer.frames.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
  }

  @Test("The camera moves with the phone: ahead is −z, up is y, right is x")
  func motion() throws {
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    // Facing east: 2 m ahead, 1 m to the south, 0.5 m up.
    phone.walk(to: [12, 19, 2], speed: 1)
    world.advance(by: .seconds(4))
    let frame = try #require(viewer.session.currentFrame)
    let place = frame.camera.transform.columns.3
    #expect(simd_length(place - simd_float4(1, 0.5, -2, 1)) < 0.1, "\(place)")
    phone.turn(heading: 180)
    world.advance(by: .milliseconds(100))
    let turned = try #require(viewer.session.currentFrame)
    // Now the phone's back points to what was its right.
    let looks = -turned.camera.transform.columns.2
    #expect(simd_length(looks - simd_float4(1, 0, 0, 0)) < 0.05, "\(looks)")
    #expect(abs(turned.camera.eulerAngles.y + .pi / 2) < 0.05)
  }

  @Test("Without a delegate no frames are delivered, but currentFrame is available")
  func currentFrame() throws {
    viewer.session.delegate = nil
    #expect(viewer.session.currentFrame == nil)
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    #expect(viewer.frames.isEmpty)
    #expect(viewer.session.currentFrame != nil)
    viewer.session.delegate = viewer
    world.advance(by: .seconds(1))
    #expect(viewer.frames.count > 50)
    viewer.session.pause()
    world.advance(by: .milliseconds(100))
    let count = viewer.frames.count
    world.advance(by: .seconds(1))
    #expect(viewer.frames.count == count)
    #expect(viewer.session.currentFrame == nil)
  }

  @Test("The background interrupts the session, and afterwards the AR world starts over")
  func background() throws {
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    phone.walk(to: [13, 20, 1.5], speed: 1)
    world.advance(by: .seconds(4))
    phone.suspend()
    world.advance(by: .seconds(2))
    #expect(viewer.history.last == "interrupted")
    let count = viewer.frames.count
    phone.resume()
    world.advance(by: .seconds(1))
    #expect(viewer.history.contains("interruption ended"))
    #expect(viewer.frames.count > count + 50)
    let place = try #require(viewer.frames.last).camera.transform.columns.3
    #expect(simd_length(place - simd_float4(0, 0, 0, 1)) < 0.05)
  }

  @Test("Of two sessions, the one that ran last has the camera")
  func twoSessions() {
    let second = phone.launch { Viewer() }
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    second.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    #expect(viewer.history.last == "interrupted")
    #expect(viewer.session.currentFrame == nil)
    #expect(second.frames.count > 50)
    second.session.pause()
    world.advance(by: .seconds(1))
    #expect(viewer.history.contains("interruption ended"))
    #expect(viewer.session.currentFrame != nil)
  }

  @Test("Lost tracking and darkness limit the tracking state")
  func tracking() {
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    phone.loseTracking()
    world.advance(by: .seconds(1))
    #expect(viewer.frames.last?.camera.trackingState == .limited(.insufficientFeatures))
    phone.regainTracking()
    world.advance(by: .milliseconds(100))
    #expect(viewer.frames.last?.camera.trackingState == .limited(.relocalizing))
    world.advance(by: .seconds(1))
    #expect(viewer.frames.last?.camera.trackingState == .normal)
    phone.setLight(10)
    world.advance(by: .seconds(1))
    #expect(viewer.frames.last?.camera.trackingState == .limited(.insufficientFeatures))
    #expect(viewer.frames.last?.lightEstimate?.ambientIntensity == 10)
  }

  @Test("Without permission, a usage description or a camera the session fails")
  func failures() {
    phone.setCameraAnswer(.deny)
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    #expect(viewer.history == ["failed 103"])
    let other = world.addPhone("Other")
    other.setCameraUsageDescription(nil)
    let second = other.launch { Viewer() }
    second.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    #expect(second.history == ["failed 103"])
    let watch = world.addPhone("Watch", profile: .watch)
    let third = watch.launch { Viewer() }
    third.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .seconds(1))
    #expect(third.history == ["failed 100"])
    #expect(!watch.launch { ARWorldTrackingConfiguration.isSupported })
    #expect(phone.launch { ARWorldTrackingConfiguration.isSupported })
  }

  @Test("Unsupported alignments fail, after run has returned")
  func alignment() {
    let configuration = ARWorldTrackingConfiguration()
    configuration.worldAlignment = .gravityAndHeading
    viewer.session.run(configuration)
    #expect(viewer.history.isEmpty)
    world.advance(by: .seconds(1))
    #expect(viewer.history == ["failed 100"])
    #expect(viewer.frames.isEmpty)
  }

  @Test("Anchors keep their place when the origin moves")
  func anchors() throws {
    viewer.session.run(ARWorldTrackingConfiguration())
    var place = matrix_identity_float4x4
    place.columns.3 = [0, 0, -3, 1]
    let anchor = ARAnchor(name: "door", transform: place)
    viewer.session.add(anchor: anchor)
    viewer.session.add(anchor: anchor)
    #expect(viewer.history.isEmpty)
    world.advance(by: .milliseconds(100))
    var origin = matrix_identity_float4x4
    origin.columns.3 = [0, 0, -1, 1]
    viewer.session.setWorldOrigin(relativeTransform: origin)
    world.advance(by: .milliseconds(100))
    let moved = try #require(viewer.session.currentFrame?.anchors.first)
    #expect(moved.identifier == anchor.identifier)
    #expect(moved.sessionIdentifier == viewer.session.identifier)
    #expect(moved.transform.columns.3 == [0, 0, -2, 1])
    #expect(viewer.frames.last?.camera.transform.columns.3.z ?? 0 > 0.9)
    viewer.session.setWorldOrigin(relativeTransform: simd_float4x4())
    viewer.session.remove(anchor: anchor)
    viewer.session.remove(anchor: anchor)
    world.advance(by: .milliseconds(100))
    #expect(viewer.history.filter { $0.hasSuffix("door") } == ["added door", "moved door", "removed door"])
  }

  @Test("A released session gives the camera back")
  func release() {
    var short: ARSession? = phone.launch { ARSession() }
    short?.run(ARWorldTrackingConfiguration())
    viewer.session.run(ARWorldTrackingConfiguration())
    world.advance(by: .milliseconds(100))
    short?.run(ARWorldTrackingConfiguration())
    world.advance(by: .milliseconds(100))
    #expect(viewer.session.currentFrame == nil)
    short = nil
    world.advance(by: .milliseconds(100))
    #expect(viewer.session.currentFrame != nil)
  }

  @Test("Anchors and maps survive archiving")
  func archiving() throws {
    var place = matrix_identity_float4x4
    place.columns.3 = [1, 2, 3, 1]
    let anchor = ARAnchor(name: "door", transform: place)
    let data = try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: ARAnchor.self, from: data))
    #expect(read.identifier == anchor.identifier)
    #expect(read.name == "door")
    #expect(read.transform == place)
    viewer.session.run(ARWorldTrackingConfiguration())
    viewer.session.add(anchor: anchor)
    var map: ARWorldMap?
    viewer.session.getCurrentWorldMap { found, _ in map = found }
    let mapData = try NSKeyedArchiver.archivedData(
      withRootObject: try #require(map), requiringSecureCoding: true)
    let readMap = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: ARWorldMap.self, from: mapData))
    #expect(readMap.anchors.map(\.name) == ["door"])
  }
}
