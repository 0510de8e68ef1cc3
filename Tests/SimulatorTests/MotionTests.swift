import NearbyMaths
import NearbyRecordings
import Testing

@testable import NearbySimulator

@Suite("Bodies in motion")
struct MotionTests {
  static func close(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double = 1e-9) -> Bool {
    (a - b).length < tolerance
  }

  static let attitudes:
    [(heading: Double, pitch: Double, roll: Double, back: SIMD3<Double>, top: SIMD3<Double>)] = [
      (0, 0, 0, SIMD3(0, 1, 0), SIMD3(0, 0, 1)),
      (.pi / 2, 0, 0, SIMD3(1, 0, 0), SIMD3(0, 0, 1)),
      (0, .pi / 2, 0, SIMD3(0, 0, 1), SIMD3(0, -1, 0)),
      (0, -.pi / 2, 0, SIMD3(0, 0, -1), SIMD3(0, 1, 0)),
      (0, 0, .pi / 2, SIMD3(0, 1, 0), SIMD3(1, 0, 0)),
      (.pi, 0, .pi / 2, SIMD3(0, -1, 0), SIMD3(-1, 0, 0)),
    ]

  @Test("Heading, pitch and roll turn a phone as a person holding it would expect", arguments: attitudes)
  func attitude(
    heading: Double, pitch: Double, roll: Double, back: SIMD3<Double>, top: SIMD3<Double>
  ) {
    let worldFromDevice = Rotation(heading: heading, pitch: pitch, roll: roll)
    #expect(Self.close(worldFromDevice * SIMD3(0, 0, -1), back))
    #expect(Self.close(worldFromDevice * SIMD3(0, 1, 0), top))
    #expect(Self.close(worldFromDevice.inverse * (worldFromDevice * SIMD3(1, 2, 3)), SIMD3(1, 2, 3)))
  }

  @Test("Interpolating halfway between two attitudes gives half of the turn")
  func interpolation() {
    let middle = Rotation(heading: 0.2).interpolated(to: Rotation(heading: 1.4), fraction: 0.5)
    #expect(Self.close(middle * SIMD3(0, 0, -1), Rotation(heading: 0.8) * SIMD3(0, 0, -1)))
  }

  static let square = [SIMD3(0, 0, 1), SIMD3(6, 0, 1), SIMD3(6, 4, 1), SIMD3(0, 4, 1.0)]

  static func walk(isLoop: Bool) -> WaypointPath {
    WaypointPath(
      square.map { .init($0, speed: 1.5, rest: $0.x > 0 ? 0 : 1) }, start: 3, isLoop: isLoop)
  }

  @Test(
    "The velocity is the derivative of the position, also at corners and rests", arguments: [false, true])
  func velocity(isLoop: Bool) {
    let path = Self.walk(isLoop: isLoop)
    let ends = [3.0, path.end]
    for step in 0..<800 {
      let time = Double(step) * 0.0613
      // A walk starts and stops abruptly, so it has no derivative there.
      if ends.contains(where: { abs($0 - time) < 1e-3 }) { continue }
      let here = path.motion(at: time)
      let slope =
        (path.motion(at: time + 1e-5).position - path.motion(at: time - 1e-5).position) / 2e-5
      #expect(Self.close(here.velocity, slope, 1e-3), "at \(time) s")
      #expect(here.velocity.length <= 1.5 + 1e-9)
    }
  }

  @Test("Position and heading never jump", arguments: [false, true])
  func continuity(isLoop: Bool) {
    let path = Self.walk(isLoop: isLoop)
    let jumps = (1..<10_000).map { Double($0) * 0.004 }.filter { time in
      let moved = path.motion(at: time).position - path.motion(at: time - 0.004).position
      let turned = Maths.wrapped(path.heading(at: time) - path.heading(at: time - 0.004))
      return moved.length > 0.0061 || abs(turned) > 0.032
    }
    #expect(jumps.isEmpty)
  }

  @Test("A path passes its waypoints at the right times and stays at its end")
  func arrival() {
    let path = WaypointPath(
      [.init(SIMD3(0, 0, 0)), .init(SIMD3(3, 0, 0), speed: 1.5, rest: 2), .init(SIMD3(3, 4, 0), speed: 2)])
    #expect(path.end == 6)
    #expect(Self.close(path.motion(at: -5).position, .zero))
    #expect(Self.close(path.motion(at: 1).position, SIMD3(1.5, 0, 0)))
    #expect(Self.close(path.motion(at: 3).position, SIMD3(3, 0, 0)))
    #expect(Self.close(path.motion(at: 5).position, SIMD3(3, 2, 0)))
    #expect(Self.close(path.motion(at: 1e6).position, SIMD3(3, 4, 0)))
    #expect(path.motion(at: 1e6).velocity == .zero)
  }

  @Test("A loop repeats")
  func loop() {
    let path = WaypointPath(Self.square.map { .init($0, speed: 2) }, isLoop: true)
    for time in [11.0, 13.3, 19.99] {
      #expect(Self.close(path.motion(at: time).position, path.motion(at: time + 50).position, 1e-6))
    }
  }

  @Test(
    "Degenerate paths give finite positions and velocities",
    arguments: [
      WaypointPath([]), WaypointPath([.init(SIMD3(1, 1, 1))]),
      WaypointPath([.init(.zero), .init(.zero), .init(.zero)], isLoop: true),
      WaypointPath([.init(.zero, speed: 0), .init(SIMD3(1, 0, 0), speed: 0, rest: -4)]),
    ])
  func odd(path: WaypointPath) {
    for time in [-1.0, 0, 1e-7, 0.5, 1e9] {
      let (position, velocity) = path.motion(at: time)
      #expect(position.length.isFinite)
      #expect(velocity.length.isFinite)
      #expect(path.heading(at: time).isFinite)
    }
  }

  @Test("A recorded path passes its samples and is linear between them")
  func recorded() {
    let path = RecordedPath([
      .init(seconds: 2, position: SIMD3(4, 0, 1), worldFromDevice: Rotation(heading: 1)),
      .init(seconds: 1, position: SIMD3(2, 0, 1), worldFromDevice: Rotation(heading: 0)),
      .init(seconds: 2, position: SIMD3(99, 0, 1)),
    ])
    #expect(path.motion(at: 0).position == SIMD3(2, 0, 1))
    #expect(Self.close(path.motion(at: 1.5).position, SIMD3(3, 0, 1)))
    #expect(Self.close(path.motion(at: 1.5).velocity, SIMD3(2, 0, 0)))
    #expect(path.motion(at: 9).position == SIMD3(4, 0, 1))
    #expect(Self.close(path.attitude(at: 1.5) * SIMD3(0, 0, -1), Rotation(heading: 0.5) * SIMD3(0, 0, -1)))
    #expect(RecordedPath([]).motion(at: 1).position == .zero)
  }

  @Test("A tracking body faces the other body; a walker faces its direction of motion")
  func facing() {
    var world = SimulatedWorld(seed: 1)
    let walker = world.addBody(
      .waypoints(Self.walk(isLoop: true)), facing: .alongMotion(pitch: 0, roll: 0))
    let watcher = world.addBody(.standing(SIMD3(-3, 2, 1)), facing: .tracking(walker))
    world.addRadio(on: watcher)
    world.addRadio(on: walker)
    for second in 0..<40 {
      let truth = world.truth(from: 0, to: 1, at: .seconds(second))
      #expect(Self.close(truth.directionInDevice, SIMD3(0, 0, -1), 1e-9))
    }
    let pose = world.pose(of: walker, at: .seconds(6))
    #expect(Self.close(pose.worldFromDevice * SIMD3(0, 0, -1), SIMD3(1, 0, 0)))
  }

  @Test("The truth has range, azimuth and elevation between antennas")
  func truth() {
    var world = SimulatedWorld(seed: 1)
    let here = world.addBody(.standing(SIMD3(0, 0, 1)), facing: .fixed(Rotation(heading: .pi / 2)))
    let there = world.addBody(.standing(SIMD3(4, -4, 1)))
    world.addRadio(on: here, antennaInDevice: SIMD3(0, 0.1, 0))
    world.addRadio(on: there, antennaInDevice: SIMD3(0, 0.1, 0))
    let truth = world.truth(from: 0, to: 1, at: .zero)
    #expect(abs(truth.range - 32.0.squareRoot()) < 1e-12)
    #expect(abs(truth.azimuth - .pi / 4) < 1e-9)
    #expect(abs(truth.elevation) < 1e-9)
    #expect(truth.isLineOfSight)
  }

  @Test("A walk ordered at run time starts where the body is")
  func handSet() {
    var world = SimulatedWorld(seed: 1)
    let body = world.addBody(.standing(SIMD3(1, 1, 1)))
    world.walk(body, through: [SIMD3(5, 1, 1)], speed: 2, from: .seconds(10))
    #expect(Self.close(world.pose(of: body, at: .seconds(10)).positionInWorld, SIMD3(1, 1, 1)))
    #expect(Self.close(world.pose(of: body, at: .seconds(11)).positionInWorld, SIMD3(3, 1, 1)))
    #expect(Self.close(world.pose(of: body, at: .seconds(99)).positionInWorld, SIMD3(5, 1, 1)))
  }
}
