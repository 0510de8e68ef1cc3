import Foundation
import NearbyTesting

/// A park with treasures in it, and somebody with a radar.
public final class TreasureField: @unchecked Sendable {
  // One thread moves time and reads.

  /// The simulated place.
  public let world: World
  /// In the walker's hand.
  public let phone: Phone
  /// On the phone.
  public let radar: DragonRadar

  /// Where the walker stands at first, metres.
  public static let start = SIMD3<Double>(0, 0, 1)
  /// Where the treasures are, in their order.
  public static let places: [SIMD3<Double>] = [[6, 8, 1], [-9, 5, 1], [-3, -10, 1]]
  /// What treasures say of themselves, dBm at 1 m: less than is true, as their maker set them, so that one need not
  /// touch a treasure for it to be immediate.
  static let measuredPower: Int8 = -67
  /// What is true of them, dBm.
  static let powerAtOneMetre = -59.0
  /// Metres a second.
  public static let walkingSpeed = 1.4

  /// Makes the park.
  ///
  /// - Parameters:
  ///   - seed: Of everything random.
  ///   - onChange: Called with each thing the radar shows, on the thread that moves time or while it waits.
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

  /// A step by hand, metres east and north.
  public func step(east: Double, north: Double) {
    let here = phone.position
    phone.place(at: [here.x + east, here.y + north, here.z])
  }

  /// Moves time on; the scripted walker goes to the treasure that is hunted, and moves the phone about
  /// it until it is found.
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

  /// Goes to a place, and once there moves the phone about it, as people do: where it is held still the echoes are
  /// the same for ever, and they may be bad ones.
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
