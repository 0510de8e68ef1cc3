import ARKit
import NearbyInteraction
import NearbyTesting
import Testing

/// Gives the answer that the test sets.
private final class Watcher: NSObject, ARSessionDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  var wantsRelocalization = false
  func sessionShouldAttemptRelocalization(_ session: ARSession) -> Bool { wantsRelocalization }
}

@Suite("An app's AR session with camera assistance")
struct ARSessionRulesTests {
  @Test("A valid AR session is used, and positions are in its world")
  func shared() throws {
    let search = Search(seed: 2)
    let ar = search.seeker.launch { ARSession() }
    ar.run(ARWorldTrackingConfiguration())
    search.app.session.setARSession(ar)
    search.begin()
    search.world.advance(by: .seconds(2))
    search.sweep()
    search.world.advance(by: .seconds(22))
    #expect(search.app.errors.isEmpty)
    let object = try #require(search.app.updates.last)
    let before = try #require(search.app.session.worldTransform(for: object))
    var shift = matrix_identity_float4x4
    shift.columns.3 = [1, 2, 3, 1]
    ar.setWorldOrigin(relativeTransform: shift)
    let after = try #require(search.app.session.worldTransform(for: object))
    let moved = before.columns.3 - after.columns.3
    #expect(simd_length(moved - simd_float4(1, 2, 3, 0)) < 1e-4)
    #expect(search.app.session.worldTransform(for: try #require(search.other.updates.last)) == nil)
  }

  @Test(
    "An AR session that breaks any rule ends the session with invalidARConfiguration",
    arguments: ["collaboration", "face", "map", "heading", "camera", "relocalization"])
  func brokenRule(rule: String) throws {
    for runsFirst in [true, false] {
      let search = Search()
      let ar = search.seeker.launch { ARSession() }
      let watcher = Watcher()
      ar.delegate = watcher
      let configuration = ARWorldTrackingConfiguration()
      switch rule {
      case "collaboration": configuration.isCollaborationEnabled = true
      case "face": configuration.userFaceTrackingEnabled = true
      case "map":
        var map: ARWorldMap?
        ar.run(configuration)
        ar.getCurrentWorldMap { found, _ in map = found }
        ar.pause()
        #expect(map != nil)
        configuration.initialWorldMap = map
      case "heading": configuration.worldAlignment = .gravityAndHeading
      case "camera": configuration.worldAlignment = .camera
      default: watcher.wantsRelocalization = true
      }
      if runsFirst { ar.run(configuration) }
      search.app.session.setARSession(ar)
      search.begin()
      if !runsFirst {
        search.world.advance(by: .milliseconds(500))
        ar.run(configuration)
      }
      search.world.advance(by: .seconds(1))
      #expect(search.app.errors == [.invalidARConfiguration], "\(rule), run first: \(runsFirst)")
    }
  }

  @Test("An AR session that is set too late, or without camera assistance, ends the session")
  func misplaced() {
    let late = Search()
    late.begin()
    late.world.advance(by: .seconds(1))
    late.app.session.setARSession(late.seeker.launch { ARSession() })
    late.world.advance(by: .seconds(1))
    #expect(late.app.errors == [.invalidARConfiguration])

    let off = Search()
    off.app.session.setARSession(off.seeker.launch { ARSession() })
    off.begin(camera: false)
    off.world.advance(by: .seconds(1))
    #expect(off.app.errors == [.invalidARConfiguration])

    let watch = Search(profile: .watch)
    watch.app.session.setARSession(watch.seeker.launch { ARSession() })
    watch.world.advance(by: .seconds(1))
    #expect(watch.app.errors == [.invalidARConfiguration])
  }

  @Test("A device without a tracking camera refuses camera assistance")
  func unsupported() {
    let search = Search(profile: .watch)
    search.begin()
    search.world.advance(by: .seconds(1))
    #expect(search.app.errors == [.invalidARConfiguration])
    let supports = search.seeker.launch { NISession.deviceCapabilities.supportsCameraAssistance }
    #expect(!supports)
    #expect(Search().seeker.launch { NISession.deviceCapabilities.supportsCameraAssistance })
  }

  @Test("Denied camera access ends the session; access that is granted later does not")
  func permission() {
    let denied = Search()
    denied.seeker.setCameraAnswer(.deny)
    denied.begin()
    denied.world.advance(by: .seconds(1))
    #expect(denied.app.errors == [.userDidNotAllow])

    let silent = Search()
    silent.seeker.setCameraUsageDescription(nil)
    silent.begin()
    silent.world.advance(by: .seconds(1))
    #expect(silent.app.errors == [.userDidNotAllow])

    let open = Search()
    open.seeker.setCameraAnswer(nil)
    open.begin()
    open.world.advance(by: .seconds(3))
    #expect(open.app.errors.isEmpty)
    #expect(open.app.updates.count > 5)
    #expect(open.app.ofSession == [.notConverged([.insufficientMovement])])
    open.seeker.answerCamera(.allow)
    open.world.advance(by: .seconds(3))
    #expect(open.app.ofSession.last == .converged)
    open.seeker.changeCameraPermission(to: .deny)
    open.world.advance(by: .seconds(1))
    #expect(open.app.errors == [.userDidNotAllow])
  }

  @Test("The session's own use of the camera stops with it")
  func ownSession() {
    let search = Search()
    search.begin()
    search.world.advance(by: .seconds(2))
    #expect(search.app.ofSession.last == .converged)
    search.app.session.pause()
    search.world.advance(by: .seconds(1))
    let watcher = search.seeker.launch { ARSession() }
    #expect(watcher.currentFrame == nil)
    search.begin()
    search.world.advance(by: .seconds(2))
    #expect(search.app.errors.isEmpty)
    #expect(search.app.ofSession.last == .converged)
  }

  @Test("An AR session that is not shared takes the camera from the NISession")
  func notShared() {
    let search = Search()
    search.begin()
    search.world.advance(by: .seconds(2))
    #expect(search.app.ofSession.last == .converged)
    let own = search.seeker.launch { ARSession() }
    own.run(ARWorldTrackingConfiguration())
    search.world.advance(by: .seconds(1))
    #expect(search.app.ofSession.last == .notConverged([.insufficientMovement]))
    own.pause()
    search.world.advance(by: .seconds(2))
    #expect(search.app.ofSession.last == .converged)
    #expect(search.app.errors.isEmpty)
  }

  @Test("Extended distance needs support on both devices")
  func extendedDistance() {
    func run(_ seeker: PhoneProfile, _ target: PhoneProfile) -> [NIError.Code] {
      let world = World()
      let apps = [("A", seeker), ("B", target)].map { name, profile in
        world.addPhone(name, at: [name == "A" ? 0 : 3, 0, 1], profile: profile).launch { Finder() }
      }
      guard let token = apps[1].session.discoveryToken else { return [] }
      let configuration = NINearbyPeerConfiguration(peerToken: token)
      configuration.isExtendedDistanceMeasurementEnabled = true
      apps[0].session.run(configuration)
      world.advance(by: .seconds(1))
      return apps[0].errors
    }
    var second = PhoneProfile()
    second.supportsExtendedDistance = true
    #expect(run(second, second) == [])
    #expect(run(second, PhoneProfile()) == [.incompatiblePeerDevice])
    #expect(run(PhoneProfile(), second) == [.unsupportedPlatform])
  }
}
