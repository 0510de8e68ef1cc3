import NearbyUCI
import NearbyUCIText
import Testing

@Suite("UCI as text")
struct UCITextTests {
  static let messages: [(message: UCIMessage, words: String)] = [
    (.command(.deviceReset(configuration: 0)), "configuration=0"),
    (.command(.getDeviceInfo), ""),
    (.command(.sessionInit(sessionID: 0x2A, type: .ranging)), "id=0x2a type=RANGING"),
    (.command(.sessionStart(UCISessionToken(7))), "session=0x7"),
    (
      .command(
        .setAppConfiguration(
          UCISessionToken(7),
          [
            UCITLV(id: 0x04, value: [9]), UCITLV(id: 0x09, value: [200, 0, 0, 0]),
            UCITLV(id: 0x28, value: []),
          ])),
      "session=0x7 CHANNEL_NUMBER=9 RANGING_DURATION=200 STATIC_STS_IV="
    ),
    (.response(.sessionStart(.ok)), "status=OK"),
    (.response(.sessionInit(.ok, handle: UCISessionToken(3))), "status=OK handle=0x3"),
    (
      .notification(.sessionStatus(UCISessionToken(3), .active, .byCommand)),
      "session=0x3 state=\(UCISessionState.active) reason=\(UCIReason.byCommand)"
    ),
    (.notification(.deviceStatus(.ready)), "state=\(UCIDeviceState.ready)"),
    (.notification(.dataCredit(UCISessionToken(3), isAvailable: true)), "session=0x3 credit=1"),
    (
      .data(.send(UCISessionToken(3), destination: 0x1234, sequence: 5, [0x4E, 0x49, 1, 0])),
      "session=0x3 to=0x1234 sequence=5 octets=4e490100"
    ),
    (
      .notification(
        .sessionInfo(
          UCISessionInfo(
            sequence: 12, token: UCISessionToken(3), intervalMilliseconds: 200,
            measurements: .twoWay(
              [
                UCITwoWayMeasurement(
                  address: .short(0xBEEF), status: .ok, nonLineOfSight: 1, distanceCentimetres: 305,
                  azimuth: UCIAngle(degreesQ9_7: 128 * 10, figureOfMerit: 90), rssiHalfDecibels: 150),
                UCITwoWayMeasurement(address: .short(2), status: .failed, slotIndex: 4),
              ], usesExtendedAddresses: false)))),
      "session=0x3 round=12 interval=200ms peer=0xbeef status=OK distance=3.05m azimuth=10.0°(90%) nlos=1 "
        + "rssi=-75.0dBm peer=0x2 status=\(UCIStatus.failed) slot=4"
    ),
  ]

  @Test("A message is described as key=value words", arguments: messages)
  func words(_ message: UCIMessage, _ words: String) {
    #expect(UCIText.words(of: message) == words)
  }
}
