import Foundation
import NearbyEstimation
import TestSupport
import Testing

@Suite("Locating an object under difficulties")
struct AssistanceTroubleTests {
  private static let seeds: [UInt64] = Array(1...3)

  private func walk() -> AssistanceWalk {
    var walk = AssistanceWalk.brief
    walk.place = AssistanceWalk.circle()
    return walk
  }

  @Test("With outliers and a blocked path the error stays under 0.2 m", arguments: seeds)
  func outliers(seed: UInt64) throws {
    var walk = walk()
    walk.disturbance = { time in
      let index = Int((time * 5).rounded())
      if index % 17 == 3 { return 30 }
      if index % 23 == 5 { return -1.5 }
      return (22...26).contains(time) ? 0.7 : 0
    }
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    let last = try #require(locator.run(walk.steps(seed: seed)).last ?? nil)
    let place = try #require(last.positionInWorld)
    let error = level(place - walk.target)
    #expect(error < 0.2, "seed \(seed): \(error)")
  }

  @Test("An object carried away is noticed and found again", arguments: seeds)
  func carriedAway(seed: UInt64) throws {
    var walk = walk()
    walk.seconds = 70
    walk.carried = { $0 < 30 ? SIMD3(4, 3, 0.5) : SIMD3(-3, 1, 0) }
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    let last = try #require(locator.run(walk.steps(seed: seed)).last ?? nil)
    let place = try #require(last.positionInWorld)
    let error = level(place - SIMD3(-3, 1, 0))
    #expect(error < 0.2, "seed \(seed): \(error)")
  }

  @Test("A drifting track is compensated", arguments: seeds)
  func drift(seed: UInt64) throws {
    var walk = walk()
    walk.seconds = 160
    walk.interval = 0.4
    walk.place = AssistanceWalk.circle(radius: 4)
    walk.target = SIMD3(9, 3, 0.5)
    walk.yawRate = 5e-4
    walk.scale = 0.01
    let steps = walk.steps(seed: seed)
    var aware = ObjectLocator(AssistanceParameters(track: .visualInertial))
    var trusting = ObjectLocator(AssistanceParameters(track: .surveyed))
    let truth = try #require(steps.last?.targetInTrack)
    let seen = try #require(aware.run(steps).last??.positionInWorld)
    let believed = try #require(trusting.run(steps).last??.positionInWorld)
    #expect(level(seen - truth) < 0.15, "seed \(seed): \(seen) instead of \(truth)")
    #expect(level(believed - truth) > 2 * level(seen - truth), "seed \(seed)")
  }

  @Test("A jump of the world's origin restarts the search, which succeeds")
  func originMoved() throws {
    var steps = walk().steps(seed: 5)
    let shift = SIMD3(100.0, -50, 3)
    for index in 100..<steps.count {
      steps[index].reading.pose.positionInWorld += shift
      steps[index].targetInTrack += shift
    }
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    let estimates = locator.run(steps)
    #expect(estimates[101]?.isConverged == false)
    let place = try #require((estimates.last ?? nil)?.positionInWorld)
    #expect(level(place - steps[199].targetInTrack) < 0.15)
  }

  @Test("The horizontal angle is independent of height and tilt")
  func angle() throws {
    var walk = walk()
    walk.target = SIMD3(0, -5, 1)
    let (c, s) = (cos(0.3), sin(0.3))
    // Pitched about its own y axis: forward stays in the vertical plane of world x.
    walk.turn = { _ in SIMD4(0, s, 0, c) }
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    let steps = walk.steps(seed: 2)
    let last = try #require(locator.run(steps).last ?? nil)
    let pose = try #require(steps.last?.reading.pose.positionInWorld)
    let expected = atan2(-(walk.target.y - pose.y), walk.target.x - pose.x)
    let angle = try #require(last.horizontalAngle)
    #expect(abs(angle - expected) < 0.03)
  }

  @Test("Invalid ranges and positions change nothing, and an old time does not clear the hypotheses")
  func nonsense() throws {
    var steps = walk().steps(seed: 9)
    var locator = ObjectLocator()
    _ = locator.run(steps)
    let before = locator
    for range in [Double.nan, .infinity, -.infinity, -100, 1e9] {
      steps[199].reading.range = range
      locator.update(steps[199].reading)
    }
    steps[199].reading.range = 3
    steps[199].reading.pose.positionInWorld = SIMD3(.nan, 0, 0)
    locator.update(steps[199].reading)
    #expect(locator == before)
    locator.update(steps[0].reading)
    #expect(!locator.hypotheses.isEmpty)
  }

  @Test("Quaternions are normalised; a reading with a zero quaternion is dropped")
  func quaternions() {
    let steps = walk().steps(seed: 3)
    var (one, long) = (ObjectLocator(), ObjectLocator())
    for step in steps {
      one.update(step.reading)
      var reading = step.reading
      reading.pose.worldFromDevice *= 4
      long.update(reading)
      for odd in [SIMD4<Double>.zero, SIMD4(.nan, 0, 0, 1), SIMD4(.infinity, 0, 0, 1), SIMD4(1e200, 0, 0, 0)]
      {
        reading.pose.worldFromDevice = odd
        long.update(reading)
        #expect(long.estimate(at: reading.time, pose: reading.pose) == nil)
      }
    }
    #expect(one == long)
  }

  @Test("Nine old readings in a row change nothing; the tenth means a new clock")
  func backwards() {
    let steps = walk().steps(seed: 3)
    var locator = ObjectLocator()
    _ = locator.run(steps)
    let path = locator.path
    let before = locator.hypotheses
    for step in steps[..<9] { locator.update(step.reading) }
    #expect(locator.hypotheses == before)
    #expect(locator.path == path)
    locator.update(steps[9].reading)
    #expect(locator.path == 0)
  }

  @Test("Any numbers, however large, give finite estimates", arguments: [UInt64](1...6))
  func anyNumber(seed: UInt64) {
    var random = RangingRandom(seed: seed)
    let odd = [
      0, -0.0, .leastNonzeroMagnitude, 1e9, -1e9, 1e300, -1e300, .nan, .infinity, -.infinity,
      .greatestFiniteMagnitude,
    ]
    func number(_ usual: Double) -> Double {
      random.uniform() < 0.05 ? odd[Int(random.next() % UInt64(odd.count))] : usual + random.normal()
    }
    func vector(_ scale: Double) -> SIMD3<Double> { SIMD3(number(0), number(0), number(0)) * scale }
    var locator = ObjectLocator()
    for index in 0..<150 {
      let seconds = random.uniform() < 0.05 ? random.normal() * 1e12 : 0.2 * Double(index)
      let pose = DevicePose(
        positionInWorld: vector(2), worldFromDevice: SIMD4(number(0), number(0), number(0), number(1)))
      let angles = AssistanceAngles(
        azimuth: number(0), elevation: number(0), azimuthSigma: number(0.1), elevationSigma: number(0.1))
      let reading = AssistanceReading(
        time: .seconds(seconds), pose: pose, antennaInDevice: vector(0.1), range: number(4),
        isObstructed: random.uniform() < 0.3, angles: random.uniform() < 0.3 ? angles : nil)
      locator.update(reading)
      let estimate = locator.estimate(at: reading.time, pose: pose, forwardInDevice: vector(1))
      #expect(estimate?.positionInWorld.map { ($0 * $0).sum().isFinite } != false, "seed \(seed)")
      #expect(estimate?.distance.isFinite != false, "seed \(seed)")
    }
  }

  @Test("The same ranges give the same estimates")
  func deterministic() {
    let steps = walk().steps(seed: 4)
    var (one, other) = (ObjectLocator(), ObjectLocator())
    #expect(one.run(steps) == other.run(steps))
  }
}
