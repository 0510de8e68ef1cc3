import NearbyExchange
import NearbyRecordings
import NearbySchedule
import Testing

@testable import NearbySimulator

@Suite("Walls, floors and people")
struct ObstacleTests {
  static let wall = Wall(from: SIMD2(0, 0), to: SIMD2(4, 0), bottom: 1, top: 3, material: .body)

  static let lines: [(a: SIMD3<Double>, b: SIMD3<Double>, crosses: Bool)] = [
    (SIMD3(2, -1, 2), SIMD3(2, 1, 2), true),
    (SIMD3(2, 1, 2), SIMD3(3, -1, 2), true),
    (SIMD3(2, -1, 0.5), SIMD3(2, 1, 0.5), false),
    (SIMD3(2, -1, 3.5), SIMD3(2, 1, 3.5), false),
    (SIMD3(2, -1, 0), SIMD3(2, 1, 4), true),
    (SIMD3(5, -1, 2), SIMD3(5, 1, 2), false),
    (SIMD3(-1, -1, 2), SIMD3(-1, 1, 2), false),
    (SIMD3(2, 1, 2), SIMD3(2, 3, 2), false),
    (SIMD3(0, 1, 2), SIMD3(4, 1, 2), false),
  ]

  @Test("A path crosses a wall only within the wall's length and height", arguments: lines)
  func wall(a: SIMD3<Double>, b: SIMD3<Double>, crosses: Bool) {
    #expect(Self.wall.crosses(a, b) == crosses)
    #expect(Self.wall.crosses(b, a) == crosses)
  }

  @Test("A path crosses a floor only between storeys and within its rectangle")
  func floor() {
    let floor = Floor(from: SIMD2(4, 4), to: SIMD2(0, 0), height: 3, material: .body)
    #expect(floor.crosses(SIMD3(1, 1, 1), SIMD3(3, 3, 5)))
    #expect(!floor.crosses(SIMD3(1, 1, 1), SIMD3(3, 3, 2)))
    #expect(!floor.crosses(SIMD3(5, 5, 1), SIMD3(6, 6, 5)))
  }

  @Test("Each wall in between attenuates and lengthens the path as its material states")
  func sums() throws {
    var world = pair(ideal, distance: 10)
    world.echoLoss = 100
    func power() throws -> Double {
      let power = world.receivedPower(from: 0, to: 1, channel: 9, at: .zero)
      return try #require(power)
    }
    func distance() throws -> Double {
      let outcome = world.exchange(ExchangePlan(initiator: 0, responder: 1, start: .zero))
      return try #require(outcome.distance)
    }
    let before = try power()
    let open = try distance()
    let material = Material(attenuation: 5, delay: 0.2, excess: 0)
    for y in [3.0, 6] {
      world.add(Wall(from: SIMD2(-1, y), to: SIMD2(1, y), material: material))
    }
    world.add(Wall(from: SIMD2(3, 5), to: SIMD2(9, 5), material: material))
    let after = try power()
    let blocked = try distance()
    #expect(abs(before - after - 10) < 1e-6)
    #expect(abs(blocked - open - 0.4) < 0.006)
    #expect(!world.truth(from: 0, to: 1, at: .zero).isLineOfSight)
    world.removeObstacle(at: 0)
    world.removeObstacle(at: 0)
    #expect(world.truth(from: 0, to: 1, at: .zero).isLineOfSight)
  }

  @Test("The person holding a phone blocks radios behind them, not those in front")
  func carrier() {
    var world = SimulatedWorld(seed: 1)
    let phone = world.addBody(.standing(SIMD3(0, 0, 1.3)), facing: .fixed(Rotation(heading: 0)))
    let ahead = world.addBody(.standing(SIMD3(0, 5, 1.3)))
    let behind = world.addBody(.standing(SIMD3(0, -5, 1.3)))
    for body in [phone, ahead, behind] { world.addRadio(on: body) }
    world.add(Person.holding(phone))
    #expect(world.truth(from: 0, to: 1, at: .zero).isLineOfSight)
    #expect(!world.truth(from: 0, to: 2, at: .zero).isLineOfSight)
    world.setFacing(of: phone, .fixed(Rotation(heading: .pi)))
    #expect(!world.truth(from: 0, to: 1, at: .zero).isLineOfSight)
    #expect(world.truth(from: 0, to: 2, at: .zero).isLineOfSight)
  }

  @Test("A person walking through the line of sight blocks it only while inside it")
  func passer() {
    var world = pair(.phone, distance: 6)
    let walker = world.addBody(
      .waypoints(WaypointPath([.init(SIMD3(-3, 3, 0)), .init(SIMD3(3, 3, 0), speed: 1)])))
    world.add(Person(on: walker))
    let blocked = (0..<60).filter {
      !world.truth(from: 0, to: 1, at: .milliseconds($0 * 100)).isLineOfSight
    }
    #expect(blocked == Array(28...32))
  }

  @Test(
    "The spatial index of people finds the same obstructions as an exhaustive search",
    arguments: UInt64(1)...6)
  func index(seed: UInt64) {
    var noise = NoiseStream(seed: seed)
    func point(_ size: Double) -> SIMD3<Double> {
      SIMD3(noise.uniform() * size, noise.uniform() * size, noise.uniform() * 2)
    }
    var world = SimulatedWorld(seed: seed)
    for _ in 0..<120 {
      let from = point(60) * SIMD3(1, 1, 0)
      let body = world.addBody(
        .waypoints(WaypointPath([.init(from), .init(from + point(10) * SIMD3(1, 1, 0))], isLoop: true)),
        facing: .alongMotion(pitch: 0, roll: 0))
      world.add(Person(on: body, offset: SIMD2(noise.uniform(), noise.uniform())))
    }
    var blocked = 0
    for step in 0..<120 {
      let seconds = Double(step) * 0.31
      let (a, b) = (point(60), point(60))
      let everybody = world.people.contains { person in
        person.crosses(a, b, pose: world.pose(of: person.body, seconds: seconds))
      }
      #expect((world.obstruction(a, b, seconds: seconds) != nil) == everybody, "seed \(seed)")
      if everybody { blocked += 1 }
    }
    #expect(blocked > 10)
    #expect(blocked < 120)
  }

  @Test("A person whose recorded track jumps far away is still found")
  func leap() {
    var world = pair(.phone, distance: 6)
    let path = RecordedPath([
      .init(seconds: 0, position: SIMD3(90_000, 90_000, 0)),
      .init(seconds: 1e-6, position: SIMD3(0, 3, 0)),
    ])
    world.add(Person(on: world.addBody(.recorded(path))))
    #expect(world.truth(from: 0, to: 1, at: .zero).isLineOfSight)
    #expect(!world.truth(from: 0, to: 1, at: .milliseconds(1)).isLineOfSight)
  }

  @Test("Turned antennas lose power, at most 6 dB")
  func polarisation() throws {
    func power(_ roll: Double) throws -> Double {
      var world = pair(.phone)
      world.setFacing(of: BodyID(index: 0), .fixed(Rotation(heading: 0, roll: roll)))
      let power = world.receivedPower(from: 0, to: 1, channel: 9, at: .zero)
      return try #require(power)
    }
    let upright = try power(0)
    #expect(try power(.pi / 4) < upright - 2)
    #expect(abs(try power(.pi / 2) - (upright - 6)) < 1e-9)
    #expect(abs(try power(.pi) - upright) < 1e-9)
  }

  @Test("Radios two cells apart do not receive each other at any power")
  func cells() {
    var loud = ideal
    loud.transmitPower = 60
    for distance in stride(from: 280.0, through: 640, by: 7) {
      var world = pair(loud, distance: distance)
      let rows =
        world.cell(of: world.body(ofRadio: 1), at: .zero).row
        - world.cell(of: world.body(ofRadio: 0), at: .zero).row
      if world.receivedPower(from: 0, to: 1, channel: 9, at: .zero) != nil { #expect(rows <= 1) }
    }
  }
}
