import NearbyEstimation
import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import Testing

@Suite("Reports of lost frames")
struct FailureTests {
  typealias Expected = (status: UCIStatus, slot: UInt8)
  typealias Row = (
    usage: UInt8, control: UInt8, report: UInt8, lost: ExchangeFrames, initiator: Expected,
    responder: Expected
  )

  @Test("Each side reports the slot that failed for it", arguments: Self.rows)
  func slots(_ row: Row) throws {
    let changes: [UInt8: [UInt8]] = [0x01: [row.usage], 0x0C: [row.control], 0x2E: [row.report]]
    var bench = AirBench.pair(changes, changes)
    bench.start()
    // The first round succeeds, so that the responder knows its initiator.
    bench.advance(20)
    bench.medium.lost = row.lost
    let heard = bench.advance(100)
    let initiator = try #require(heard[0]?.measurements.first)
    let responder = try #require(heard[1]?.measurements.first)
    #expect(initiator.status == row.initiator.status)
    #expect(initiator.slotIndex == row.initiator.slot)
    #expect(responder.status == row.responder.status)
    #expect(responder.slotIndex == row.responder.slot)
    for entry in [initiator, responder] where entry.status != .ok {
      #expect(
        entry
          == UCITwoWayMeasurement(address: entry.address, status: entry.status, slotIndex: entry.slotIndex))
    }
  }

  /// Control 0x03: slots control 0, poll 1, response 2, final 3, report 4. Bit 7 reverses the report's
  /// direction.
  static let rows: [Row] = [
    (2, 0x03, 1, [], (.ok, 0), (.ok, 0)),
    (2, 0x03, 1, [.control], (.rxTimeout, 2), (.rxTimeout, 0)),
    (2, 0x03, 1, [.poll], (.rxTimeout, 2), (.rxTimeout, 1)),
    (2, 0x03, 1, [.response], (.rxTimeout, 2), (.rxTimeout, 3)),
    (2, 0x03, 1, [.final], (.rxTimeout, 3), (.rxTimeout, 3)),
    (2, 0x03, 1, [.report], (.ok, 0), (.rxTimeout, 4)),
    (2, 0x83, 1, [.report], (.rxTimeout, 4), (.ok, 0)),
    (2, 0x03, 0, [], (.ok, 0), (.rxMacIEMissing, 4)),
    (4, 0x02, 1, [], (.rxMacIEMissing, 3), (.ok, 0)),
    // Without a control message everything is one slot earlier.
    (2, 0x01, 1, [.report], (.ok, 0), (.rxTimeout, 3)),
    (2, 0x01, 1, [.poll], (.rxTimeout, 1), (.rxTimeout, 0)),
    // Single-sided ranging has no final message.
    (1, 0x03, 1, [.report], (.ok, 0), (.rxTimeout, 3)),
    (1, 0x03, 1, [.response], (.rxTimeout, 2), (.rxTimeout, 3)),
    (3, 0x02, 1, [], (.ok, 0), (.rxMacIEMissing, 2)),
  ]

  @Test("A responder that has never received its initiator sends no reports")
  func neverHeard() {
    var bench = AirBench.pair()
    bench.medium.lost = [.poll]
    bench.start()
    #expect(bench.advance(350)[1] == nil)
  }

  @Test("A round without a distance is reported as a failed time of arrival")
  func noDistance() {
    var bench = AirBench.pair()
    bench.medium.hasDistance = false
    bench.start()
    let heard = bench.advance(20)
    #expect(heard[0]?.measurements.map(\.status) == [.rxTimeOfArrivalFailed])
    #expect(heard[1]?.measurements.map(\.status) == [.rxTimeOfArrivalFailed])
  }

  @Test(
    "Distances are written to the wire in centimetres",
    arguments: [
      (1.234, 123, UCIStatus.ok), (-0.21, 21, .okNegativeDistance), (-0.001, 0, .ok), (0, 0, .ok),
      (1e9, 65_535, .ok), (-1e9, 65_535, .okNegativeDistance), (.nan, 0, .ok), (655.349, 65_535, .ok),
    ] as [(Double, UInt16, UCIStatus)])
  func distances(_ row: (metres: Double, centimetres: UInt16, status: UCIStatus)) {
    var bench = AirBench.pair()
    bench.medium.distance = row.metres
    bench.start()
    let entry = bench.advance(20)[0]?.measurements.first
    #expect(entry?.distanceCentimetres == row.centimetres)
    #expect(entry?.status == row.status)
  }

  @Test("RSSI and line of sight are those of the receiver; RSSI is reported only on request")
  func receiverView() {
    var bench = AirBench.pair([0x13: [1]])
    bench.medium.looksNonLineOfSight = true
    bench.medium.rssi = -81.3
    bench.start()
    let heard = bench.advance(20)
    #expect(heard[0]?.measurements.map(\.nonLineOfSight) == [1])
    #expect(heard[0]?.measurements.map(\.rssiHalfDecibels) == [163])
    #expect(heard[1]?.measurements.map(\.rssiHalfDecibels) == [0])
  }

  @Test(
    "Only the requested angles are reported",
    arguments: [
      (0, 0, 0), (1, 100, 50), (2, 100, 0), (3, 0, 50), (0xF0, 100, 50),
    ] as [(UInt8, UInt8, UInt8)])
  func angles(_ row: (request: UInt8, azimuth: UInt8, elevation: UInt8)) {
    var bench = AirBench.pair([0x0D: [row.request]])
    bench.start()
    let entry = bench.advance(20)[0]?.measurements.first
    #expect(entry?.azimuth.figureOfMerit == row.azimuth)
    #expect(entry?.elevation.figureOfMerit == row.elevation)
    #expect(bench.medium.plans.map(\.measuresAngleAtInitiator) == [row.request != 0])
  }

  @Test(
    "The other side's measurements are reported as the controller's report bits request",
    arguments: [
      (0x01, 0, 0, 0), (0x03, -3667, 0, 0), (0x05, 0, 1833, 0), (0x0F, -3667, 1833, 50),
    ] as [(UInt8, Int16, Int16, UInt8)])
  func destinationAngles(_ row: (report: UInt8, azimuth: Int16, elevation: Int16, merit: UInt8)) {
    var bench = AirBench.pair([0x2E: [row.report]], [0x2E: [0]])
    bench.start()
    let entry = bench.advance(20)[0]?.measurements.first
    #expect(entry?.destinationAzimuth.degreesQ9_7 == row.azimuth)
    #expect(entry?.destinationElevation.degreesQ9_7 == row.elevation)
    #expect(entry?.destinationAzimuth.figureOfMerit == row.merit)
  }

  @Test("The figure of merit falls with the standard deviation and can be converted back")
  func figureOfMerit() throws {
    let degree = Double.pi / 180
    let table: [(Double, UInt8)] = [(0, 100), (1, 91), (5, 67), (10, 50), (30, 25), (1e6, 1)]
    for (sigma, percent) in table { #expect(AngleFigureOfMerit.percent(sigma: sigma * degree) == percent) }
    #expect(AngleFigureOfMerit.percent(sigma: .nan) == 1)
    #expect(AngleFigureOfMerit.sigma(percent: 0) == nil)
    for percent in 1...100 {
      let sigma = try #require(AngleFigureOfMerit.sigma(percent: UInt8(percent)))
      #expect(AngleFigureOfMerit.percent(sigma: sigma) == UInt8(percent))
    }
  }
}
