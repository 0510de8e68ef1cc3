import Foundation
import NearbyInteraction
import NearbyTesting
import Synchronization
import simd

/// An app that records its callbacks and their times in one list for the whole world.
final class Chronicler: NSObject, NISessionDelegate, @unchecked Sendable {
  // The session is replaced only on the thread that advances time; the list has its own lock.
  private(set) var session: NISession
  private let name: String
  private let world: World
  private let history: RunHistory

  /// To be called as code of a phone.
  init(name: String, world: World, history: RunHistory, queue: DispatchQueue) {
    self.name = name
    self.world = world
    self.history = history
    session = NISession()
    super.init()
    session.delegate = self
    session.delegateQueue = queue
  }

  func run(_ other: Chronicler) {
    guard let token = other.session.discoveryToken else { return }
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }

  func runAgain() {
    if let configuration = session.configuration { session.run(configuration) }
  }

  private func note(_ text: String) { history.append(name: name, at: world.now, text) }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    for object in nearbyObjects {
      let distance = object.distance.map { String(format: "%.3f", $0) } ?? "–"
      let direction = object.direction.map {
        String(format: "%.3f %.3f %.3f", $0.x, $0.y, $0.z)
      }
      note("\(distance) \(direction ?? "–")")
    }
  }
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
    reason: NINearbyObject.RemovalReason
  ) { note("removed \(reason)") }
  func sessionWasSuspended(_ session: NISession) { note("suspended") }
  func sessionSuspensionEnded(_ session: NISession) { note("suspensionEnded") }
  func session(_ session: NISession, didInvalidateWith error: any Error) {
    note("invalidated \((error as? NIError).map { "\($0.code)" } ?? "\(error)")")
  }
  func sessionDidStartRunning(_ session: NISession) { note("running") }
}

/// The callbacks of all apps of a world, in order.
final class RunHistory: Sendable {
  private let entries = Mutex<[(name: String, line: String)]>([])

  func append(name: String, at time: Duration, _ text: String) {
    let microseconds = Int(time / .microseconds(1))
    entries.withLock { $0.append((name, "\(microseconds) \(name) \(text)")) }
  }

  /// Every line in order: microseconds of virtual time, app, event.
  var lines: [String] { entries.withLock { $0.map(\.line) } }

  func lines(of name: String) -> [String] {
    entries.withLock { $0.filter { $0.name == name }.map(\.line) }
  }
}
