import Testing
import UCI

@Suite("Goldens") struct GoldenTests {
  @Test("A recorded two-way notification reads and writes back")
  func sessionInfo() throws {
    let octets = hex(
      "62000038 01000000 07000000 00 00000000 01 00 00 00000000 00000000 01"
        + "0200 00 00 9600 2d00 64 edff 64 79ff 64 1300 64 00 ff 0000000000000000000000")
    let message = try UCIMessage(packet: octets, dialect: .v2)
    let measurement = UCITwoWayMeasurement(
      address: .short(2), status: .ok, distanceCentimetres: 150,
      azimuth: UCIAngle(degreesQ9_7: 0x2D, figureOfMerit: 100),
      elevation: UCIAngle(degreesQ9_7: -19, figureOfMerit: 100),
      destinationAzimuth: UCIAngle(degreesQ9_7: -135, figureOfMerit: 100),
      destinationElevation: UCIAngle(degreesQ9_7: 19, figureOfMerit: 100), rssiHalfDecibels: 0xFF)
    #expect(
      message
        == .notification(
          .sessionInfo(
            UCISessionInfo(
              sequence: 1, token: UCISessionToken(7), intervalMilliseconds: 0,
              measurements: .twoWay([measurement], usesExtendedAddresses: false)))))
    var written: [UInt8] = []
    message.write(to: &written, dialect: .v2)
    #expect(written == octets)
  }
}

/// Octets of hexadecimal text; spaces do not count.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace && $0 != "|" }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
