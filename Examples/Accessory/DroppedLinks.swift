import NearbyTesting

/// A test run in which the Bluetooth link drops at random moments and comes back.
public struct DroppedLinks<Generator: RandomNumberGenerator> {
  private let entrance: Entrance
  private var random: Generator
  /// The failures so far, as text.
  public private(set) var faults: [String] = []
  /// The longest time from the return of a link to the next distance.
  public private(set) var longest = Duration.zero

  /// - Parameters:
  ///   - seed: The world's random seed.
  ///   - random: Decides when and how links drop.
  public init(seed: UInt64, random: Generator) {
    entrance = Entrance(seed: seed)
    self.random = random
  }

  /// Drops the link four times, then ends the app and checks that no UWB session is left.
  public mutating func run() {
    for drop in 0..<4 {
      // The first drop comes early enough to hit a link that is still being set up.
      let wait = Int64.random(in: 0...(drop == 0 ? 1200 : 2500), using: &random)
      entrance.world.advance(by: .milliseconds(wait))
      breakLink()
      awaitDistance(drop)
    }
    entrance.app.end()
    entrance.world.advance(by: .seconds(3))
    for device in [entrance.phone, entrance.door] where device.chipSessionCount > 0 {
      faults.append("\(device.chipSessionCount) sessions left over on the chip of \(device.name)")
    }
  }

  private mutating func breakLink() {
    let world = entrance.world
    guard Bool.random(using: &random) else { return entrance.phone.cutBluetooth(to: entrance.door) }
    // Lose every packet for a while. The shorter losses end before either side notices them.
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
    if !isBack || took > .seconds(3) {
      faults.append("drop \(drop): it took \(took) until a distance arrived")
    }
    if entrance.door.chipSessionCount > 1 || entrance.phone.chipSessionCount > 1 {
      faults.append("drop \(drop): more than one session on a chip")
    }
  }
}
