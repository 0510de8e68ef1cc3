import Dispatch
import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting

@testable import Cerca

/// A phone with Cerca, whose app can end and restart.
final class CercaPhone: @unchecked Sendable {
  // Used on the one thread that advances the world's time, and on the main queue while that thread waits.
  let world: World
  let phone: Phone
  private(set) var app: NearbyViewModel?
  private(set) var history: [String] = []
  /// Measurements of all runs of the app.
  var updates: Int { earlierUpdates + (app?.updates ?? 0) }
  private var earlierUpdates = 0
  private var archivedPeer: Data?

  init(world: World, phone: Phone) {
    self.world = world
    self.phone = phone
  }

  /// Starts the app, as the same peer as before if it has stored that.
  func launch(keepsPeer: Bool = true) {
    if app != nil { return }
    let (world, phone) = (world, phone)
    phone.launch {
      let kept = keepsPeer ? archivedPeer : nil
      let peer =
        kept.flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: $0) }
        ?? MCPeerID(displayName: phone.name)
      archivedPeer = try? NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
      let app = NearbyViewModel(
        peer: peer,
        later: { delay, body in
          world.at(world.now + delay, as: phone) { DispatchQueue.main.async(execute: body) }
        },
        onChange: { [weak self] in self?.note($0) })
      self.app = app
      app.start()
    }
  }

  /// Ends the app's process without a goodbye.
  func kill() {
    guard let app else { return }
    earlierUpdates += app.updates
    phone.relaunch()
    self.app = nil
    note("killed")
  }

  /// The user leaves the app's screen, or returns to it.
  func stop() { app?.stop() }
  func start() { phone.launch { app?.start() } }

  private func note(_ state: CercaState) {
    switch state {
    // Measurements are recorded once, not each.
    case .near(let sighting):
      if history.last?.hasSuffix("near \(sighting.peer)") != true { note("near \(sighting.peer)") }
    case .unsupported, .searching, .meeting, .lost, .suspended, .refused, .noNetwork, .failed:
      note("\(state)")
    }
  }

  private func note(_ text: String) {
    history.append("\(Int(world.now / .milliseconds(1))) \(text)")
  }

  var sighting: Sighting? {
    guard case .near(let sighting) = app?.state else { return nil }
    return sighting
  }
}

/// Two phones with Cerca, 2 m apart, that point at each other.
struct CercaPair {
  let world: World
  let ann: CercaPhone
  let ben: CercaPhone
  var both: [CercaPhone] { [ann, ben] }

  init(seed: UInt64) {
    let world = World(seed: seed)
    self.world = world
    ann = CercaPhone(world: world, phone: world.addPhone("Ann", at: [0, 0, 1.2], heading: 0))
    ben = CercaPhone(world: world, phone: world.addPhone("Ben", at: [0, 2, 1.2], heading: 180))
  }

  func launch() { both.forEach { $0.launch() } }

  /// Advances time until both range.
  func meet(within limit: Duration = .seconds(15)) -> Bool {
    world.advance(until: { both.allSatisfy { $0.sighting != nil } }, within: limit)
  }
}
