import CoreLocation
import DragonRadar
import NearbyTesting
import Testing

@Suite("Treasure hunt")
struct TreasureHuntTests {
  @Test(
    "A scripted walker finds all treasures in order, and the radar gets brighter near each",
    arguments: 1...10)
  func hunt(seed: UInt64) {
    final class Log: @unchecked Sendable { var states: [RadarState] = [] }
    let log = Log()
    let field = TreasureField(seed: seed) { log.states.append($0) }
    var seconds = 0
    var found = 0
    while field.radar.state.phase != .finished, seconds < 180 {
      field.advanceScript(by: .seconds(1))
      seconds += 1
      if field.radar.state.found.count > found {
        let way = field.phone.position - TreasureField.places[found]
        #expect((way * way).sum() < 6.25, "seed \(seed): found from too far away")
        found = field.radar.state.found.count
      }
    }
    #expect(field.radar.state.found == Treasure.all, "seed \(seed), after \(seconds) s")
    let first = log.states.filter { $0.phase == .hunting(Treasure.all[0]) && $0.distance != nil }
    let (early, late) = (first.prefix(3).map(\.brightness), first.suffix(3).map(\.brightness))
    #expect((early.max() ?? 1) < (late.min() ?? 0), "seed \(seed): \(first.map(\.brightness))")
    #expect(log.states.allSatisfy { (0...1).contains($0.brightness) && (1...4).contains($0.sweepsPerSecond) })
    // About one update per second.
    #expect(abs(log.states.count - seconds) < 6, "seed \(seed): \(log.states.count) in \(seconds) s")
  }

  @Test("Without location permission the hunt stops")
  func refused() {
    let world = World(seed: 1, drainsMainQueue: false)
    let phone = world.addPhone("Seeker")
    phone.setLocationAnswer(.deny)
    let radar = phone.launch { DragonRadar() }
    world.advance(by: .seconds(2))
    #expect(radar.state.phase == .stopped("The radar isn't allowed to use your location."))
  }

  @Test("The hunt stops while Bluetooth is off and continues when it is on again")
  func bluetoothOff() {
    let field = TreasureField(seed: 1)
    field.phone.switchBluetoothOff()
    field.advanceScript(by: .seconds(3))
    guard case .stopped = field.radar.state.phase else {
      Issue.record("\(field.radar.state)")
      return
    }
    field.phone.switchBluetoothOn()
    field.advanceScript(by: .seconds(3))
    #expect(field.radar.state.phase == .hunting(Treasure.all[0]))
  }
}

@Suite("Monitoring regions with packet loss")
struct RegionLossTests {
  private final class Watcher: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    // Used on the one thread that advances the world's time.
    let manager = CLLocationManager()
    let now: () -> Duration
    private(set) var events: [(time: Duration, isEntry: Bool)] = []

    init(now: @escaping () -> Duration) {
      self.now = now
      super.init()
      manager.delegate = self
      manager.requestWhenInUseAuthorization()
      manager.startMonitoring(for: CLBeaconRegion(uuid: Treasure.uuid, identifier: "treasures"))
    }
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
      events.append((now(), true))
    }
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
      events.append((now(), false))
    }
  }

  @Test("In an hour with 20 % packet loss and people passing, no false exit is reported", arguments: 1...3)
  func noFalseExit(seed: UInt64) {
    let world = World(seed: seed, drainsMainQueue: false)
    let phone = world.addPhone("Ann", at: [0, 0, 1.2])
    let beacon = world.addBeacon(
      "Chest", at: [0, 6, 1.2], uuid: Treasure.uuid, major: 1, minor: 1, interval: .milliseconds(500))
    beacon.losePackets(0.2)
    let passer = world.addPhone("Ben", at: [-3, 3, 1.2])
    passer.walk(
      through: (0..<500).flatMap { _ in [SIMD3(3, 3, 1.2), SIMD3(-3, 3, 1.2)] }, speed: 1.2)
    let watcher = phone.launch { Watcher(now: { world.now }) }
    world.advance(by: .seconds(3600))
    #expect(watcher.events.map(\.isEntry) == [true], "seed \(seed)")
  }

  @Test(
    "Each time the beacon stops and returns there is one exit and one entry, the entry within 1.5 s",
    arguments: 1...3)
  func comesAndGoes(seed: UInt64) {
    let world = World(seed: seed, drainsMainQueue: false)
    let phone = world.addPhone("Ann", at: [0, 0, 1.2])
    let beacon = world.addBeacon("Chest", at: [0, 6, 1.2], uuid: Treasure.uuid, major: 1, minor: 1)
    beacon.losePackets(0.2)
    let watcher = phone.launch { Watcher(now: { world.now }) }
    world.advance(by: .seconds(10))
    for round in 1...5 {
      beacon.switchOff()
      world.advance(by: .seconds(60))
      #expect(watcher.events.count == 2 * round, "seed \(seed)")
      let back = world.now
      beacon.switchOn()
      world.advance(by: .seconds(10))
      #expect(watcher.events.count == 2 * round + 1, "seed \(seed)")
      #expect((watcher.events.last?.time ?? .zero) - back <= .milliseconds(1500), "seed \(seed)")
    }
  }
}
