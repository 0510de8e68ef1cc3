import Foundation
import NearbyChipTools
import NearbyDeviceMachine
import NearbyEstimation
import NearbyLive
import NearbyRadioLinks
import Synchronization
import TestSupport
import Testing

/// A source whose frames the test sends.
private final class TestPoses: PoseSource {
  private let take = Mutex<(@Sendable (CameraFrame) -> Void)?>(nil)

  func start(onFrame: @escaping @Sendable (CameraFrame) -> Void) { take.withLock { $0 = onFrame } }
  func close() { take.withLock { $0 = nil } }

  func say(_ x: Double) {
    take.withLock { $0 }?(CameraFrame(time: .zero, pose: DevicePose(positionInWorld: [x, 0, 1])))
  }
}

@Suite("Live driver: camera", .ownThreads)
struct LiveCameraTests {
  private func store(_ answer: Permission) throws -> PermissionStore {
    let file = try RangingFolders.temporary().appendingPathComponent("permissions.json")
    return PermissionStore(file: file, program: "tests", asker: { _ in answer })
  }

  private func driver(
    _ poses: TestPoses, link: (any UCILink)? = nil, answer: Permission = .allowed
  ) throws -> LiveDriver {
    var settings = DeviceSettings()
    settings.capabilities.insert(.cameraAssistance)
    var machine = DeviceMachine(
      settings: settings, hasRadio: link != nil, permission: .allowed, usageDescription: "to test")
    machine.setCamera(isAvailable: true, usageDescription: "to test")
    let driver = LiveDriver(
      machine: machine, link: link, permissions: try store(.allowed), poses: poses,
      cameraPermissions: try store(answer))
    driver.begin()
    return driver
  }

  @Test("Poses reach the camera user once permission is granted, and stop after a pause")
  func poses() async throws {
    let poses = TestPoses()
    let driver = try driver(poses)
    let ear = CameraEar()
    let user = driver.makeUser(ear)
    driver.post(.runCamera(user, wantsFrames: true, resets: false))
    driver.post(.setCameraPermission(.allowed))
    await settled(driver)
    poses.say(3)
    guard case .frame(let frame)? = await ear.next() else {
      Issue.record("no camera frame arrived")
      return
    }
    #expect(frame.pose.positionInWorld.x == 3)
    #expect(driver.frame(of: user)?.pose.positionInWorld.x == 3)
    driver.post(.pauseCamera(user))
    await settled(driver)
    poses.say(4)
    await settled(driver)
    #expect(driver.frame(of: user) == nil)
  }

  @Test("If the user denies the camera, the camera user fails as unauthorized")
  func refused() async throws {
    let driver = try driver(TestPoses(), answer: .denied)
    let ear = CameraEar()
    let user = driver.makeUser(ear)
    driver.post(.runCamera(user, wantsFrames: false, resets: false))
    #expect(await ear.next() == .failed(.unauthorized))
  }

  @Test("Over TCP, a session with camera assistance receives convergence and assisted estimates")
  func session() async throws {
    var configuration = ChipServer.Configuration()
    configuration.port = 0
    let server = ChipServer(configuration) { _ in }
    let port = try server.start()
    defer { server.stop() }
    let poses = [TestPoses(), TestPoses()]
    let devices = try poses.map {
      try driver($0, link: UCILinks.open(.tcp(host: "127.0.0.1", port: port), timeout: .seconds(5)))
    }
    let ears = [Sink(), Sink()]
    let made = zip(devices, ears).map { $0.makeSession($1) }
    let cameraEar = CameraEar()
    let user = devices[0].makeUser(cameraEar)
    devices[0].post(.setCameraPermission(.allowed))
    devices[0].post(.useCamera(made[0].id, user))
    devices[0].post(.runCamera(user, wantsFrames: true, resets: false))
    let assisted = PeerConfiguration(peer: made[1].identity, usesCameraAssistance: true)
    devices[0].post(.run(made[0].id, assisted))
    devices[1].post(.run(made[1].id, PeerConfiguration(peer: made[0].identity)))
    #expect(await ears[0].next { $0 == .startedRunning } != nil)
    await settled(devices[0])
    poses[0].say(0)
    #expect(await cameraEar.next() != nil)
    let convergence = await ears[0].next {
      if case .convergence(_, ofPeer: false) = $0 { true } else { false }
    }
    #expect(
      convergence == .convergence(.insufficientMovement, ofPeer: false),
      "expected insufficient movement, because no pose had arrived yet")
    let update = await ears[0].next {
      if case .assisted(let estimate, _) = $0 { estimate.distance != nil } else { false }
    }
    guard case .assisted(let estimate, _)? = update else {
      Issue.record("no assisted estimate arrived")
      return
    }
    #expect(abs((estimate.distance?.distance ?? 0) - 2) < 0.8)
  }

  /// Waits until the driver has done everything that was requested before.
  private func settled(_ driver: LiveDriver) async {
    await withCheckedContinuation { continuation in driver.later { continuation.resume() } }
  }
}
