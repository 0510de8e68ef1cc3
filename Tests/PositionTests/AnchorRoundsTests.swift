import NearbyPosition
import Testing

@Suite("Differences from rounds of anchors")
struct AnchorRoundsTests {
  private static let anchors = SimulatedTag.anchors
  private static let tag = SIMD3(0.7, -0.4, 1.3)
  /// Rates against the initiator's clock: the tag's and the responders'.
  private static let tagRate = 1 + 7e-6
  private static let responderRate = 1 - 4e-6

  private static func flight(_ from: SIMD3<Double>, _ to: SIMD3<Double>) -> Double {
    let across = from - to
    return (across * across).sum().squareRoot() / AnchorRounds.signalSpeed
  }

  /// A round of the initiator 100 and four responders, 2 ms apart, with a final.
  private static func round(_ start: Double, hasCommonBase: Bool) -> [AnchorMessage] {
    let places = anchors.map(\.position)
    func received(_ sent: Double, _ anchor: Int) -> Double {
      (sent + flight(places[anchor], tag)) * tagRate + 55
    }
    var round = [
      AnchorMessage(kind: .poll, anchor: 100, transmitTime: start, receiveTime: received(start, 0))
    ]
    for responder in 1...4 {
      let sent = start + 0.002 * Double(responder)
      let reply = (sent - start - flight(places[0], places[responder])) * responderRate
      round.append(
        AnchorMessage(
          kind: .response, anchor: 100 + responder, transmitTime: hasCommonBase ? sent : nil,
          receiveTime: received(sent, responder), replyTime: hasCommonBase ? nil : reply,
          responderOffset: hasCommonBase ? nil : responderRate - 1))
    }
    let end = start + 0.01
    round.append(AnchorMessage(kind: .final, anchor: 100, transmitTime: end, receiveTime: received(end, 0)))
    return round
  }

  @Test("Both forms of a round give the differences, and these the position", arguments: [true, false])
  func position(hasCommonBase: Bool) throws {
    var rounds = try AnchorRounds(anchors: Self.anchors)
    var solver = try PositionSolver(anchors: Self.anchors)
    for index in 0..<20 {
      let start = 0.25 * Double(index)
      let found = rounds.differences(of: Self.round(start, hasCommonBase: hasCommonBase), at: start)
      #expect(found.measurements.count == 4)
      #expect(found.rejected.isEmpty)
      for measurement in found.measurements { solver.add(measurement) }
    }
    let position = try #require(solver.estimate().position)
    let error = position - Self.tag
    #expect((error * error).sum().squareRoot() < 0.05, "\(position)")
  }

  @Test("Messages that can't be used have their reasons")
  func reasons() throws {
    var rounds = try AnchorRounds(anchors: Self.anchors)
    var round = Self.round(0, hasCommonBase: true)
    #expect(rounds.differences(of: Array(round.dropFirst()), at: 0).rejected.allSatisfy { $0 == .outOfOrder })
    // Neither a final nor a round before it: the tag's rate is unknown.
    #expect(
      rounds.differences(of: Array(round.dropLast()), at: 0).rejected == Array(repeating: .clock, count: 4))
    round[1].receiveTime = .nan
    round[2].anchor = 7
    round[3].transmitTime = nil
    let found = rounds.differences(of: round, at: 0)
    #expect(found.rejected == [.notFinite, .unknownAnchor, .clock])
    #expect(found.measurements.map(\.kind) == [.difference(from: 100, to: 104)])
  }
}
