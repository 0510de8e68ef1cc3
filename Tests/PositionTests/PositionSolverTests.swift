import NearbyPosition
import Testing

@Suite("Position among anchors")
struct PositionSolverTests {
  /// Feeds `seconds` of measurements; tallies from five seconds on.
  private func run(
    _ tag: inout SimulatedTag, _ solver: inout PositionSolver, seconds: Double,
    _ next: (inout SimulatedTag) -> PositionMeasurement = { $0.difference() }
  ) -> ErrorTally {
    var tally = ErrorTally()
    let end = tag.time + seconds
    let settled = tag.time + 5
    while tag.time < end {
      solver.add(next(&tag))
      if tag.time > settled { tally.add(solver.estimate(), tag.position(at: tag.time)) }
    }
    return tally
  }

  @Test("Differences give a position without a first guess, with an honest sigma", arguments: UInt64(1)...4)
  func differences(seed: UInt64) throws {
    var tag = SimulatedTag(seed: seed)
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    let tally = run(&tag, &solver, seconds: 25)
    #expect(tally.rmse < 0.25, "seed \(seed): \(tally.rmse)")
    // Mean of a χ² with one degree of freedom is 1. Errors last about a second, so 20 s are some 20 samples of 3.
    #expect((0.15...1.6).contains(tally.meanNormalised), "seed \(seed): \(tally.meanNormalised)")
    #expect(tally.missing == 0)
    #expect(tally.wrong == 0)
    let velocity = try #require(solver.estimate().velocity)
    #expect((velocity * velocity).sum().squareRoot() < 2.5)
  }

  @Test("Ranges, and ranges mixed with differences, give a position", arguments: [0, 3])
  func ranges(every: Int) throws {
    var tag = SimulatedTag(seed: 5)
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    var count = 0
    let tally = run(&tag, &solver, seconds: 20) { tag in
      count += 1
      return every > 0 && count.isMultiple(of: every) ? tag.difference() : tag.range()
    }
    #expect(tally.rmse < 0.2, "\(tally.rmse)")
    #expect(tally.wrong == 0)
  }

  @Test("A phone's four messages a second from four anchors are enough")
  func sparse() throws {
    var tag = SimulatedTag(seed: 9)
    tag.radius = 0
    tag.wild = 0
    tag.rate = 16
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    let tally = run(&tag, &solver, seconds: 30)
    #expect(tally.count > 300)
    #expect(tally.rmse < 0.4, "\(tally.rmse)")
    #expect(tally.wrong == 0)
  }

  @Test("A tag at 3 m/s is followed")
  func fast() throws {
    var tag = SimulatedTag(seed: 3)
    tag.speed = 3
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    let tally = run(&tag, &solver, seconds: 25)
    #expect(tally.rmse < 0.5, "\(tally.rmse)")
    #expect(tally.wrong == 0)
  }

  @Test("The same measurements give the same estimates")
  func deterministic() throws {
    var ends: [PositionEstimate] = []
    for _ in 0..<2 {
      var tag = SimulatedTag(seed: 11)
      var solver = try PositionSolver(anchors: SimulatedTag.anchors)
      _ = run(&tag, &solver, seconds: 8)
      ends.append(solver.estimate())
    }
    #expect(ends[0] == ends[1])
    #expect(ends[0].position != nil)
  }

  // MARK: Faults

  /// Faults that the solver sees: each must leave no position that is wrong with a small sigma.
  enum Fault: String, CaseIterable {
    case misplacedAnchor, swappedAnchors, offsetAnchor, surveyErrors, wildAnchor
  }

  @Test(
    "A fault never gives a wrong position with a small sigma", arguments: Fault.allCases, [UInt64(1), 2, 3])
  func faults(fault: Fault, seed: UInt64) throws {
    var tag = SimulatedTag(seed: seed)
    switch fault {
    case .misplacedAnchor: tag.places[2] += SIMD3(2.5, 0, 1)
    case .swappedAnchors: tag.places.swapAt(1, 6)
    case .offsetAnchor: tag.offsets[5] = 3
    case .surveyErrors:
      for index in tag.places.indices { tag.places[index].x += index.isMultiple(of: 2) ? 0.15 : -0.15 }
    case .wildAnchor: tag.wild = 0.18
    }
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    let tally = run(&tag, &solver, seconds: 14)
    #expect(tally.wrong == 0, "\(fault) seed \(seed)")
    #expect(tally.rmse < 1, "\(fault) seed \(seed): \(tally.rmse)")
  }

  @Test("After an outage there is no position, then one at the new place")
  func outage() throws {
    var tag = SimulatedTag(seed: 21)
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    _ = run(&tag, &solver, seconds: 8)
    #expect(solver.estimate().unavailable == nil)
    #expect(solver.estimate(at: tag.time + 0.5).position != nil)
    #expect(solver.estimate(at: tag.time + 1.5).unavailable == .outage)
    let end = tag.time + 7
    while tag.time < end { _ = tag.difference() }
    let tally = run(&tag, &solver, seconds: 10)
    #expect(tally.rmse < 0.3, "\(tally.rmse)")
  }

  @Test("A tag that was carried away unheard is found again")
  func teleported() throws {
    var tag = SimulatedTag(seed: 22)
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    _ = run(&tag, &solver, seconds: 8)
    var other = SimulatedTag(seed: 23)
    other.radius = 0
    while other.time < tag.time { _ = other.difference() }
    let tally = run(&other, &solver, seconds: 10)
    #expect(tally.rmse < 0.3, "\(tally.rmse)")
    #expect(tally.wrong == 0)
  }

  // MARK: Reasons

  @Test("Three anchors are too few unless the height is known")
  func tooFewAnchors() throws {
    var tag = SimulatedTag(seed: 31)
    tag.radius = 0
    tag.wild = 0
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    #expect(solver.estimate().unavailable == .startingUp)
    for _ in 0..<200 { solver.add(tag.difference(anchors: 3)) }
    #expect(solver.estimate().unavailable == .tooFewAnchors)
    var options = PositionOptions()
    options.heights = 1.2...1.4
    solver = try PositionSolver(anchors: SimulatedTag.anchors, options: options)
    for _ in 0..<200 { solver.add(tag.range(anchors: 3)) }
    let position = try #require(solver.estimate().position)
    let error = position - tag.position(at: tag.time)
    #expect((error * error).sum().squareRoot() < 0.5, "\(position)")
  }

  @Test("Anchors on one ceiling leave two mirror images, unless the height is known")
  func ceiling() throws {
    let anchors = SimulatedTag.anchors.prefix(4).map {
      PositionAnchor(id: $0.id, position: SIMD3($0.position.x, $0.position.y, 3))
    }
    var tag = SimulatedTag(seed: 32)
    tag.places = anchors.map(\.position) + tag.places.suffix(4)
    tag.radius = 0
    tag.wild = 0
    var solver = try PositionSolver(anchors: anchors)
    var options = PositionOptions()
    options.heights = 0.5...2
    var informed = try PositionSolver(anchors: anchors, options: options)
    for _ in 0..<600 {
      let measurement = tag.range(anchors: 4)
      solver.add(measurement)
      informed.add(measurement)
    }
    #expect(solver.estimate().unavailable == .geometry)
    let position = try #require(informed.estimate().position)
    let error = position - tag.position(at: tag.time)
    #expect((error * error).sum().squareRoot() < 0.5, "\(position)")
  }

  @Test(
    "Known heights bound the stated height and its sigma as long as a track lasts, and half-open ones do not")
  func knownHeights() throws {
    let anchors = SimulatedTag.anchors.map {
      PositionAnchor(id: $0.id, position: SIMD3($0.position.x, $0.position.y, 2.6 + 0.1 * $0.position.z))
    }
    var tag = SimulatedTag(seed: 34)
    tag.places = anchors.map(\.position)
    tag.rate = 20
    var options = PositionOptions()
    options.heights = 0.9...1.9
    var informed = try PositionSolver(anchors: anchors, options: options)
    options.heights = 0.9 ... .infinity
    var halfOpen = try PositionSolver(anchors: anchors, options: options)
    var (given, within, largest) = (0, 0, 0.0)
    for number in 0..<1200 {
      let measurement = tag.difference()
      informed.add(measurement)
      halfOpen.add(measurement)
      let estimate = informed.estimate()
      guard number >= 100, let position = estimate.position else { continue }
      given += 1
      let error = position - tag.position(at: tag.time)
      within += error.z.magnitude < 2.5 * estimate.positionSigma.z ? 1 : 0
      largest = max(largest, estimate.positionSigma.z)
    }
    #expect(given > 1080, "of 1100")
    #expect(within > given * 95 / 100 && largest < 0.6, "\(within) of \(given), \(largest) m")
    #expect(halfOpen.estimate().columns.2.z > 1)
  }

  @Test("Measurements that contradict each other give no position")
  func contradiction() throws {
    var tag = SimulatedTag(seed: 33)
    tag.wild = 1
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    let tally = run(&tag, &solver, seconds: 20)
    #expect(tally.wrong == 0)
    #expect(tally.missing > 0)
  }
}
