import Foundation
import NearbyTesting

/// A park with hidden treasures, and a person with a radar.
public final class TreasureField: @unchecked Sendable {
  // Used on the one thread that advances time.

  /// The simulated world.
  public let world: World
  /// The phone in the walker's hand.
  public let phone: Phone
  /// The app on the phone.
  public let radar: DragonRadar

  /// Where the walker starts, in metres.
  public static let start = SIMD3<Double>(0, 0, 1)
  /// Where the treasures are, in the order of the hunt.
  public static let places: [SIMD3<Double>] = [[6, 8, 1], [-9, 5, 1], [-3, -10, 1]]
  /// The measured power that the beacons advertise, in dBm at 1 m. It is lower than their real power, so
  /// their proximity becomes immediate before the phone touches them.
  static let measuredPower: Int8 = -67
  /// The beacons' real power at 1 m, in dBm.
  static let powerAtOneMetre = -59.0
  /// Metres per second.
  public static let walkingSpeed = 1.4

  /// Creates the park.
  ///
  /// - Parameters:
  ///   - seed: The world's random seed.
  ///   - onChange: Called with each state of the radar, on the thread that advances time, or while it waits.
  public init(seed: UInt64, onChange: @escaping (RadarState) -> Void = { _ in }) {
    let world = World(seed: seed, drainsMainQueue: false)
    let phone = world.addPhone("Seeker", at: Self.start)
    for (treasure, place) in zip(Treasure.all, Self.places) {
      world.addBeacon(
        treasure.name, at: place, uuid: Treasure.uuid, major: Treasure.major, minor: treasure.minor,
        measuredPower: Self.measuredPower, powerAtOneMetre: Self.powerAtOneMetre)
    }
    self.world = world
    self.phone = phone
    radar = phone.launch { DragonRadar(onChange: onChange) }
  }

  /// Moves the walker by one step, in metres east and north.
  public func step(east: Double, north: Double) {
    let here = phone.position
    phone.place(at: [here.x + east, here.y + north, here.z])
  }

  /// Advances time while a scripted walker goes to the current treasure and moves the phone around it until
  /// it is found.
  public func advanceScript(by duration: Duration) {
    let end = world.now + duration
    while world.now < end {
      if case .hunting(let treasure) = radar.state.phase {
        search(Self.places[Int(treasure.minor) - 1])
      }
      world.advance(by: min(.milliseconds(200), end - world.now))
    }
  }

  private var hunted: SIMD3<Double>?
  private var turns = 0

  /// Walks to a place, then moves the phone around it, as people do. A phone at rest would always receive
  /// the same echoes, and they may be unfavourable ones.
  private func search(_ place: SIMD3<Double>) {
    let here = phone.position
    let way = ((here - place) * (here - place)).sum().squareRoot()
    if hunted != place {
      hunted = place
      phone.walk(to: SIMD3(place.x, place.y - 0.1, place.z), speed: Self.walkingSpeed)
    } else if way < 0.15 || turns > 0 && way < 0.6 {
      turns += 1
      let angle = Double(turns) * 2.4
      let reach = SIMD3(0.12 * cos(angle), 0.12 * sin(angle), 0.08 * sin(angle * 1.7))
      phone.walk(to: place + reach, speed: 0.6)
    }
  }
}
