import NearbyBeacons
import Testing

private let uid = BeaconFrame.eddystoneUID(
  Eddystone.UID(power: -18, namespaceHigh: 0x0102_0304_0506_0708, namespaceLow: 0x090A, instance: 0xFF))
private let telemetry = BeaconFrame.eddystoneTLM(
  .plain(
    Eddystone.PlainTelemetry(
      batteryMillivolts: 2950, temperature256ths: 21 * 256 + 128, advertisements: 7, uptimeTenths: 70)))

@Suite("Eddystone ranging")
struct EddystoneRangerTests {
  @Test("Alternating frames of one source are one beacon with its telemetry")
  func turns() throws {
    var ranger = EddystoneRanger()
    let early = ranger.timePassed(at: .seconds(5))
    #expect(early == nil)
    for step in 0..<10 {
      let time = Duration.milliseconds(100 * step)
      ranger.received(
        step.isMultiple(of: 3) ? telemetry : uid, from: BeaconSource(low: 1), rssi: -59, at: time)
    }
    let heard = ranger.timePassed(at: .milliseconds(1100))
    let report = try #require(heard)
    let beacon = try #require(report.first)
    #expect(report.count == 1)
    #expect("\(beacon.identity)" == "0102030405060708090a 0000000000ff")
    #expect(beacon.telemetry?.batteryMillivolts == 2950)
    #expect(beacon.telemetry?.temperatureCelsius == 21.5)
    // −18 dBm at 0 m corresponds to −59 dBm at 1 m, so the beacon is about 1 m away.
    let distance = try #require(beacon.reading.distance)
    #expect(distance > 0.5)
    #expect(distance < 2)
    #expect(beacon.reading.rssi == -59)
    let tooSoon = ranger.timePassed(at: .milliseconds(1200))
    #expect(tooSoon == nil)
  }

  @Test("URL and EID beacons are reported by name; iBeacons and telemetry alone are not reported")
  func names() throws {
    var ranger = EddystoneRanger()
    let url = try #require(EddystoneURL(power: -20, link: "https://example.com/a"))
    ranger.received(telemetry, from: BeaconSource(low: 9), rssi: -60, at: .zero)
    ranger.received(
      .iBeacon(IBeacon(identity: BeaconIdentity(uuid: someUUID, major: 1, minor: 2))),
      from: BeaconSource(low: 8), rssi: -60, at: .zero)
    ranger.received(.eddystoneURL(url), from: BeaconSource(low: 1), rssi: -60, at: .zero)
    ranger.received(
      .eddystoneEID(Eddystone.EphemeralID(power: -20, identifier: 0xABC)), from: BeaconSource(low: 2),
      rssi: -60, at: .zero)
    let heard = ranger.timePassed(at: .seconds(1))
    let report = try #require(heard)
    #expect(report.map { "\($0.identity)" } == ["https://example.com/a", "ephemeral 0000000000000abc"])
    #expect(report.allSatisfy { $0.telemetry == nil })
  }

  @Test("A silent beacon is unknown within two seconds and removed within ten")
  func silence() {
    var ranger = EddystoneRanger()
    for step in 0...10 {
      ranger.received(uid, from: BeaconSource(low: 1), rssi: -70, at: .milliseconds(100 * step))
    }
    var zones: [Int: Proximity] = [:]
    for second in 1...12 {
      zones[second] = ranger.timePassed(at: .seconds(second))?.first?.reading.proximity
    }
    #expect(zones[1] == .near || zones[1] == .far)
    #expect(zones[3] == .unknown)
    #expect(zones[10] == .unknown)
    #expect(zones[11] == nil)
    // A beacon that was lost may return.
    ranger.received(uid, from: BeaconSource(low: 1), rssi: -70, at: .seconds(20))
    let report = ranger.timePassed(at: .seconds(21))
    #expect(report?.count == 1)
  }

  @Test("An invalid RSSI is ignored", arguments: [127, 0, -128])
  func absurd(rssi: Int) throws {
    var ranger = EddystoneRanger()
    ranger.received(uid, from: BeaconSource(low: 1), rssi: rssi, at: .zero)
    let report = ranger.timePassed(at: .seconds(1))
    let beacon = try #require(report?.first)
    #expect(beacon.reading.distance == nil)
    #expect(beacon.reading.rssi == 0)
  }

  @Test("The number of tracked beacons is limited")
  func flood() {
    var ranger = EddystoneRanger()
    for identifier in 0..<UInt64(BeaconRanger.maximumTracks + 500) {
      ranger.received(
        .eddystoneEID(Eddystone.EphemeralID(power: 0, identifier: identifier)), from: BeaconSource(low: 1),
        rssi: -60, at: .zero)
    }
    let report = ranger.timePassed(at: .seconds(1))
    #expect(report?.count == BeaconRanger.maximumTracks)
  }
}
