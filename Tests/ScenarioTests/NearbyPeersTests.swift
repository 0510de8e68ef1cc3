import CercaPeers
import Dispatch
import NearbyPeers
import NearbyTesting
import Synchronization
import Testing

private final class Lines: Sendable {
  let all = Mutex<[String]>([])
}

/// The screens of each phone.
private final class Screens: Sendable {
  private let all = Mutex<[String: [String]]>([:])
  subscript(name: String) -> [String] {
    get { all.withLock { $0[name] ?? [] } }
    set { all.withLock { $0[name] = newValue } }
  }
}

/// A phone with a `PeerFinder`.
private final class Seat: Sendable {
  let phone: Phone
  private let running: Mutex<PeerFinder?>
  private let lines = Lines()

  init(_ world: World, _ name: String, at place: SIMD3<Double>, heading: Double = 0, limit: Int = 7) {
    let phone = world.addPhone(name, at: place, heading: heading)
    self.phone = phone
    running = Mutex(nil)
    launch(limit: limit)
  }

  func launch(limit: Int = 7) {
    let made = phone.launch {
      var settings = PeerFinder.Settings(serviceType: "seats")
      settings.maximumPeers = limit
      let made = PeerFinder(peer: MCPeerID(displayName: phone.name), settings: settings)
      made.onChange { [lines] peers, status in
        let line = "\(status) " + peers.map { "\($0.name) \($0.state)" }.joined(separator: ", ")
        lines.all.withLock { if $0.last != line { $0.append(line) } }
      }
      made.start()
      return made
    }
    running.withLock { $0 = made }
  }

  func kill() {
    phone.relaunch()
    running.withLock { $0 = nil }
  }

  var nearby: PeerFinder? { running.withLock { $0 } }
  var history: [String] { lines.all.withLock { $0 } }
  var ranged: [String: Float] {
    let peers = nearby?.currentPeers.filter { $0.state == .ranging } ?? []
    return Dictionary(peers.map { ($0.name, $0.distance ?? -1) }) { first, _ in first }
  }
}

@Suite("PeerFinder")
struct NearbyPeersTests {
  private let world = World(seed: 31, drainsMainQueue: false)

  @Test("Two phones find each other and measure distance, azimuth and elevation")
  func two() throws {
    let ann = Seat(world, "Ann", at: [0, 0, 1.2])
    let ben = Seat(world, "Ben", at: [0.5, 3, 1.2], heading: 180)
    #expect(world.advance(until: { ann.ranged.count == 1 && ben.ranged.count == 1 }, within: .seconds(10)))
    world.advance(by: .seconds(2))
    let peer = try #require(ann.nearby?.currentPeers.first)
    #expect(peer.name == "Ben")
    #expect(abs((peer.distance ?? 0) - 3.04) < 0.3)
    #expect(abs((peer.azimuth ?? 9) - 0.165) < 0.1)
    #expect(abs(peer.elevation ?? 9) < 0.2)
    #expect(peer.isPointedAt())
    #expect(ann.history == ["searching Ben meeting", "searching Ben ranging"])
  }

  @Test("Four phones all range with each other")
  func four() {
    let places: [(String, SIMD3<Double>)] = [
      ("Ann", [0, 0, 1.2]), ("Ben", [3, 0, 1.2]), ("Cid", [0, 4, 1.2]), ("Dee", [3, 4, 1.2]),
    ]
    let seats = places.map { Seat(world, $0.0, at: $0.1) }
    #expect(world.advance(until: { seats.allSatisfy { $0.ranged.count == 3 } }, within: .seconds(30)))
    world.advance(by: .seconds(3))
    #expect(abs((seats[0].ranged["Dee"] ?? 0) - 5) < 0.4)
    #expect(abs((seats[1].ranged["Cid"] ?? 0) - 5) < 0.4)
  }

  @Test("A phone whose app is killed is lost, and ranges again after a restart")
  func killed() {
    let ann = Seat(world, "Ann", at: [0, 0, 1.2])
    let ben = Seat(world, "Ben", at: [0, 3, 1.2], heading: 180)
    #expect(world.advance(until: { ann.ranged.count == 1 }, within: .seconds(10)))
    ben.kill()
    world.advance(by: .seconds(20))
    #expect(ann.ranged.isEmpty)
    ben.launch()
    #expect(
      world.advance(until: { ann.ranged["Ben"] != nil && ben.ranged["Ann"] != nil }, within: .seconds(60)))
  }

  @Test("Losing the network does not end ranging; the background suspends it")
  func interruptions() {
    let ann = Seat(world, "Ann", at: [0, 0, 1.2])
    let ben = Seat(world, "Ben", at: [0, 3, 1.2], heading: 180)
    let both = { !ann.ranged.isEmpty && !ben.ranged.isEmpty }
    #expect(world.advance(until: both, within: .seconds(10)))
    ben.phone.leaveNetwork()
    world.advance(by: .seconds(30))
    #expect(both())
    ben.phone.joinNetwork()
    ann.phone.suspend()
    world.advance(by: .seconds(2))
    #expect(ann.nearby?.status == .suspended)
    ann.phone.resume()
    #expect(world.advance(until: both, within: .seconds(60)))
    #expect(ann.nearby?.status == .searching)
  }

  @Test("A peer that stops is removed by the other, and its own list becomes empty")
  func leaving() async {
    let ann = Seat(world, "Ann", at: [0, 0, 1.2])
    let ben = Seat(world, "Ben", at: [0, 3, 1.2], heading: 180)
    #expect(world.advance(until: { !ann.ranged.isEmpty }, within: .seconds(10)))
    let lists = ben.nearby?.peers
    ben.nearby?.stop()
    await world.advance(by: .seconds(5))
    #expect(ann.ranged.isEmpty)
    var last: [NearbyPeer]?
    if let lists { for await list in lists { last = list } }
    #expect(last == [])
    #expect(ben.nearby?.status == .stopped)
  }

  @Test("A denied permission ends the search; NearbyPermission shows it without a session")
  func refused() {
    let ann = world.addPhone("Ann", at: [0, 0, 1.2])
    #expect(ann.launch { NearbyPermission.current } == .notDetermined)
    ann.setAnswer(.deny)
    let nearby = ann.launch {
      let nearby = PeerFinder(named: "Ann", serviceType: "seats")
      nearby.start()
      return nearby
    }
    let ben = Seat(world, "Ben", at: [0, 3, 1.2], heading: 180)
    #expect(world.advance(until: { nearby.status == .refused }, within: .seconds(10)))
    #expect(nearby.currentPeers.isEmpty)
    #expect(ann.launch { NearbyPermission.current } == .denied)
    world.advance(by: .seconds(10))
    #expect(ben.ranged.isEmpty)
    ann.changePermission(to: .allow)
    world.advance(by: .seconds(1))
    #expect(ann.launch { NearbyPermission.current } == .allowed)
  }

  @Test("With a limit of one peer, a third phone stays alone until another one leaves")
  func limit() {
    let seats = ["Ann", "Ben", "Cid"].enumerated().map { index, name in
      Seat(world, name, at: [Double(index), Double(index * 2), 1.2], limit: 1)
    }
    world.advance(by: .seconds(20))
    #expect(seats.count { $0.ranged.count == 1 } == 2)
    let pair = seats.filter { $0.ranged.count == 1 }
    pair.first?.nearby?.stop()
    let rest = seats.filter { $0.nearby?.status != .stopped }
    #expect(world.advance(until: { rest.allSatisfy { $0.ranged.count == 1 } }, within: .seconds(90)))
  }

  @Test("Cerca on PeerFinder shows the other phone's direction, and its loss")
  func cerca() {
    let screens = Screens()
    let phones = [
      world.addPhone("Ann", at: [0, 0, 1.2], heading: 0),
      world.addPhone("Ben", at: [0, 2, 1.2], heading: 180),
    ]
    let apps = phones.map { phone in
      phone.launch {
        CercaPeers(peer: MCPeerID(displayName: phone.name)) { lines in
          screens[phone.name] = lines
        }
      }
    }
    #expect(
      world.advance(until: { screens["Ann"].last == "straight ahead" }, within: .seconds(15))
    )
    #expect(screens["Ann"].first == "Ben")
    phones[1].leaveRange()
    world.advance(by: .seconds(15))
    #expect(screens["Ann"].first == "Ben is lost.")
    withExtendedLifetime(apps) {}
  }
}
