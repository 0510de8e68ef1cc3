import AccessoryApp
import NearbyInteraction
import NearbyTesting
import SmartSpeaker
import TestSupport

/// A phone with the app, and a door with the accessory. Used by the one thread that moves the world's time.
final class Entrance: @unchecked Sendable {
  let world: World
  let phone: Phone
  let door: Phone
  let opener: DoorOpener
  let app: AccessoryApp
  private(set) var connected: Duration?
  private(set) var firstDistance: Duration?
  /// When the last distance came.
  private(set) var lastDistance: Duration?

  init(seed: UInt64, distance: Double = 4) {
    world = World(seed: seed)
    phone = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    door = world.addAccessory("Door", at: [0, distance, 1.2])
    opener = door.launch { DoorOpener() }
    let channel = phone.launch { AccessoryChannel() }
    app = phone.launch { AccessoryApp(channel) }
    channel.onConnect = { [weak self] in
      if let self, connected == nil { connected = world.now }
    }
    app.onChange = { [weak self] in self?.look() }
  }

  private func look() {
    guard app.distance != nil else { return }
    if firstDistance == nil { firstDistance = world.now }
    lastDistance = world.now
  }
}

/// A course in which the Bluetooth link drops at random moments, and comes back.
struct DroppedLinks {
  private let entrance: Entrance
  private var random: SeededGenerator
  /// What went wrong.
  private(set) var faults: [String] = []
  /// From a link's return to the next distance, the longest.
  private(set) var longest = Duration.zero

  init(seed: UInt64) {
    entrance = Entrance(seed: seed)
    random = SeededGenerator(seed: seed)
  }

  mutating func run() {
    for drop in 0..<4 {
      // From the first moments of a link on, in whatever state it is then.
      let wait = Int64.random(in: 0...(drop == 0 ? 1200 : 2500), using: &random)
      entrance.world.advance(by: .milliseconds(wait))
      breakLink()
      awaitDistance(drop)
    }
    entrance.app.end()
    entrance.world.advance(by: .seconds(3))
    for device in [entrance.phone, entrance.door] where device.chipSessionCount > 0 {
      faults.append("\(device.chipSessionCount) sessions are left on the chip of \(device.name)")
    }
  }

  private mutating func breakLink() {
    let world = entrance.world
    guard Bool.random(using: &random) else { return entrance.phone.cutBluetooth(to: entrance.door) }
    // Out of Bluetooth's reach for a while, as often shorter than either side needs to notice.
    entrance.phone.loseBluetoothPackets(1)
    world.advance(by: .milliseconds(Int64.random(in: 50...9000, using: &random)))
    entrance.phone.loseBluetoothPackets(0)
  }

  private mutating func awaitDistance(_ drop: Int) {
    let back = entrance.world.now
    let isBack = entrance.world.advance(
      until: { (entrance.lastDistance ?? .zero) > back }, within: .seconds(10))
    let took = entrance.world.now - back
    longest = max(longest, took)
    if !isBack || took > .seconds(3) { faults.append("drop \(drop): \(took) until a distance came") }
    if entrance.door.chipSessionCount > 1 || entrance.phone.chipSessionCount > 1 {
      faults.append("drop \(drop): more than one session on a chip")
    }
  }
}

/// A living room with a speaker, and its owner. Used by the one thread that moves the world's time.
final class Homecoming: @unchecked Sendable {
  let world: World
  let phone: Phone
  let device: Phone
  let speaker: Speaker
  let app: AccessoryApp
  private(set) var updates = 0

  init(seed: UInt64, modes: [String] = ["nearby-interaction", "bluetooth-central"]) {
    world = World(seed: seed)
    phone = world.addPhone("Ann", at: [0, -1, 1.2], heading: 0)
    phone.setBackgroundModes(modes)
    device = world.addAccessory("Speaker", at: [0, 2, 1.2])
    speaker = device.launch { Speaker(name: "Speaker") }
    app = phone.launch { SpeakerApp(speaker: "Speaker") }.app
    app.onChange = { [weak self] in self?.updates += 1 }
  }

  /// The first meeting, with the app in the foreground.
  func pair() { world.advance(by: .seconds(5)) }
}
