import NearbyBluetooth
import TestSupport
import Testing

@testable import NearbyBlueZ

/// Packets from a raw HCI socket.
@Suite("Advertising reports")
struct ReportTests {
  /// ADV_NONCONN_IND from C4:11:22:33:44:55, 3 octets, −60 dBm; then ADV_IND from a resolvable address, no
  /// data, −1 dBm.
  private static let legacy: [UInt8] =
    [4, 0x3E, 25, 2, 2, 3, 1, 0x55, 0x44, 0x33, 0x22, 0x11, 0xC4, 3, 2, 1, 6, 0xC4]
    + [0, 1, 1, 0, 0, 0, 0, 0x40, 0, 0xFF]
  /// A connectable extended report from 00:11:22:33:44:55, 2 octets, −70 dBm.
  private static let extended: [UInt8] =
    [4, 0x3E, 28, 0x0D, 1, 1, 0, 0, 0x55, 0x44, 0x33, 0x22, 0x11, 0, 1, 0, 255, 127, 0xBA, 0, 0, 0]
    + [0, 0, 0, 0, 0, 0, 2, 1, 6]

  @Test("Legacy reports are read one by one")
  func legacyReports() {
    let reports = AdvertisingReport.reports(in: Self.legacy)
    #expect(reports.map(\.address) == ["C4:11:22:33:44:55", "40:00:00:00:00:01"])
    #expect(reports.map(\.rssi) == [-60, -1])
    #expect(reports.map(\.isConnectable) == [false, true])
    #expect(reports.map(\.isResolvable) == [false, true])
    #expect(reports.map(\.payload) == [[2, 1, 6], []])
  }

  @Test("Extended reports are read")
  func extendedReports() {
    let reports = AdvertisingReport.reports(in: Self.extended)
    #expect(reports.map(\.address) == ["00:11:22:33:44:55"])
    #expect(reports.map(\.rssi) == [-70])
    #expect(reports.map(\.isConnectable) == [true])
    #expect(reports.map(\.payload) == [[1, 6]])
  }

  @Test("A truncated packet gives no report")
  func prefixes() {
    for packet in [Self.legacy, Self.extended] {
      for count in 0..<packet.count {
        #expect(AdvertisingReport.reports(in: Array(packet.prefix(count))).isEmpty)
      }
    }
  }

  @Test("Reports in random octets lie within them, and their payloads are parsed")
  func anything() {
    var generator = SeededGenerator(seed: 11)
    var count = 0
    for _ in 0..<20_000 {
      var packet = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      if packet.count > 4 {
        packet.replaceSubrange(0..<3, with: [4, 0x3E, UInt8(packet.count - 3)])
        packet[3] = Bool.random(using: &generator) ? 2 : 0x0D
      }
      for report in AdvertisingReport.reports(in: packet) {
        let advertisement = Advertisement(payload: report.payload.span, isConnectable: report.isConnectable)
        #expect(advertisement.isConnectable == report.isConnectable)
        // The packet holds the payload behind at least its head of 5 octets and the report's of 10.
        #expect(report.payload.count <= packet.count - 15)
        count += 1
      }
    }
    #expect(count > 1000, "hardly any packet had a report")
  }
}
