import Dispatch
import Foundation
import NearbyDevice
import NearbyInteraction
import NearbyLive
import NearbyRadioLinks
import NearbyScenarios
import NearbyWorld
import Synchronization

/// A served world on a free port, and devices in this process that joined it over TCP.
final class ServedWorld: Sendable {
  let server: WorldServer
  let port: UInt16
  let events = Heard<WorldServer.Event>()

  init(
    _ scenario: Scenario = .empty, port: UInt16 = 0,
    change: (inout WorldServer.Configuration) -> Void = { _ in }
  )
    throws
  {
    var configuration = WorldServer.Configuration()
    configuration.port = port
    change(&configuration)
    let events = events
    server = WorldServer(HostedWorld(scenario, settings: configuration.settings), configuration) {
      events.add($0)
    }
    self.port = try server.start().port
  }

  /// Uses a port below those that the system assigns to outgoing connections. A client that dials before the
  /// server is back could otherwise connect to itself.
  static func onFixedPort() throws -> ServedWorld {
    for _ in 0..<50 {
      if let world = try? ServedWorld(port: .random(in: 20_000...30_000)) { return world }
    }
    return try ServedWorld()
  }

  deinit { server.stop() }

  /// Waits until only `count` connections are left.
  func connectionsFall(to count: Int) async -> Bool {
    for _ in 0..<6000 {
      if server.connectionCount == count { return true }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
      }
    }
    return false
  }

  func join(
    _ name: String, token: String = "", modes: Set<String>? = nil,
    accessorySetup: AccessorySetupSettings? = nil
  )
    throws -> NearbyDevice
  {
    try JoinedWorld.join(
      named: name, host: "127.0.0.1", port: port, token: token, usageDescription: "a test",
      cameraUsageDescription: "a test", backgroundModes: modes, accessorySetup: accessorySetup
    ).device
  }
}

/// A list of received events that a test can wait for.
final class Heard<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiting: [(id: Int, isEnough: @Sendable ([Element]) -> Bool, resume: @Sendable (Bool) -> Void)] = []
    var made = 0
  }
  private let state = Mutex(State())

  var all: [Element] { state.withLock { $0.elements } }

  func add(_ element: Element) {
    let ready = state.withLock { state in
      state.elements.append(element)
      let elements = state.elements
      let ready = state.waiting.filter { $0.isEnough(elements) }
      state.waiting.removeAll { entry in ready.contains { $0.id == entry.id } }
      return ready
    }
    for entry in ready { entry.resume(true) }
  }

  /// Waits until the events satisfy a condition, for at most a minute.
  func wait(_ isEnough: @escaping @Sendable ([Element]) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      let (id, isDone) = state.withLock { state -> (Int, Bool) in
        state.made += 1
        if isEnough(state.elements) { return (state.made, true) }
        state.waiting.append((state.made, isEnough, { continuation.resume(returning: $0) }))
        return (state.made, false)
      }
      if isDone { return continuation.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [self] in
        let entry = state.withLock { state in
          let entry = state.waiting.first { $0.id == id }
          state.waiting.removeAll { $0.id == id }
          return entry
        }
        entry?.resume(false)
      }
    }
  }
}

/// An app that ranges with one peer and records its callbacks.
final class RangingApp: NSObject, NISessionDelegate, @unchecked Sendable {
  // `session` is used only on the test's task; the recorded callbacks are behind a lock.
  enum Told: Sendable, Equatable {
    case distance(Float)
    case removed(NINearbyObject.RemovalReason)
    case suspended, suspensionEnded, invalidated
  }

  let session: NISession
  let told = Heard<Told>()

  init(on device: NearbyDevice) {
    session = NearbyDevice.$current.withValue(device) { NISession() }
    super.init()
    session.delegateQueue = DispatchQueue(label: "app")
    session.delegate = self
  }

  func range(with other: RangingApp) throws {
    guard let token = other.session.discoveryToken else { return }
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    for case let distance? in nearbyObjects.map(\.distance) { told.add(.distance(distance)) }
  }

  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    told.add(.removed(reason))
    // On a loaded machine the other side may be silent for a long time.
    if reason == .timeout, let configuration = session.configuration { session.run(configuration) }
  }

  func sessionWasSuspended(_ session: NISession) { told.add(.suspended) }
  func sessionSuspensionEnded(_ session: NISession) {
    told.add(.suspensionEnded)
    if let configuration = session.configuration { session.run(configuration) }
  }
  func session(_ session: NISession, didInvalidateWith error: any Error) { told.add(.invalidated) }

  /// Waits for a distance near `metres` after the first `count` callbacks.
  func hearsDistance(_ metres: Float, after count: Int = 0) async -> Bool {
    await told.wait { told in
      told.dropFirst(count).contains {
        if case .distance(let it) = $0 { abs(it - metres) < 0.4 } else { false }
      }
    }
  }
}
