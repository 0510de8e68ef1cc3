import NearbyPosition
import Testing

@Suite("Bad input to a position")
struct PositionInputTests {
  private static let anchors = SimulatedTag.anchors

  @Test("Anchors that can't be used are errors that say why")
  func anchors() throws {
    let good = Self.anchors
    #expect(throws: PositionError.tooFewAnchors(count: 2)) {
      try PositionSolver(anchors: Array(good.prefix(2)))
    }
    #expect(throws: PositionError.duplicateAnchor(id: 100)) { try PositionSolver(anchors: good + [good[0]]) }
    let twin = PositionAnchor(id: 7, position: good[3].position + SIMD3(0.001, 0, 0))
    #expect(throws: PositionError.anchorsCoincide(7, 103)) { try PositionSolver(anchors: good + [twin]) }
    for position in [SIMD3(Double.nan, 0, 0), SIMD3(0, .infinity, 0), SIMD3(0, 0, 1e9)] {
      let anchor = PositionAnchor(id: 7, position: position)
      #expect(throws: PositionError.invalidAnchor(id: 7)) { try PositionSolver(anchors: good + [anchor]) }
    }
    let unsure = PositionAnchor(id: 7, position: .zero, surveySigma: -1)
    #expect(throws: PositionError.invalidAnchor(id: 7)) { try PositionSolver(anchors: good + [unsure]) }
  }

  private static func measurement(
    _ time: Double, _ from: Int, _ to: Int, _ metres: Double, _ sigma: Double? = nil
  ) -> PositionMeasurement {
    PositionMeasurement(time: time, kind: .difference(from: from, to: to), metres: metres, sigma: sigma)
  }

  @Test(
    "A measurement that can't be used is rejected with its reason",
    arguments: [
      (measurement(.nan, 100, 101, 1), MeasurementRejection.notFinite),
      (measurement(99, 100, 101, .nan), .notFinite), (measurement(99, 100, 101, -.infinity), .notFinite),
      (measurement(99, 100, 101, 1, 0), .notFinite), (measurement(99, 100, 101, 1, .nan), .notFinite),
      (measurement(99, 100, 9, 1), .unknownAnchor), (measurement(99, 9, 100, 1), .unknownAnchor),
      (measurement(99, 100, 100, 0), .sameAnchor), (measurement(-1, 100, 101, 0), .outOfOrder),
      (measurement(99, 100, 101, 20.2), .impossible),
      (PositionMeasurement(time: 99, kind: .range(to: 100), metres: -2), .impossible),
      (PositionMeasurement(time: 99, kind: .range(to: 100), metres: 1e8), .impossible),
    ])
  func rejected(measurement: PositionMeasurement, reason: MeasurementRejection) throws {
    var solver = try PositionSolver(anchors: Self.anchors)
    var tag = SimulatedTag(seed: 1)
    for _ in 0..<600 { solver.add(tag.difference()) }
    let before = solver.estimate()
    let count = solver.rejected(for: reason)
    #expect(solver.add(measurement) == .rejected(reason))
    #expect(solver.rejected(for: reason) == count + 1)
    let after = solver.estimate()
    #expect(after.position == before.position)
    #expect(after.rejected == before.rejected + 1)
  }

  @Test(
    "Random numbers never give a wrong position with a small sigma, and never NaN", arguments: UInt64(1)...3)
  func hostile(seed: UInt64) throws {
    var tag = SimulatedTag(seed: seed)
    var solver = try PositionSolver(anchors: Self.anchors)
    var tally = ErrorTally()
    let odd = [Double.nan, .infinity, 1e300, -1e300, 0, .leastNonzeroMagnitude, 67.2e6, -20.1]
    for index in 0..<2500 {
      var measurement = tag.difference()
      if index.isMultiple(of: 7) { measurement.metres = odd[index / 7 % odd.count] }
      if index.isMultiple(of: 31) { measurement.time -= 3 }
      if index.isMultiple(of: 37) { measurement.sigma = odd[index / 37 % odd.count] }
      solver.add(measurement)
      let value = odd[index % odd.count]
      solver.add(
        InertialReading(
          time: index.isMultiple(of: 5) ? value : tag.time, rotationRate: SIMD3(0, value, 0),
          acceleration: SIMD3(value, 0, 9.8)))
      let estimate = solver.estimate()
      if let position = estimate.position {
        #expect(position.x.isFinite && position.y.isFinite && position.z.isFinite)
        #expect(estimate.positionSigma.min() > 0.01)
      }
      if index > 1500 { tally.add(estimate, tag.position(at: tag.time)) }
    }
    #expect(tally.wrong == 0, "seed \(seed)")
    #expect(tally.count > 700, "seed \(seed)")
  }

  @Test("Estimates arrive one for each measurement of an asynchronous sequence")
  func sequence() async throws {
    var tag = SimulatedTag(seed: 4)
    let measurements = (0..<800).map { _ in tag.difference() }
    var solver = try PositionSolver(anchors: Self.anchors)
    var expected: [PositionEstimate] = []
    for measurement in measurements {
      solver.add(measurement)
      expected.append(solver.estimate())
    }
    let stream = AsyncStream { continuation in
      for measurement in measurements { continuation.yield(measurement) }
      continuation.finish()
    }
    var found: [PositionEstimate] = []
    for await estimate in stream.positions(with: try PositionSolver(anchors: Self.anchors)) {
      found.append(estimate)
    }
    #expect(found == expected)
    #expect(found.last?.position != nil)
  }
}
