import NearbyPosition
import TestSupport
import Testing

@Suite("Learned biases of anchors") struct AnchorBiasTests {
  /// An error that depends on the direction from the anchor, metres.
  private static func error(_ anchor: Int, _ place: SIMD3<Double>) -> Double {
    let across = place - SimulatedTag.anchors[anchor].position
    let direction = across / (across * across).sum().squareRoot()
    return anchor.isMultiple(of: 2) ? 0.25 * direction.x : -0.2 * direction.y
  }

  private static func difference(_ tag: inout SimulatedTag) -> PositionMeasurement {
    var measurement = tag.difference()
    let place = tag.position(at: tag.time)
    guard case .difference(let from, let to) = measurement.kind else { return measurement }
    measurement.metres += error(to - 100, place) - error(from - 100, place)
    return measurement
  }

  private static func learned(seeds: ClosedRange<UInt64>) throws -> AnchorBias {
    var learner = try AnchorBiasLearner(anchors: SimulatedTag.anchors)
    for seed in seeds {
      var tag = SimulatedTag(seed: seed)
      for _ in 0..<8000 {
        let measurement = difference(&tag)
        learner.add(measurement, at: tag.position(at: tag.time))
      }
    }
    return learner.learned()
  }

  private static func rmse(_ bias: AnchorBias?, seed: UInt64, isBiased: Bool = true) throws -> Double {
    var options = PositionOptions()
    options.bias = bias
    var solver = try PositionSolver(anchors: SimulatedTag.anchors, options: options)
    var tag = SimulatedTag(seed: seed)
    var tally = ErrorTally()
    while tag.time < 30 {
      solver.add(isBiased ? difference(&tag) : tag.difference())
      if tag.time > 5 { tally.add(solver.estimate(), tag.position(at: tag.time)) }
    }
    #expect(tally.wrong == 0)
    return tally.rmse
  }

  @Test("What other runs taught makes the error of a new one smaller", .tags(.slow))
  func smaller() throws {
    let bias = try Self.learned(seeds: 50...53)
    for seed in UInt64(60)...62 {
      let with = try Self.rmse(bias, seed: seed)
      let without = try Self.rmse(nil, seed: seed)
      #expect(with < 0.85 * without, "seed \(seed): \(with) with, \(without) without")
    }
  }

  @Test("Runs without lasting errors teach almost nothing", .tags(.slow))
  func nothing() throws {
    var learner = try AnchorBiasLearner(anchors: SimulatedTag.anchors)
    for seed in UInt64(70)...73 {
      var tag = SimulatedTag(seed: seed)
      for _ in 0..<6000 {
        let measurement = tag.difference()
        learner.add(measurement, at: tag.position(at: tag.time))
      }
    }
    let bias = learner.learned()
    let with = try Self.rmse(bias, seed: 80, isBiased: false)
    let without = try Self.rmse(nil, seed: 80, isBiased: false)
    #expect(with < without + 0.05, "\(with) with, \(without) without")
  }

  @Test("Entries survive saving, and impossible ones are refused")
  func saved() throws {
    let bias = try Self.learned(seeds: 50...50)
    #expect(bias.entries.map(\.id) == Array(100...107))
    let restored = try #require(
      AnchorBias(
        entries: bias.entries.reversed().map {
          AnchorBias.Entry(savedID: $0.id, position: $0.position, terms: $0.terms)
        }))
    #expect(restored == bias)
    let first = bias.entries[0]
    let place = first.position
    for terms in [[], [Double](repeating: .nan, count: 14), [Double](repeating: 11, count: 14)] {
      #expect(AnchorBias(entries: [.init(savedID: 1, position: place, terms: terms)]) == nil)
    }
    #expect(AnchorBias(entries: [first, first]) == nil)
    let lost = AnchorBias.Entry(savedID: 1, position: SIMD3(.nan, 0, 0), terms: first.terms)
    #expect(AnchorBias(entries: [lost]) == nil)
  }

  @Test("A bias of an anchor that was moved is an error")
  func moved() throws {
    var options = PositionOptions()
    options.bias = try Self.learned(seeds: 50...50)
    var anchors = SimulatedTag.anchors
    anchors[2] = PositionAnchor(id: 102, position: anchors[2].position + SIMD3(0.5, 0, 0))
    #expect(throws: PositionError.anchorMoved(id: 102)) {
      try PositionSolver(anchors: anchors, options: options)
    }
    let learner = try AnchorBiasLearner(anchors: SimulatedTag.anchors)
    #expect(throws: PositionError.anchorMoved(id: 102)) { try learner.check(anchors) }
  }

  @Test("What can't teach anything is ignored")
  func ignored() throws {
    var learner = try AnchorBiasLearner(anchors: SimulatedTag.anchors)
    for (from, to, metres) in [(100, 100, 0.0), (100, 7, 0), (100, 101, 1e9), (100, 101, .nan)] {
      learner.add(
        PositionMeasurement(time: 0, kind: .difference(from: from, to: to), metres: metres), at: .zero)
    }
    learner.add(PositionMeasurement(time: 0, kind: .range(to: 101), metres: 5), at: SIMD3(.nan, 0, 0))
    #expect(learner.ignored == 5)
    #expect(learner.used == 0)
    #expect(learner.learned().entries.isEmpty)
  }
}
