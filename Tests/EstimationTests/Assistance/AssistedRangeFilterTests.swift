import NearbyEstimation
import TestSupport
import Testing

@Suite("Ranges with the device's track")
struct AssistedRangeFilterTests {
  private struct Told {
    var time: Double
    /// Errors of the filter with the track and of the plain filter, in metres.
    var error: Double
    var plain: Double
    var sigma: Double
  }

  private func run(_ walk: AssistanceWalk, seed: UInt64) -> [Told] {
    var locator = ObjectLocator(AssistanceParameters(track: .visualInertial))
    var filter = AssistedRangeFilter()
    var plain = RangeFilter()
    return walk.steps(seed: seed).compactMap { step in
      locator.update(step.reading)
      let told = filter.update(step.reading, hypotheses: locator.hypotheses)
      let alone = plain.update(
        range: step.reading.range, sigma: 0.1, isLikelyNonLineOfSight: nil, at: step.reading.time)
      guard let told, let alone else { return nil }
      let antenna = step.reading.pose.inWorld(step.reading.antennaInDevice)
      let across = step.targetInTrack - antenna
      let truth = (across * across).sum().squareRoot()
      return Told(
        time: step.reading.time / .seconds(1), error: told.distance - truth, plain: alone.distance - truth,
        sigma: told.sigma)
    }
  }

  private func rms(_ errors: [Double]) -> Double {
    (errors.reduce(0) { $0 + $1 * $1 } / Double(max(errors.count, 1))).squareRoot()
  }

  private static var circling: AssistanceWalk {
    var walk = AssistanceWalk()
    walk.place = AssistanceWalk.circle()
    walk.seconds = 60
    walk.interval = 0.1
    walk.noise = 0.1
    walk.arm = SIMD3(0.1, -0.05, 0)
    return walk
  }

  @Test(
    "The error is a quarter smaller than the plain filter's, and the stated sigma matches it",
    arguments: UInt64(0)..<3)
  func better(seed: UInt64) {
    let told = run(Self.circling, seed: seed)
    #expect(rms(told.map(\.error)) < 0.75 * rms(told.map(\.plain)), "seed \(seed)")
    #expect(rms(told.map { $0.error / $0.sigma }) < 1.6, "seed \(seed)")
  }

  @Test("The error is also smaller with a track that drifts in yaw and scale", arguments: UInt64(0)..<2)
  func drifting(seed: UInt64) {
    var walk = Self.circling
    walk.yawRate = 0.0005
    walk.scale = 0.01
    let told = run(walk, seed: seed)
    #expect(rms(told.map(\.error)) < 0.85 * rms(told.map(\.plain)), "seed \(seed)")
  }

  @Test("Without hypotheses the estimates are the plain filter's")
  func alone() {
    var filter = AssistedRangeFilter()
    var plain = RangeFilter()
    for step in Self.circling.steps(seed: 1) {
      let told = filter.update(step.reading, hypotheses: [])
      let alone = plain.update(
        range: step.reading.range, sigma: 0.1, isLikelyNonLineOfSight: nil, at: step.reading.time)
      #expect(told == alone)
    }
  }

  @Test("The error stays under 0.4 m while the path is blocked for two seconds", arguments: UInt64(0)..<2)
  func blocked(seed: UInt64) {
    var walk = Self.circling
    walk.disturbance = { (30..<32).contains($0) || (45..<47).contains($0) ? 1.5 : 0 }
    let told = run(walk, seed: seed).filter { $0.time > 29 }
    #expect((told.map(\.error.magnitude).max() ?? 9) < 0.4, "seed \(seed)")
    #expect((told.map(\.plain.magnitude).max() ?? 0) > 1, "the plain filter should follow the blocked path")
  }

  @Test("With wild ranges the error stays under 0.5 m", arguments: UInt64(0)..<2)
  func wild(seed: UInt64) {
    var walk = Self.circling
    walk.disturbance = { time in
      let index = Int((time * 10).rounded())
      return index % 19 == 7 ? (index % 2 == 0 ? 60 : -3) : 0
    }
    let told = run(walk, seed: seed).filter { $0.time > 5 }
    #expect((told.map(\.error.magnitude).max() ?? 9) < 0.5, "seed \(seed)")
  }

  @Test("An object that is carried nearer or farther is followed", arguments: [-1.0, 1.0], UInt64(0)..<2)
  func carried(side: Double, seed: UInt64) {
    var walk = Self.circling
    let target = walk.target
    walk.carried = { target + SIMD3(side * 1.5, side * 1, 0) * min(max(0, $0 - 30), 2) }
    let told = run(walk, seed: seed)
    let late = told.filter { $0.time > 34 }
    let off = late.filter { $0.error.magnitude > 0.6 }
    #expect(Double(off.count) * 0.1 < 3, "seed \(seed): off by over 0.6 m for \(Double(off.count) * 0.1) s")
    #expect((told.filter { $0.time > 45 }.map(\.error.magnitude).max() ?? 9) < 0.4, "seed \(seed)")
  }

  @Test("An object that walks to and fro in front of a device at rest is followed", arguments: UInt64(0)..<2)
  func walksAbout(seed: UInt64) {
    var walk = AssistanceWalk()
    walk.interval = 0.2
    walk.carried = { time in
      // Back and forth over 8 m at 1 m/s.
      let phase = (time / 16).truncatingRemainder(dividingBy: 1)
      return SIMD3(2 + 16 * (phase < 0.5 ? phase : 1 - phase), 1, 0)
    }
    let told = run(walk, seed: seed).filter { $0.time > 5 }
    let (own, plain) = (rms(told.map(\.error)), rms(told.map(\.plain)))
    #expect(own < 2 * plain + 0.05, "seed \(seed): \(own), the plain filter \(plain)")
    #expect((told.map(\.error.magnitude).max() ?? 9) < 1, "seed \(seed)")
  }

  @Test("The distance from the device's origin instead of its antenna can be estimated")
  func otherPoint() throws {
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    var filter = AssistedRangeFilter()
    var walk = Self.circling
    walk.arm = SIMD3(0.5, 0, 0)
    let steps = walk.steps(seed: 1)
    for step in steps {
      locator.update(step.reading)
      filter.update(step.reading, hypotheses: locator.hypotheses)
    }
    let last = try #require(steps.last)
    let origin = last.reading.pose.positionInWorld
    let told = try #require(
      filter.estimate(at: last.reading.time, from: origin, hypotheses: locator.hypotheses))
    let across = walk.target - origin
    #expect((told.distance - (across * across).sum().squareRoot()).magnitude < 0.1)
  }

  @Test("Any hypotheses and readings give valid estimates", arguments: UInt64(0)..<6)
  func anything(seed: UInt64) throws {
    var random = RangingRandom(seed: seed)
    func any() -> Double {
      random.uniform() < 0.2 ? Double(bitPattern: random.next()) : 10 * random.normal()
    }
    var filter = AssistedRangeFilter()
    var locator = ObjectLocator()
    locator.update(AssistanceReading(time: .zero, pose: DevicePose(positionInWorld: .zero), range: 3))
    let template = try #require(locator.hypotheses.first)
    for index in 0..<200 {
      let places = (0..<3).map { _ in
        var place = template
        place.state = SIMD8(any(), any(), any(), 0, 0, 0, 0, 0)
        place.weight = random.uniform() < 0.5 ? 1.0 / 3 : any()
        place.covariance = SIMD8(any(), any(), any(), any(), any(), any(), 0, 0)
        return place
      }
      let pose = DevicePose(positionInWorld: SIMD3(any(), any(), any()))
      let told = filter.update(
        AssistanceReading(time: .milliseconds(index * 50), pose: pose, range: any()), sigma: any(),
        hypotheses: places)
      let isSound = told.map { $0.distance.isFinite && $0.distance >= 0 && $0.sigma > 0 } ?? true
      #expect(isSound, "seed \(seed) at \(index): \(String(describing: told))")
    }
  }
}
