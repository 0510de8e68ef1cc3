import NearbyPosition
import Testing

@Suite("Clocks that fail under a position") struct PositionClockTests {
  private static func running(_ tag: inout SimulatedTag) throws -> PositionSolver {
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    for _ in 0..<1200 { solver.add(tag.difference()) }
    #expect(solver.estimate().position != nil)
    return solver
  }

  @Test("A clock that was set back is reported, and positions return on the new clock")
  func setBack() throws {
    var tag = SimulatedTag(seed: 41)
    var solver = try Self.running(&tag)
    let shift = 1000.0
    var reasons: [PositionUnavailable?] = []
    for _ in 0..<800 {
      var measurement = tag.difference()
      measurement.time -= shift
      solver.add(measurement)
      reasons.append(solver.estimate().unavailable)
    }
    #expect(reasons.prefix(60).contains(.clock))
    // Never a position of the old clock after the third measurement of the new one.
    #expect(reasons[2..<9].allSatisfy { $0 == .clock })
    let estimate = solver.estimate()
    let position = try #require(estimate.position)
    let error = position - tag.position(at: tag.time)
    #expect((error * error).sum().squareRoot() < 0.6, "\(position)")
    #expect(estimate.time < tag.time - shift + 1)
  }

  @Test("One stamp far in the future costs seconds, not the rest of the run")
  func wildStamp() throws {
    var tag = SimulatedTag(seed: 42)
    var solver = try Self.running(&tag)
    var wild = tag.difference()
    wild.time += 1e6
    solver.add(wild)
    var reasons: Set<PositionUnavailable> = []
    for _ in 0..<600 {
      solver.add(tag.difference())
      if let reason = solver.estimate().unavailable { reasons.insert(reason) }
    }
    #expect(reasons.contains(.clock))
    let position = try #require(solver.estimate().position)
    let error = position - tag.position(at: tag.time)
    #expect((error * error).sum().squareRoot() < 0.6, "\(position)")
  }

  @Test("Single late measurements are dropped, and the position stays")
  func late() throws {
    var tag = SimulatedTag(seed: 43)
    var solver = try Self.running(&tag)
    for index in 0..<300 {
      var measurement = tag.difference()
      if index.isMultiple(of: 4) { measurement.time -= 0.5 }
      solver.add(measurement)
      #expect(solver.estimate().position != nil)
    }
    #expect(solver.rejected(for: .outOfOrder) == 75)
  }

  @Test("Rounds whose stamps fit no clock are a reason of the position")
  func rounds() throws {
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    for _ in 0..<4 { solver.addRejected(.clock) }
    #expect(solver.estimate().unavailable == .clock)
    #expect(solver.rejected(for: .clock) == 4)
    var tag = SimulatedTag(seed: 44)
    for _ in 0..<400 { solver.add(tag.difference()) }
    #expect(solver.estimate().unavailable == nil)
  }

  @Test("A wrapped stamp gives no measurement, and the rounds after it do")
  func wrappedRound() throws {
    var rounds = try AnchorRounds(anchors: SimulatedTag.anchors)
    let period = 17.2
    func round(_ start: Double) -> [AnchorMessage] {
      // All radios at one clock's rate; the counters wrap together.
      func wrapped(_ seconds: Double) -> Double { seconds - (seconds / period).rounded(.down) * period }
      let places = SimulatedTag.anchors.map(\.position)
      let tag = SIMD3(0.5, 0.2, 1.2)
      func flight(_ anchor: Int) -> Double {
        let across = places[anchor] - tag
        return (across * across).sum().squareRoot() / AnchorRounds.signalSpeed
      }
      return [
        AnchorMessage(
          kind: .poll, anchor: 100, transmitTime: wrapped(start), receiveTime: wrapped(start + flight(0))),
        AnchorMessage(
          kind: .response, anchor: 101, transmitTime: wrapped(start + 0.004),
          receiveTime: wrapped(start + 0.004 + flight(1))),
        AnchorMessage(
          kind: .final, anchor: 100, transmitTime: wrapped(start + 0.008),
          receiveTime: wrapped(start + 0.008 + flight(0))),
      ]
    }
    let truth = round(1)
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    var accepted = 0
    for index in 0..<200 {
      let start = 0.2 * Double(index) + 0.0975
      for measurement in rounds.differences(of: round(start), at: start).measurements {
        if case .rejected = solver.add(measurement) { continue }
        accepted += 1
        // What the solver admits is right to a decimetre, wrap or not.
        let heard = truth[1].receiveTime - truth[0].receiveTime - 0.004
        #expect((measurement.metres - heard * AnchorRounds.signalSpeed).magnitude < 0.1)
      }
    }
    #expect(accepted >= 195)
  }
}
