import NearbyEstimation
import NearbySchedule
import NearbySounding
import Testing

@Suite("Sounding filter")
struct SoundingFilterTests {
  private func run(_ steps: [SoundingWalk.Step]) -> [RangeEstimate?] {
    var filter = SoundingFilter()
    return steps.map { filter.update($0.result) }
  }

  private func errors(_ steps: [SoundingWalk.Step], from first: Int) -> [Double] {
    zip(run(steps), steps).dropFirst(first).map { ($0.0?.distance ?? .infinity) - $0.1.truth }
  }

  private func rms(_ errors: [Double]) -> Double {
    (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
  }

  // MARK: Honest sigma

  @Test(
    "At rest, the squared error over the stated variance is χ² over 400 places, early and late",
    arguments: [4, 20, 79], [0, 0.5])
  func honestAtRest(step: Int, missing: Double) throws {
    var sum = 0.0
    for seed in 0..<400 {
      let walk = SoundingWalk(missing: missing, seed: UInt64(seed)) { _ in 30 }
      let estimate = try #require(run(Array(walk.steps.prefix(step + 1))).last ?? nil)
      let error = estimate.distance - 30
      sum += error * error / (estimate.sigma * estimate.sigma)
    }
    // The mean of 400 independent χ² values with 1 degree of freedom: 99.8 % are within ±3.09 standard deviations.
    let bound = 3.09 * (2.0 / 400).squareRoot()
    // Above, because the filter allows for outliers and walks, which these places do not have.
    #expect(sum / 400 < 1 + bound && sum / 400 > 0.75 - bound, "mean \(sum / 400)")
  }

  @Test("On a walk, 95 % of errors are within 2.5 stated sigmas", arguments: [0.0, 0.3])
  func honestOnWalk(outliers: Double) {
    var (within, count) = (0, 0)
    for seed in 0..<60 {
      let walk = SoundingWalk(outliers: outliers, missing: 0.3, seed: UInt64(seed)) { max(5, 60 - 1.3 * $0) }
      for (estimate, step) in zip(run(walk.steps), walk.steps).dropFirst(10) {
        guard let estimate else { continue }
        count += 1
        if (estimate.distance - step.truth).magnitude <= 2.5 * estimate.sigma { within += 1 }
      }
    }
    #expect(count == 60 * 150)
    #expect(Double(within) > 0.95 * Double(count), "\(within) of \(count)")
  }

  @Test("More results from the same place don't make the sigma smaller than the error they share")
  func sharedErrorRemains() throws {
    let walk = SoundingWalk(count: 2400, seed: 1) { _ in 20 }
    let estimates = run(walk.steps)
    let parameters = SoundingParameters()
    let alone = SoundingMethod.allCases.reduce(0.0) { sum, method in
      sum + 1 / (parameters.biasSigma[method] * parameters.biasSigma[method])
    }
    let floor = (1 / alone).squareRoot()
    for estimate in estimates.dropFirst(20) { #expect(try #require(estimate).sigma > 0.8 * floor) }
  }

  // MARK: Motion

  @Test("It follows a walk without lag although a third of the impulse responses are wrong")
  func followsWalk() {
    var all: [Double] = []
    for seed in 0..<20 {
      let walk = SoundingWalk(
        biasSigma: SoundingWalk.noBias, outliers: 0.33, missing: 0.3, seed: UInt64(seed)
      ) { 60 - 1.3 * min(max($0 - 10, 0), 40) }
      // From 5 s after the first step until the last one.
      all += errors(walk.steps, from: 30).prefix(70)
    }
    let mean = all.reduce(0, +) / Double(all.count)
    // Trailing by 0.3 s would give 0.39 m.
    #expect(mean.magnitude < 0.39, "\(mean)")
    #expect(rms(all) < 1, "\(rms(all))")
  }

  @Test("The rate is that of the walk, and near 0 at rest")
  func rate() throws {
    let walk = SoundingWalk(biasSigma: SoundingWalk.noBias, seed: 3) { 5 + 1.2 * min(max($0 - 20, 0), 20) }
    let estimates = run(walk.steps)
    #expect(try #require(estimates[35]).rate.magnitude < 0.2)
    #expect((try #require(estimates[75]).rate - 1.2).magnitude < 0.3)
    #expect(try #require(estimates[159]).rate.magnitude < 0.2)
  }

  @Test("It decides between standing and walking")
  func decides() throws {
    var filter = SoundingFilter()
    let walk = SoundingWalk(biasSigma: SoundingWalk.noBias, seed: 5) { 10 + 1.2 * min(max($0 - 30, 0), 20) }
    var shares: [Double] = []
    for step in walk.steps {
      filter.update(step.result)
      shares.append(try #require(filter.walkingShare))
    }
    #expect(shares[58] < 0.1)
    #expect(shares[80] > 0.9)
    #expect(shares[158] < 0.1)
  }

  // MARK: What goes wrong

  @Test("Wrong impulse responses in a row don't move a device that stands")
  func burst() {
    var walk = SoundingWalk(biasSigma: SoundingWalk.noBias, seed: 7) { _ in 25 }.steps
    for index in 80..<90 { walk[index].result.impulseResponse = Double(index % 7) }
    #expect(errors(walk, from: 60).allSatisfy { $0.magnitude < 0.4 })
  }

  @Test("Phases that drift by metres don't move a device that stands, while other methods agree")
  func driftingPhase() {
    var walk = SoundingWalk(count: 300, biasSigma: SoundingWalk.noBias, seed: 8) { _ in 25 }.steps
    for index in walk.indices { walk[index].result.phaseSlope? += 3 * Double(index) / 300 }
    #expect(errors(walk, from: 20).allSatisfy { $0.magnitude < 0.6 })
  }

  @Test("Late round-trip times of a weak signal weigh less than those of a strong one")
  func weakSignal() {
    func worst(power: Double, hasGoodTones: Bool) -> Double {
      var walk = SoundingWalk(biasSigma: SoundingWalk.noBias, seed: 9) { _ in 25 }.steps
      for index in 100..<120 {
        walk[index].result = SoundingResult(
          time: walk[index].result.time, roundTrip: 33, power: power, hasGoodTones: hasGoodTones)
      }
      return errors(Array(walk.prefix(120)), from: 100).map(\.magnitude).max() ?? .infinity
    }
    #expect(worst(power: -85, hasGoodTones: false) < 0.5 * worst(power: -60, hasGoodTones: true))
  }

  @Test("With round-trip times alone it answers, and says that it is unsure")
  func roundTripOnly() throws {
    var walk = SoundingWalk(biasSigma: SoundingWalk.noBias, seed: 10) { _ in 40 }.steps
    for index in walk.indices {
      walk[index].result.impulseResponse = nil
      walk[index].result.phaseSlope = nil
    }
    for (estimate, step) in zip(run(walk), walk) {
      let estimate = try #require(estimate)
      #expect(estimate.sigma > 1)
      #expect((estimate.distance - step.truth).magnitude < 3 * estimate.sigma)
    }
  }

  // MARK: Hostile input

  @Test(
    "Values that are no distance count as missing",
    arguments: [Double.nan, .infinity, -.infinity, -0.001, 1e300, 2000.1])
  func noDistance(value: Double) {
    var filter = SoundingFilter()
    let useless = SoundingResult(
      time: .seconds(1), impulseResponse: value, phaseSlope: value, roundTrip: value, power: 1000)
    let first = filter.update(useless)
    #expect(first == nil)
    var other = SoundingFilter()
    for step in SoundingWalk(seed: 11, distance: { _ in 12 }).steps {
      var result = step.result
      result.time += .seconds(2)
      result.phaseSlope = nil
      result.power = nil
      let expected = other.update(result)
      result.phaseSlope = value
      result.power = value.magnitude < 100 ? 1000 : value
      let estimate = filter.update(result)
      #expect(estimate == expected)
    }
  }

  @Test("A result older than the last one changes nothing; one of the same time counts")
  func order() throws {
    var filter = SoundingFilter()
    filter.update(SoundingResult(time: .seconds(10), impulseResponse: 8))
    let before = try #require(filter.estimate)
    let late = SoundingResult(time: .seconds(9), impulseResponse: 30, phaseSlope: 30, roundTrip: 30)
    let unchanged = filter.update(late)
    #expect(unchanged == before)
    #expect(filter.estimate == before)
    let again = filter.update(SoundingResult(time: .seconds(10), impulseResponse: 8))
    #expect(try #require(again).sigma < before.sigma)
  }

  @Test("Results without values keep the estimate, less and less surely, until it lapses after a minute")
  func silence() throws {
    var filter = SoundingFilter()
    for step in SoundingWalk(count: 40, seed: 12, distance: { _ in 15 }).steps { filter.update(step.result) }
    var sigma = try #require(filter.estimate).sigma
    for seconds in 20...79 {
      let estimate = filter.update(SoundingResult(time: .seconds(seconds)))
      let next = try #require(estimate).sigma
      #expect(next > sigma)
      sigma = next
    }
    let lapsed = filter.update(SoundingResult(time: .seconds(80)))
    #expect(lapsed == nil)
    var fresh = SoundingFilter()
    let next = SoundingResult(time: .seconds(90), impulseResponse: 33, roundTrip: 31)
    let (begun, expected) = (filter.update(next), fresh.update(next))
    #expect(begun == expected)
  }

  @Test("Whatever arrives, estimates are finite and sigmas positive", arguments: 0..<10)
  func anything(seed: UInt64) {
    var stream = NoiseStream(seed: seed)
    var filter = SoundingFilter(
      offsets: SoundingValues(impulseResponse: .nan, phaseSlope: .infinity, roundTrip: 3))
    func value() -> Double? {
      let odd: [Double?] = [nil, .nan, -1, 0, 2000, .infinity, 1e-300, .greatestFiniteMagnitude]
      let kind = Int(stream.uniform() * 16)
      return kind < odd.count ? odd[kind] : 100 * stream.uniform()
    }
    var time = Duration.zero
    for _ in 0..<1000 {
      let gap = [0.0, 1e-9, 0.01, 0.5, 30, 61, 1e9, -5][Int(stream.uniform() * 8)]
      time += .seconds(gap)
      let estimate = filter.update(
        SoundingResult(
          time: time, impulseResponse: value(), phaseSlope: value(), roundTrip: value(), power: value(),
          hasGoodTones: stream.uniform() < 0.5))
      guard let estimate else { continue }
      #expect(estimate.distance.isFinite && estimate.distance >= 0 && estimate.rate.isFinite, "seed \(seed)")
      #expect(estimate.sigma.isFinite && estimate.sigma > 0, "seed \(seed)")
    }
  }

  @Test("Offsets are subtracted from each method's results")
  func offsets() throws {
    let offsets = SoundingValues(impulseResponse: -0.6, phaseSlope: 1.1, roundTrip: -1)
    var plain = SoundingFilter()
    var shifted = SoundingFilter(offsets: offsets)
    for step in SoundingWalk(seed: 13, distance: { _ in 12 }).steps {
      var result = step.result
      let expected = plain.update(result)
      result.impulseResponse? += -0.6
      result.phaseSlope? += 1.1
      result.roundTrip? += -1
      let estimate = shifted.update(result)
      let difference = try #require(estimate).distance - #require(expected).distance
      #expect(difference.magnitude < 1e-9)
    }
  }
}
