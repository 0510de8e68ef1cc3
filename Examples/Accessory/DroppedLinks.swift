import NearbyTesting

/// A course in which the Bluetooth link drops at random moments, and comes back.
public struct DroppedLinks<Generator: RandomNumberGenerator> {
  private let entrance: Entrance
  private var random: Generator
  /// What went wrong.
  public private(set) var faults: [String] = []
  /// From a link's return to the next distance, the longest.
  public private(set) var longest = Duration.zero

  /// - Parameters:
  ///   - seed: Of the world.
  ///   - random: Of the moments.
  public init(seed: UInt64, random: Generator) {
    entrance = Entrance(seed: seed)
    self.random = random
  }

  /// Runs the course.
  public mutating func run() {
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
