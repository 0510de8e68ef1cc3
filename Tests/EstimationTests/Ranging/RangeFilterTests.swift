import Foundation
import NearbyEstimation
import TestSupport
import Testing

@Suite("Range filter")
struct RangeFilterTests {
  /// Estimates after each range.
  private func run(
    _ steps: [RangeWalk.Step], sigma: Double = 0.1,
    parameters: RangeFilterParameters = RangeFilterParameters()
  ) -> [RangeEstimate?] {
    var filter = RangeFilter(parameters: parameters)
    return steps.map {
      filter.update(range: $0.range, sigma: sigma, isLikelyNonLineOfSight: nil, at: $0.time)
    }
  }

  private func still(_ count: Int, seconds: Double = 0.1, seed: UInt64 = 1) -> [RangeWalk.Step] {
    RangeWalk(count: count, seconds: seconds, sigma: 0.05, seed: seed) { _ in 5 }.steps
  }

  private func largestError(_ estimates: [RangeEstimate?], _ steps: [RangeWalk.Step]) -> Double {
    zip(estimates, steps).reduce(0) { worst, pair in
      max(worst, pair.0.map { ($0.distance - pair.1.truth).magnitude } ?? 0)
    }
  }

  @Test(
    "The mean NIS over 100 seeds is within its bounds, at several rates and noises",
    arguments: [0.01, 0.05, 0.2, 1.0], [0.05, 0.1, 0.15])
  func nis(seconds: Double, sigma: Double) {
    var parameters = RangeFilterParameters()
    parameters.kneeTooLong = .infinity
    parameters.kneeTooShort = .infinity
    parameters.gateOfNoise = .infinity
    parameters.learningRate = 0
    parameters.motionLearningRate = 0
    parameters.motion = RangeMotion(accelerationDensity: 1, memory: 1)
    var sum = 0.0
    var count = 0.0
    for seed in 0..<100 {
      let walk = RangeWalk(count: 220, seconds: seconds, jitter: 0.5, sigma: sigma, seed: UInt64(seed))
      var filter = RangeFilter(parameters: parameters)
      for (index, step) in walk.steps.enumerated() {
        filter.update(range: step.range, sigma: sigma, isLikelyNonLineOfSight: nil, at: step.time)
        if index >= 20, let nis = filter.lastInnovation?.nis {
          sum += nis
          count += 1
        }
      }
    }
    #expect(count > 19_000)
    // The mean of `count` independent χ² values with 1 degree of freedom: 99.8 % are within ±3.09 standard
    // deviations.
    #expect((sum / count - 1).magnitude < 3.09 * (2 / count).squareRoot(), "mean NIS \(sum / count)")
  }

  @Test(
    "With its standard parameters, the stated sigma matches the errors", arguments: [0.01, 0.05, 0.2],
    [0.05, 0.1, 0.15])
  func honest(seconds: Double, sigma: Double) {
    var squares = 0.0
    var count = 0.0
    for seed in 0..<60 {
      let walk = RangeWalk(count: 220, seconds: seconds, jitter: 0.5, sigma: sigma, seed: UInt64(seed))
      var filter = RangeFilter()
      for (index, step) in walk.steps.enumerated() {
        let estimate = filter.update(
          range: step.range, sigma: sigma, isLikelyNonLineOfSight: nil, at: step.time)
        guard index >= 20, let estimate, let variance = filter.trackVariance else { continue }
        let error = estimate.distance - step.truth
        squares += error * error / variance
        count += 1
      }
    }
    let ratio = (squares / count).squareRoot()
    #expect(ratio > 0.85, "error over sigma \(ratio)")
    #expect(ratio < 1.25, "error over sigma \(ratio)")
  }

  @Test("Learns that a radio is noisier, or quieter, than stated")
  func learns() {
    for (stated, actual) in [(0.1, 0.15), (0.1, 0.075)] {
      var filter = RangeFilter()
      for step in RangeWalk(count: 2000, seconds: 0.05, sigma: actual, seed: 3).steps {
        filter.update(range: step.range, sigma: stated, isLikelyNonLineOfSight: nil, at: step.time)
      }
      let learnt = stated * filter.noiseScale.squareRoot()
      #expect((learnt / actual - 1).magnitude < 0.2, "learnt \(learnt) for \(actual)")
    }
  }

  @Test("With rare ranges it learns how calm a peer is, and discounts ranges that are too long")
  func calmPeer() {
    for seed in UInt64(0)..<5 {
      var steps = RangeWalk(count: 120, seconds: 2, sigma: 0.08, seed: seed) { 5 + 0.5 * sin($0 / 15) }.steps
      for index in stride(from: 60, to: 120, by: 7) { steps[index].range += 1 }
      let estimates = run(steps)
      let late = zip(estimates, steps).dropFirst(60).map { ($0?.distance ?? 99) - $1.truth }
      let raw = steps.dropFirst(60).map { $0.range - $0.truth }
      func rms(_ errors: [Double]) -> Double {
        (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
      }
      #expect(rms(late) < 0.85 * rms(raw), "seed \(seed): \(rms(late)) of \(rms(raw))")
    }
  }

  @Test("Gives no estimate after one range, and starts with two that agree")
  func starts() {
    var filter = RangeFilter()
    #expect(filter.update(range: 5, sigma: 0.1, isLikelyNonLineOfSight: nil, at: .zero) == nil)
    #expect(filter.lastInnovation?.verdict == .pending)
    let second = filter.update(
      range: 5.1, sigma: 0.1, isLikelyNonLineOfSight: nil, at: .milliseconds(200))
    #expect(second.map { ($0.distance - 5.05).magnitude < 0.1 } == true)
  }

  @Test("Overcomes a first range that is off by metres", arguments: [-4.0, -2, 2, 30, 200])
  func startsPastOutlier(by metres: Double) {
    var steps = still(20)
    steps[0].range += metres
    let estimates = run(steps)
    #expect(estimates[1] == nil)
    #expect(estimates[2] != nil)
    #expect(largestError(estimates, steps) < 0.3)
  }

  @Test(
    "With a single bad frame the error stays under 0.3 m", arguments: [-4.5, -2, -1, 1, 2, 5, 226],
    [0.01, 0.05, 0.1, 0.2])
  func oneOutlier(by metres: Double, seconds: Double) {
    for at in 8..<20 {
      var steps = still(40, seconds: seconds, seed: UInt64(at))
      steps[at].range += metres
      let error = largestError(run(steps), steps)
      #expect(error < 0.3, "\(error) m at \(at)")
    }
  }

  @Test("While a peer walks, 660 bad frames cause at most two wrong estimates")
  func oneOutlierWalking() {
    var shown: [UInt64] = []
    for seed in UInt64(0)..<20 {
      var random = RangingRandom(seed: seed)
      var steps = RangeWalk(count: 400, seconds: 0.2, jitter: 0.3, sigma: 0.08, seed: seed).steps
      for at in stride(from: 10, to: 400, by: 12) {
        steps[at].range += (random.uniform() < 0.5 ? -1 : 1) * (2 + 10 * random.uniform())
      }
      let wrong = zip(run(steps), steps).filter { pair in
        pair.0.map { ($0.distance - pair.1.truth).magnitude > 0.7 } ?? false
      }
      shown += wrong.map { _ in seed }
    }
    // Of 660 bad frames, one happens to match an old track that was rightly remembered.
    #expect(shown.count <= 2, "seeds \(shown)")
  }

  @Test("Bridges a burst of bad frames that agree with each other", arguments: [-12.0, -3, 3, 12])
  func burst(by metres: Double) {
    var steps = still(60)
    for at in 20..<23 { steps[at].range += metres }
    #expect(largestError(run(steps), steps) < 0.25)
  }

  @Test(
    "With a third of all frames wild, at most 1 % of the estimates are off by over a metre",
    arguments: UInt64(0)..<10)
  func wild(seed: UInt64) {
    var random = RangingRandom(seed: seed)
    var steps = RangeWalk(count: 500, seconds: 0.1, sigma: 0.08, density: 0.3, seed: seed).steps
    for index in steps.indices where random.uniform() < 0.33 {
      steps[index].range += 3 + 40 * random.uniform()
    }
    let estimates = run(steps)
    let far = zip(estimates, steps).filter { pair in
      pair.0.map { ($0.distance - pair.1.truth).magnitude > 1 } ?? false
    }
    #expect(far.count <= 5, "seed \(seed): \(far.count)")
  }

  @Test(
    "A path that is blocked for less than a second causes an error under 0.55 m",
    arguments: [0.07, 0.1, 0.2],
    [(0.8, 0.25), (1.5, 0.45), (2.5, 0.75), (6, 0.95)])
  func blockedBriefly(seconds: Double, burst: (metres: Double, seconds: Double)) {
    for seed in UInt64(0)..<10 {
      var steps = RangeWalk(count: Int(8 / seconds), seconds: seconds, sigma: 0.06, seed: seed) {
        5 + 0.5 * sin($0)
      }.steps
      for index in steps.indices where (3..<(3 + burst.seconds)).contains(steps[index].time / .seconds(1)) {
        steps[index].range += burst.metres
      }
      let estimates = run(steps)
      #expect(largestError(estimates, steps) < 0.55, "seed \(seed)")
      let after = zip(estimates, steps).filter { $0.1.time > .seconds(4) }
      let worst = after.map { (($0.0?.distance ?? 99) - $0.1.truth).magnitude }.max() ?? 99
      #expect(worst < 0.3, "seed \(seed)")
    }
  }

  @Test(
    "Recovers with the first direct range after the path was blocked for two seconds", arguments: [1.0, 2.0])
  func directAgain(metres: Double) {
    for seed in UInt64(0)..<10 {
      var steps = RangeWalk(count: 120, seconds: 0.07, sigma: 0.06, seed: seed) { _ in 5 }.steps
      for index in 40..<70 { steps[index].range += metres }
      let estimates = run(steps)
      #expect((estimates[69]?.distance ?? 0) > 5 + 0.8 * metres, "seed \(seed): blocked for 2 s")
      for index in 70..<120 {
        #expect(((estimates[index]?.distance ?? 0) - 5).magnitude < 0.3, "seed \(seed) at \(index)")
      }
    }
  }

  @Test("Follows a peer that suddenly runs off", arguments: [0.05, 0.1, 0.2])
  func dash(seconds: Double) {
    for seed in UInt64(0)..<10 {
      // From rest at 4 m/s² to 2 m/s.
      let steps = RangeWalk(count: Int(8 / seconds), seconds: seconds, sigma: 0.06, seed: seed) {
        let t = max(0, $0 - 3)
        return t < 0.5 ? 5 + 2 * t * t : 5.5 + 2 * (t - 0.5)
      }.steps
      #expect(largestError(run(steps), steps) < 0.7, "seed \(seed)")
    }
  }

  @Test("After a gap, two good ranges outweigh a wild one", arguments: [-3.0, 3, 6])
  func wildBehindGap(metres: Double) {
    var steps = still(60)
    for index in 30..<60 { steps[index].time += .seconds(5) }
    steps[30].range += metres
    for (index, estimate) in run(steps).enumerated().dropFirst(33) {
      #expect(((estimate?.distance ?? 0) - 5).magnitude < 0.3, "at \(index)")
    }
  }

  @Test("Follows a lasting jump within 1.4 s", arguments: [-8.0, -2, 2, 8, 40], [0.02, 0.1, 0.2])
  func reacquires(by metres: Double, seconds: Double) {
    let count = Int(6 / seconds)
    let steps = RangeWalk(count: count, seconds: seconds, sigma: 0.05, seed: 7) {
      $0 < 3 ? 12 : 12 + metres
    }.steps
    for (estimate, step) in zip(run(steps), steps) where step.time > .seconds(4.4) {
      #expect(estimate.map { ($0.distance - step.truth).magnitude < 0.3 } == true, "\(step.time)")
    }
  }

  @Test("The sigma grows during a gap, and the peer is found again after it")
  func gap() {
    var steps = still(30)
    for index in 15..<30 {
      steps[index].time += .seconds(40)
      steps[index].range += 9
      steps[index].truth += 9
    }
    var filter = RangeFilter()
    for step in steps.prefix(15) {
      filter.update(range: step.range, sigma: 0.1, isLikelyNonLineOfSight: nil, at: step.time)
    }
    let sigmas = [0.0, 0.3, 1, 2, 5, 30].compactMap {
      filter.predicted(at: steps[14].time + .seconds($0))?.sigma
    }
    #expect(sigmas.count == 6)
    #expect(sigmas == sigmas.sorted())
    #expect(sigmas[1] < 0.3)
    #expect(sigmas[3] > 0.9)
    #expect(sigmas[5] > 4)
    for (index, step) in steps.enumerated().dropFirst(15) {
      let estimate = filter.update(
        range: step.range, sigma: 0.1, isLikelyNonLineOfSight: nil, at: step.time)
      if index == 15 { #expect(estimate == nil) }
      if index > 15 { #expect(estimate.map { ($0.distance - 14).magnitude < 0.3 } == true) }
    }
  }

  @Test(
    "The lag behind a peer that walks off at 1 m/s is under 0.15 s", arguments: [0.01, 0.1, 0.2, 0.5],
    [0.05, 0.1, 0.15])
  func lag(seconds: Double, sigma: Double) {
    var error = 0.0
    var count = 0.0
    for seed in 0..<20 {
      let walk = RangeWalk(count: Int(16 / seconds), seconds: seconds, sigma: sigma, seed: UInt64(seed)) {
        $0 < 4 ? 3 : 3 + ($0 - 4)
      }
      for (estimate, step) in zip(run(walk.steps, sigma: sigma), walk.steps) where step.time > .seconds(4.5) {
        guard let estimate else { continue }
        error += step.truth - estimate.distance
        count += 1
      }
    }
    #expect(error / count < 0.15, "lag \(error / count) s")
  }

  @Test("Follows a peer that turns round every few seconds", arguments: [0.02, 0.1, 0.2])
  func turns(seconds: Double) {
    let walk = RangeWalk(count: Int(60 / seconds), seconds: seconds, sigma: 0.08, seed: 5) {
      let phase = ($0 / 6).truncatingRemainder(dividingBy: 1)
      return 4 + 3 * (phase < 0.5 ? 2 * phase : 2 - 2 * phase)
    }
    let samples = zip(run(walk.steps), walk.steps).map {
      RangeScore.Comparison(time: $1.time, estimate: $0?.distance, truth: $1.truth, range: $1.range)
    }
    let score = RangeScore(series: [samples])
    #expect(score.lag.map { $0 < 0.1 } == true, "lag \(String(describing: score.lag))")
    #expect(score.largest < 0.45, "\(score)")
    #expect(score.rmse < 0.1, "\(score)")
  }

  @Test("Keeps up with a runner at 3 m/s when a third of the frames is lost", arguments: UInt64(0)..<10)
  func runner(seed: UInt64) {
    var random = RangingRandom(seed: seed + 100)
    // Accelerates for 1.2 s, keeps its speed for 12 s, and decelerates for 1.2 s.
    let steps = RangeWalk(count: 150, seconds: 0.2, sigma: 0.1, seed: seed) { time in
      let t = max(0, time - 4)
      let gathered = min(t, 1.2)
      let slowed = min(max(0, t - 13.2), 1.2)
      let even = min(max(0, t - 1.2), 12)
      return 60 - 1.25 * gathered * gathered - 3 * even - (3 * slowed - 1.25 * slowed * slowed)
    }.steps.filter { _ in random.uniform() > 0.33 }
    let errors = zip(run(steps), steps).dropFirst(2).map { pair in
      pair.0.map { ($0.distance - pair.1.truth).magnitude } ?? 9
    }
    #expect((errors.max() ?? 9) < 0.9, "seed \(seed)")
    #expect(RangeScore.median(errors) < 0.25, "seed \(seed)")
  }

  /// The distances that the filter states after a walk at about 17 m, a silence, one good range, and wild ranges that
  /// agree with each other.
  private func afterSilence(_ silence: Double, wild: [Double], every: Double = 0.1) -> [Double?] {
    var filter = RangeFilter()
    for step in 0..<60 {
      let time = Duration.seconds(Double(step) * 0.1)
      filter.update(
        range: 17 + 0.03 * Double(step % 3 - 1), sigma: 0.1, isLikelyNonLineOfSight: nil, at: time)
    }
    let ranges = [17.4] + wild
    return ranges.enumerated().map { index, range in
      let time = Duration.seconds(5.9 + silence + every * Double(index))
      return filter.update(range: range, sigma: 0.1, isLikelyNonLineOfSight: nil, at: time)?.distance
    }
  }

  @Test(
    "After a silence, three wild ranges that agree don't move a peer further than it can go",
    arguments: [2.0, 4, 8])
  func wildAfterSilence(silence: Double) {
    let distances = afterSilence(silence, wild: [62.1, 62.0, 62.05])
    #expect(distances.allSatisfy { $0.map { ($0 - 17.4).magnitude < 1.5 } == true }, "\(distances)")
  }

  @Test("After a silence, a peer that is where it can have walked to is followed after two or three ranges")
  func walkedInSilence() {
    let distances = afterSilence(5, wild: [29.0, 29.1, 29.0, 29.1])
    #expect(distances.last.flatMap { $0 }.map { ($0 - 29).magnitude < 0.5 } == true, "\(distances)")
  }

  @Test("More evidence moves a peer as far as it says: a second of it")
  func muchEvidence() {
    let distances = afterSilence(4, wild: (0..<14).map { 62 + 0.02 * Double($0 % 3) })
    #expect(distances.last.flatMap { $0 }.map { ($0 - 62).magnitude < 0.5 } == true, "\(distances)")
  }

  @Test("Any numbers give valid estimates", arguments: UInt64(0)..<20)
  func anyNumbers(seed: UInt64) {
    var random = RangingRandom(seed: seed)
    func any() -> Double {
      random.uniform() < 0.5 ? Double(bitPattern: random.next()) : 20 * random.normal()
    }
    var estimator = PeerEstimator()
    for _ in 0..<2000 {
      let time = Duration.nanoseconds(Int64(truncatingIfNeeded: random.next() >> (random.next() % 40)))
      estimator.update(
        PeerReading(
          time: time, range: any(), rangeSigma: any(),
          isLikelyNonLineOfSight: random.uniform() < 0.5,
          angle: PeerAngle(azimuth: any(), elevation: any(), azimuthSigma: any(), elevationSigma: any())))
      let estimate = estimator.estimate(at: time)
      let isSound =
        estimate.distance.map { $0.distance >= 0 && $0.sigma > 0 && $0.rate.isFinite } ?? true
      #expect(isSound, "seed \(seed)")
      let length = estimate.direction.map { ($0.direction * $0.direction).sum() } ?? 1
      #expect((length - 1).magnitude < 1e-6, "seed \(seed)")
    }
  }

  @Test("A range that is likely without line of sight has less weight")
  func blocked() {
    for flagged in [false, true] {
      var filter = RangeFilter()
      for step in still(20) {
        filter.update(range: step.range, sigma: 0.1, isLikelyNonLineOfSight: nil, at: step.time)
      }
      let estimate = filter.update(
        range: 5.3, sigma: 0.1, isLikelyNonLineOfSight: flagged, at: .seconds(2))
      let moved = (estimate?.distance ?? 0) - 5
      #expect(flagged ? moved < 0.06 : moved > 0.03, "\(moved)")
    }
  }

  @Test("Ignores impossible ranges, sigmas and times")
  func impossible() {
    var filter = RangeFilter()
    let bad = [Double.nan, .infinity, -.infinity, -5, 1e12, .greatestFiniteMagnitude]
    for value in bad {
      #expect(filter.update(range: value, sigma: 0.1, isLikelyNonLineOfSight: nil, at: .zero) == nil)
      #expect(filter.lastInnovation?.verdict == .ignored)
    }
    for step in still(10) {
      filter.update(range: step.range, sigma: .nan, isLikelyNonLineOfSight: nil, at: step.time)
    }
    for value in bad {
      filter.update(range: value, sigma: 0.1, isLikelyNonLineOfSight: nil, at: .seconds(1))
      filter.update(range: 5, sigma: value, isLikelyNonLineOfSight: true, at: .seconds(1))
    }
    filter.update(range: 9, sigma: 0.1, isLikelyNonLineOfSight: nil, at: .seconds(-50))
    let estimate = filter.predicted(at: .seconds(1))
    #expect(estimate.map { ($0.distance - 5).magnitude < 0.2 && $0.sigma.isFinite } == true)
    #expect(filter.predicted(at: .seconds(1_000_000_000))?.sigma.isFinite == true)
  }

  @Test("Never gives a negative distance")
  func touching() {
    let steps = RangeWalk(count: 200, seconds: 0.1, sigma: 0.1, seed: 2) { _ in 0.02 }.steps
    #expect(run(steps).allSatisfy { $0.map { $0.distance >= 0 } ?? true })
  }

  @Test("Accepts many ranges of the same time")
  func oneTime() {
    var filter = RangeFilter()
    for _ in 0..<1000 {
      filter.update(range: 5, sigma: 0.1, isLikelyNonLineOfSight: nil, at: .seconds(1))
    }
    #expect(filter.predicted(at: .seconds(1)).map { $0.sigma.isFinite && $0.distance == 5 } == true)
  }

  @Test("A range filter takes under 512 octets, and a peer estimator under 1024")
  func small() {
    #expect(MemoryLayout<PeerEstimator>.size < 1024)
    #expect(MemoryLayout<RangeFilter>.size < 512)
  }
}
