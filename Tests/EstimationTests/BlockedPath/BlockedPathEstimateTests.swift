import Foundation
import NearbyEstimation
import NearbyRecordings
import TestSupport
import Testing

@Suite("Estimates with probabilities of blocked paths")
struct BlockedPathEstimateTests {
  private struct Sample {
    var reading: PeerReading
    var truth: Double
  }

  /// A peer that walks to and fro while somebody stands in between for seconds at a time. The probability is as good as
  /// the model's in rooms that it has not seen: it is wrong in one of eight ranges.
  private func walk(seed: UInt64) -> [Sample] {
    var random = RangingRandom(seed: seed)
    var excess = 0.0
    return (0..<400).map { index in
      let seconds = Double(index) * 0.1
      let isBlocked = Int(seconds / 4) % 3 == 1
      if index % 40 == 0 { excess = 0.2 + random.uniform() }
      let truth = 6 + 2 * sin(seconds / 5)
      let isRight = random.uniform() > 0.125
      let probability = isBlocked == isRight ? 0.8 + 0.2 * random.uniform() : 0.3 * random.uniform()
      let range = truth + 0.05 * random.normal() + (isBlocked ? excess : 0)
      return Sample(
        reading: PeerReading(
          time: .milliseconds(index * 100), range: range, blockedProbability: probability), truth: truth)
    }
  }

  /// Mean error, and the share of distances within 2.5 stated sigmas.
  private func errors(_ samples: [Sample], knows: Bool) -> (mean: Double, within: Double) {
    var estimator = PeerEstimator()
    var (sum, within, count) = (0.0, 0.0, 0.0)
    for sample in samples {
      var reading = sample.reading
      if !knows { reading.blockedProbability = nil }
      estimator.update(reading)
      guard let distance = estimator.estimate(at: reading.time).distance else { continue }
      let error = (distance.distance - sample.truth).magnitude
      sum += error
      count += 1
      if error <= 2.5 * distance.sigma { within += 1 }
    }
    return (sum / count, within / count)
  }

  @Test("Distances through obstacles are better with it, and within the stated sigma")
  func distances() {
    let walks = (0..<20).map { walk(seed: $0) }
    let without = walks.map { errors($0, knows: false) }
    let with = walks.map { errors($0, knows: true) }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    #expect(mean(with.map(\.mean)) < 0.9 * mean(without.map(\.mean)))
    #expect(mean(with.map(\.within)) > 0.95)
    #expect(mean(without.map(\.within)) < 0.95)
  }

  @Test("Places behind obstacles are at least a tenth better with it")
  func places() {
    func error(seed: UInt64, knows: Bool) -> Double? {
      var walk = AssistanceWalk.brief
      walk.place = AssistanceWalk.circle()
      // A wall stands in the way on a third of each round.
      let isBlocked = { (seconds: Double) in Int(seconds / 3) % 3 == 0 }
      walk.disturbance = { isBlocked($0) ? 0.4 + 0.3 * sin(9 * $0) : 0 }
      var random = RangingRandom(seed: seed + 1000)
      var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
      var last: SIMD3<Double>?
      for step in walk.steps(seed: seed) {
        var reading = step.reading
        let isRight = random.uniform() > 0.125
        let probability = isBlocked(reading.time / .seconds(1)) == isRight ? 0.9 : 0.15
        if knows { reading.blockedProbability = probability }
        locator.update(reading)
        last = locator.estimate(at: reading.time, pose: reading.pose)?.positionInWorld ?? last
      }
      return last.map { place in
        let offset = place - walk.target
        return (offset.x * offset.x + offset.y * offset.y).squareRoot()
      }
    }
    let seeds = (0..<12).map(UInt64.init)
    let without = seeds.map { error(seed: $0, knows: false) ?? 5 }
    let with = seeds.map { error(seed: $0, knows: true) ?? 5 }
    #expect(with.reduce(0, +) < 0.9 * without.reduce(0, +), "\(with) \(without)")
  }

  @Test(
    "A receiver's mark does not change distances, but widens their sigma; without a judgement nothing changes"
  )
  func marks() {
    let samples = walk(seed: 3)
    func run(_ mark: Bool?) -> [RangeEstimate?] {
      var estimator = PeerEstimator()
      return samples.map { sample in
        var reading = sample.reading
        reading.blockedProbability = nil
        reading.isLikelyNonLineOfSight = mark
        estimator.update(reading)
        return estimator.estimate(at: reading.time).distance
      }
    }
    let (unjudged, clear, blocked) = (run(nil), run(false), run(true))
    #expect(clear.map { $0?.distance } == unjudged.map { $0?.distance })
    for (index, sample) in samples.enumerated() {
      guard let usual = unjudged[index], let clear = clear[index], let blocked = blocked[index] else {
        continue
      }
      #expect(clear.sigma > usual.sigma && clear.sigma < blocked.sigma, "\(sample.reading.time)")
    }
    #expect(BlockedPathModel.probability(isMarked: false) < 0.1)
    #expect((0.2...0.5).contains(BlockedPathModel.probability(isMarked: true)))
  }

  @Test("Recorded marks are read as 0 and 1, and anything else says nothing")
  func recordedMarks() {
    let ranges = (0..<4).map { RecordedRange(time: .seconds($0), tag: nil, object: "a", range: 6.1) }
    func marks(_ values: RecordedColumn.Values) -> [Bool?] {
      Recording(ranges: ranges, extraColumns: [RecordedColumn(name: "looks_nlos", values: values)])
        .blockedMarks()
    }
    #expect(marks(.numbers([0, 1, .nan, 255])) == [false, true, nil, nil])
    #expect(marks(.text(["0.0", "1", "", "yes"])) == [false, true, nil, nil])
    #expect(marks(.numbers([0])) == [])
    #expect(Recording(ranges: ranges).blockedMarks() == [])
  }

  @Test("A probability of 0 is a range in sight, and one that is not a number is none")
  func neutral() {
    let samples = walk(seed: 3)
    var estimators = [PeerEstimator(), PeerEstimator(), PeerEstimator()]
    for sample in samples {
      var readings = [sample.reading, sample.reading, sample.reading]
      readings[0].blockedProbability = nil
      readings[1].blockedProbability = 0
      readings[2].blockedProbability = .nan
      for index in readings.indices { estimators[index].update(readings[index]) }
      let estimates = estimators.map { $0.estimate(at: sample.reading.time) }
      #expect(estimates[1] == estimates[0] && estimates[2] == estimates[0])
    }
  }

  @Test("Recordings give a probability where they have the figures of the first path")
  func recordings() {
    let ranges = (0..<3).map {
      RecordedRange(time: .seconds($0), tag: nil, object: "a", range: 6.1)
    }
    func column(_ name: String, _ values: [Double]) -> RecordedColumn {
      RecordedColumn(name: name, values: .numbers(values))
    }
    let power = column("rx_dbm", [-79.8, -81.2, .nan])
    #expect(Recording(ranges: ranges, extraColumns: [power]).blockedProbabilities().isEmpty)
    let both = Recording(ranges: ranges, extraColumns: [power, column("fp_dbm", [-83, -97.4, .nan])])
    let probabilities = both.blockedProbabilities()
    #expect(probabilities.count == 3 && probabilities[2] == nil)
    #expect(probabilities[0].map { $0 < 0.2 } == true && probabilities[1].map { $0 > 0.8 } == true)
  }
}
