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
        treasure.name, at: place, uuid: Treasure.uuid, major: Treasure.major, minor: treasure.minor)
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

  /// Moves time on; the scripted walker goes to the treasure that is hunted, and waits there until it is found.
  public func advanceScript(by duration: Duration) {
    let end = world.now + duration
    while world.now < end {
      if case .hunting(let treasure) = radar.state.phase {
        let place = Self.places[Int(treasure.minor) - 1]
        // A hand's breadth off: nobody stands in a beacon.
        let goal = SIMD3(place.x, place.y - 0.1, place.z)
        if goals.last != goal {
          goals.append(goal)
          phone.walk(to: goal, speed: Self.walkingSpeed)
        }
      }
      world.advance(by: min(.milliseconds(200), end - world.now))
    }
  }

  private var goals: [SIMD3<Double>] = []
}
