import Dispatch
import NearbyTesting
import Synchronization
import Testing

@testable import Cerca
@testable import CercaPeers
@testable import NearbyPeers

/// A phone with one of the two Cerca apps, and the screens that it has shown.
private final class CercaScreens: Sendable {
  let phone: Phone
  private let isOnPeers: Bool
  private let world: World
  private let shown = Mutex<[[String]]>([])
  private let app = Mutex<App?>(nil)

  private enum App: Sendable {
    case byHand(NearbyViewModel)
    case onPeers(CercaPeers)
  }

  init(_ world: World, _ name: String, at place: SIMD3<Double>, heading: Double, isOnPeers: Bool) {
    self.world = world
    self.isOnPeers = isOnPeers
    phone = world.addPhone(name, at: place, heading: heading)
  }

  func launch() {
    let (world, phone) = (world, phone)
    let peer = phone.launch { MCPeerID(displayName: phone.name) }
    let made: App = phone.launch {
      if isOnPeers { return .onPeers(CercaPeers(peer: peer) { [weak self] in self?.show($0) }) }
      let model = NearbyViewModel(
        peer: peer,
        later: { delay, body in
          world.at(world.now + delay, as: phone) { DispatchQueue.main.async(execute: body) }
        },
        onChange: { [weak self] in self?.show(CercaView.lines($0)) })
      model.start()
      return .byHand(model)
    }
    app.withLock { $0 = made }
  }

  func kill() {
    phone.relaunch()
    app.withLock { $0 = nil }
  }

  /// Records a screen. Screens with measurements count as equal.
  private func show(_ lines: [String]) {
    let isMeasured = lines.count == 3
    shown.withLock { shown in
      let screen = isMeasured ? [lines[0], "measured"] : lines
      if shown.last != screen { shown.append(screen) }
    }
    if isMeasured { measured.withLock { $0 = lines } }
  }

  private let measured = Mutex<[String]>([])
  var screens: [[String]] { shown.withLock { $0 } }
  var isMeasuring: Bool { screens.last?.last == "measured" }
  var lastMeasurement: [String] { measured.withLock { $0 } }
}

@Suite("Cerca on PeerFinder compared with the original Cerca")
struct CercaOnPeersTests {
  private static let story: [String] = ["range", "network", "background", "kill"]

  /// Two phones that meet, and an event on the second; returns the screens of the first.
  private func screens(isOnPeers: Bool, _ story: String) -> [[String]] {
    let world = World(seed: 71)
    let ann = CercaScreens(world, "Ann", at: [0, 0, 1.2], heading: 0, isOnPeers: isOnPeers)
    let ben = CercaScreens(world, "Ben", at: [0, 2, 1.2], heading: 180, isOnPeers: isOnPeers)
    ann.launch()
    ben.launch()
    #expect(world.advance(until: { ann.isMeasuring && ben.isMeasuring }, within: .seconds(20)))
    switch story {
    case "range":
      ben.phone.leaveRange()
      world.advance(by: .seconds(25))
      ben.phone.place(at: [0, 2, 1.2])
    case "network":
      ben.phone.leaveNetwork()
      ben.phone.leaveRange()
      world.advance(by: .seconds(60))
      ben.phone.place(at: [0, 2, 1.2])
    case "background":
      ann.phone.suspend()
      world.advance(by: .seconds(2))
      ann.phone.resume()
    default:
      ben.kill()
      world.advance(by: .seconds(40))
      ben.launch()
    }
    #expect(world.advance(until: { ann.isMeasuring }, within: .seconds(90)), "\(story) \(ann.screens)")
    return ann.screens
  }

  @Test("Both versions show the same screens in the same order", arguments: story)
  func sameScreens(story: String) {
    #expect(screens(isOnPeers: true, story) == screens(isOnPeers: false, story))
  }

  @Test("The two versions connect to each other and both range")
  func mixed() {
    let world = World(seed: 72)
    let ann = CercaScreens(world, "Ann", at: [0, 0, 1.2], heading: 0, isOnPeers: true)
    let ben = CercaScreens(world, "Ben", at: [0, 2, 1.2], heading: 180, isOnPeers: false)
    ann.launch()
    ben.launch()
    #expect(world.advance(until: { ann.isMeasuring && ben.isMeasuring }, within: .seconds(20)))
    world.advance(by: .seconds(2))
    #expect(ann.lastMeasurement.last == "straight ahead")
    #expect(ben.lastMeasurement.last == "straight ahead")
    #expect(ann.lastMeasurement.first == "Ben")
    #expect(ben.lastMeasurement.first == "Ann")
  }

  @Test("Each state has the same lines in both versions")
  func lines() {
    let id = MCPeerID(displayName: "Ben")
    func peer(_ state: NearbyPeer.State) -> NearbyPeer {
      var peer = NearbyPeer(id)
      peer.state = state
      return peer
    }
    let error = NIError(.sessionFailed)
    let cases: [(CercaState, NearbyPeer?, PeerFinder.Status)] = [
      (.unsupported, nil, .unsupported), (.searching, nil, .searching), (.refused, nil, .refused),
      (.suspended, peer(.lost), .suspended), (.noNetwork, nil, .noNetwork),
      (.meeting(peer: "Ben"), peer(.meeting), .searching), (.lost(peer: "Ben"), peer(.lost), .searching),
      (.failed(reason: error.localizedDescription), peer(.failed(error)), .searching),
    ]
    for (state, peer, status) in cases {
      #expect(CercaScreen(peer: peer, status: status).lines == CercaView.lines(state))
    }
    let directions: [SIMD3<Float>?] = [
      nil, [0, 0, -1], [0.8, 0, -0.6], [-0.6, 0.6, 0.529], [0, 0, 1], [0.6, -0.6, 0.529], [-1, 0, 0],
    ]
    for direction in directions {
      for distance in [nil, 0.1, 0.29, 0.3, 2.004, 12.3] as [Float?] {
        var near = peer(.ranging)
        near.distance = distance
        near.direction = direction
        let sighting = Sighting(peer: "Ben", distance: distance, direction: direction)
        #expect(CercaScreen(peer: near, status: .searching).lines == CercaView.lines(.near(sighting)))
      }
    }
  }
}
