import Testing

@testable import NearbyWorld

@Suite("A chip's traffic as text")
struct TrafficTextTests {
  @Test("A packet's line has its octets, name and description, or says that it cannot be parsed")
  func lines() {
    var text = TrafficText()
    let octets: [UInt8] = [0x20, 0x00, 0, 1, 0, 0x20, 0x00, 0, 0]
    let lines = text.lines(
      WorldJournal.Traffic(time: .milliseconds(1500), device: 0, isFromHost: true, octets: octets))
    #expect(
      lines.first
        == #"{"t":1.500000,"host":true,"hex":"2000000100","name":"CORE_DEVICE_RESET_CMD","text":"configuration=0"}"#
    )
    #expect(lines.last?.contains(#""text":"cannot be read: "#) == true)
    #expect(lines.count == 2)
  }
}
