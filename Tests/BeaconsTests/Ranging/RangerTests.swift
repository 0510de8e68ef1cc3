import NearbyBeacons
import NearbyBluetooth
import TestSupport
import Testing

private let wildcard = BeaconConstraint(uuid: someUUID)

private func beacon(_ minor: UInt16, major: UInt16 = 1) -> BeaconIdentity {
  BeaconIdentity(uuid: someUUID, major: major, minor: minor)
}

private func sighting(
  _ minor: UInt16, rssi: Int, at seconds: Double, source: UInt64 = 0
) -> BeaconSighting {
  BeaconSighting(
    identity: beacon(minor), source: BeaconSource(low: source), measuredPower: -59, rssi: rssi,
    time: .seconds(seconds))
}

@Suite("Ranging")
struct RangerTests {
  @Test("Each constraint gets one report per second, in order, even without beacons")
  func cadence() {
    var ranger = BeaconRanger()
    #expect(ranger.nextReport == nil)
    let single = BeaconConstraint(uuid: someUUID, major: 1, minor: 2)
    ranger.start(single, at: .zero)
    ranger.start(wildcard, at: .milliseconds(300))
    ranger.start(wildcard, at: .milliseconds(400))
    #expect(ranger.nextReport == .seconds(1))
    #expect(ranger.timePassed(at: .milliseconds(999)).isEmpty)
    for second in 1...5 {
      let reports = ranger.timePassed(at: .seconds(second))
      #expect(reports.map(\.constraint) == [wildcard, single])
      #expect(reports.allSatisfy { $0.beacons.isEmpty && $0.time == .seconds(second) })
    }
    // Minutes late: one report, and the schedule continues from there.
    #expect(ranger.timePassed(at: .seconds(300)).count == 2)
    #expect(ranger.nextReport == .seconds(301))
    ranger.stop(single)
    ranger.stop(wildcard)
    #expect(ranger.nextReport == nil)
    #expect(ranger.timePassed(at: .seconds(400)).isEmpty)
  }

  @Test("The nearest beacon comes first; the RSSI is the mean since the last report, or 0 without packets")
  func contents() {
    var ranger = BeaconRanger()
    ranger.start(wildcard, at: .zero)
    for step in 1...9 {
      let time = Double(step) / 10
      ranger.received(sighting(1, rssi: -80, at: time))
      ranger.received(sighting(2, rssi: step.isMultiple(of: 2) ? -50 : -56, at: time))
      ranger.received(sighting(3, rssi: -68, at: time))
      ranger.received(sighting(3, rssi: 127, at: time))
      ranger.received(sighting(3, rssi: 0, at: time))
    }
    let beacons = ranger.timePassed(at: .seconds(1))[0].beacons
    #expect(beacons.map(\.identity.minor) == [2, 3, 1])
    #expect(beacons.map(\.rssi) == [-53, -68, -80])
    #expect(beacons.allSatisfy { $0.proximity != .unknown && $0.time == .milliseconds(900) })
    #expect(beacons.allSatisfy { ($0.accuracy ?? 0) > 0 && ($0.distance ?? 0) > 0 })
    ranger.received(sighting(1, rssi: -80, at: 1.05))
    let next = ranger.timePassed(at: .milliseconds(1900))
    #expect(next.isEmpty)
    let later = ranger.timePassed(at: .seconds(2))[0].beacons
    #expect(later.map(\.rssi) == [-80, 0, 0])
    // Unknown beacons come last.
    #expect(later.map { $0.proximity == .unknown } == [false, true, true])
    #expect(later.last?.distance == nil)
    #expect(later.last?.accuracy == nil)
  }

  @Test("A silent beacon is unknown within 2 s, and is removed within 10 s", arguments: [0, 130, 570, 990])
  func silence(phase: Int) {
    var ranger = BeaconRanger()
    ranger.start(wildcard, at: .zero)
    let last = 5000 + phase
    var (unknown, gone): (Int?, Int?) = (nil, nil)
    for time in stride(from: 10, through: 30_000, by: 10) {
      if time <= last, (last - time).isMultiple(of: 100) {
        ranger.received(sighting(1, rssi: -60, at: Double(time) / 1000))
      }
      for report in ranger.timePassed(at: .milliseconds(time)) where time > last {
        if unknown == nil, report.beacons.first?.proximity == .unknown { unknown = time - last }
        if gone == nil, report.beacons.isEmpty { gone = time - last }
      }
    }
    #expect(unknown.map { $0 >= 1000 && $0 <= 2000 } == true, "\(unknown ?? -1) ms")
    #expect(gone.map { $0 > 8000 && $0 <= 10_000 } == true, "\(gone ?? -1) ms")
    #expect(ranger.trackCount == 0)
  }

  @Test("A beacon with one packet per second and 20 % loss is seldom unknown")
  func slow() {
    var random = SeededGenerator(seed: 4)
    var ranger = BeaconRanger()
    ranger.start(wildcard, at: .zero)
    var (unknown, reports) = (0, 0)
    for step in 1...3000 {
      let time = Double(step) / 10
      if step % 10 == 3, Double.random(in: 0..<1, using: &random) > 0.2 {
        ranger.received(sighting(1, rssi: -60, at: time))
      }
      for report in ranger.timePassed(at: .seconds(time)) where step > 300 {
        reports += 1
        if report.beacons.first?.proximity == .unknown { unknown += 1 }
      }
    }
    #expect(reports == 270)
    #expect(unknown < 20, "\(unknown) of \(reports)")
  }

  @Test("Senders with the same identity are tracked separately; beacons that match no constraint are not")
  func identities() {
    var ranger = BeaconRanger()
    ranger.start(BeaconConstraint(uuid: someUUID, major: 1), at: .zero)
    ranger.received(sighting(1, rssi: -60, at: 0.1, source: 1))
    ranger.received(sighting(1, rssi: -70, at: 0.1, source: 2))
    var other = sighting(1, rssi: -60, at: 0.2)
    other.identity = beacon(1, major: 2)
    ranger.received(other)
    #expect(ranger.trackCount == 2)
    let beacons = ranger.timePassed(at: .seconds(1))[0].beacons
    #expect(beacons.map(\.source) == [BeaconSource(low: 1), BeaconSource(low: 2)])
    ranger.stop(BeaconConstraint(uuid: someUUID, major: 1))
    #expect(ranger.trackCount == 0)
  }

  @Test("A calibrated receiver gives the same distance as an ideal one")
  func calibrated() throws {
    var plain = BeaconRanger()
    var deaf = BeaconRanger(calibration: ReceiverCalibration(offset: 10, sigma: 3))
    plain.start(wildcard, at: .zero)
    deaf.start(wildcard, at: .zero)
    for step in 1...9 {
      plain.received(sighting(1, rssi: -65, at: Double(step) / 10))
      deaf.received(sighting(1, rssi: -75, at: Double(step) / 10))
    }
    let (one, other) = (plain.timePassed(at: .seconds(1)), deaf.timePassed(at: .seconds(1)))
    #expect(one[0].beacons[0].distance == other[0].beacons[0].distance)
    #expect(other[0].beacons[0].rssi == -75)
  }

  @Test("The number of tracked beacons is limited")
  func flood() {
    var ranger = BeaconRanger()
    ranger.start(wildcard, at: .zero)
    for source in 0..<UInt64(BeaconRanger.maximumTracks + 100) {
      ranger.received(sighting(1, rssi: -60, at: 0.1, source: source))
    }
    #expect(ranger.trackCount == BeaconRanger.maximumTracks)
  }
}
