import CoreLocation
import NearbyTesting
import Testing

@Suite("Beacon ranging")
struct BeaconRangingTests {
  @Test("A constraint's beacons are reported once per second, nearest first", arguments: 1...5)
  func ranging(seed: UInt64) {
    let hall = BeaconHall(seed: seed)
    hall.world.addBeacon("Far", at: [0, 12, 1.2], uuid: treasureUUID, major: 1, minor: 9)
    hall.world.addBeacon("Stranger", at: [0, 1, 1.2], uuid: strangeUUID, major: 1, minor: 1)
    hall.range()
    hall.world.advance(by: .seconds(20))
    #expect((18...21).contains(hall.app.reports.count), "seed \(seed)")
    let gaps = zip(hall.app.reports, hall.app.reports.dropFirst()).map { $1.time - $0.time }
    #expect(gaps.allSatisfy { $0 >= .milliseconds(900) && $0 <= .milliseconds(1100) }, "seed \(seed)")
    let last = hall.app.reports.last?.beacons ?? []
    #expect(last.map(\.minor) == [7, 9], "seed \(seed)")
    #expect(last.map(\.uuid) == [treasureUUID, treasureUUID])
    #expect(last.allSatisfy { $0.rssi < 0 && $0.accuracy > 0 && $0.major == 1 })
    #expect(last.first.map { $0.accuracy > 0.7 && $0.accuracy < 6 } == true, "seed \(seed): \(last)")
    #expect(hall.app.constraints.allSatisfy { $0 == CLBeaconIdentityConstraint(uuid: treasureUUID) })
    for report in hall.app.reports {
      let accuracies = report.beacons.map { $0.accuracy < 0 ? .infinity : $0.accuracy }
      #expect(accuracies == accuracies.sorted(), "seed \(seed)")
    }
  }

  @Test("Without beacons the arrays are empty")
  func empty() {
    let hall = BeaconHall()
    hall.range(CLBeaconIdentityConstraint(uuid: strangeUUID, major: 3))
    hall.world.advance(by: .seconds(10))
    #expect(hall.app.reports.count >= 9)
    #expect(hall.app.reports.allSatisfy { $0.beacons.isEmpty })
  }

  @Test("A beacon that falls silent is unknown within 2 s and removed within 10 s", arguments: 1...10)
  func silence(seed: UInt64) {
    let hall = BeaconHall(seed: seed)
    hall.range()
    hall.world.advance(by: .seconds(10))
    hall.beacon.switchOff()
    let silent = hall.world.now
    hall.world.advance(by: .seconds(12))
    let after = hall.app.reports.filter { $0.time > silent }
    let unknown = after.filter { $0.time - silent >= .seconds(2) }.flatMap(\.beacons)
    #expect(!unknown.isEmpty, "seed \(seed)")
    #expect(
      unknown.allSatisfy { $0.proximity == .unknown && $0.accuracy < 0 && $0.rssi == 0 }, "seed \(seed)")
    #expect(after.filter { $0.time - silent >= .seconds(10) }.allSatisfy { $0.beacons.isEmpty }, "\(seed)")
    #expect(after.filter { $0.time - silent < .seconds(5) }.allSatisfy { $0.beacons.count == 1 }, "\(seed)")
  }

  @Test("A beacon of known proximity is listed before one of unknown proximity")
  func unknownLast() {
    let hall = BeaconHall()
    hall.world.addBeacon("Far", at: [0, 8, 1.2], uuid: treasureUUID, major: 1, minor: 9)
    hall.range()
    hall.world.advance(by: .seconds(5))
    hall.beacon.switchOff()
    hall.world.advance(by: .seconds(4))
    #expect(hall.app.reports.last?.beacons.map(\.minor) == [9, 7])
  }

  @Test(
    "UUID, major and minor each narrow a constraint",
    arguments: [
      (CLBeaconIdentityConstraint(uuid: treasureUUID), [7, 8, 7]),
      (CLBeaconIdentityConstraint(uuid: treasureUUID, major: 1), [7, 8]),
      (CLBeaconIdentityConstraint(uuid: treasureUUID, major: 1, minor: 8), [8]),
    ])
  func constraints(constraint: CLBeaconIdentityConstraint, minors: [NSNumber]) {
    let hall = BeaconHall(distance: 1)
    hall.world.addBeacon("Second", at: [0, 4, 1.2], uuid: treasureUUID, major: 1, minor: 8)
    hall.world.addBeacon("Third", at: [0, 16, 1.2], uuid: treasureUUID, major: 2, minor: 7)
    hall.range(constraint)
    hall.world.advance(by: .seconds(5))
    #expect(
      hall.app.reports.last?.beacons.map(\.minor).sorted { $0.intValue < $1.intValue }
        == minors.sorted { $0.intValue < $1.intValue })
  }

  @Test("Each manager gets only reports that it requested, and none after stopping")
  func managers() {
    let hall = BeaconHall()
    let other = hall.phone.launch { BeaconApp(now: { hall.world.now }) }
    let constraint = CLBeaconIdentityConstraint(uuid: treasureUUID, major: 1)
    hall.range(constraint)
    hall.world.advance(by: .seconds(3))
    #expect(hall.app.reports.count >= 2)
    #expect(other.reports.isEmpty)
    other.manager.startRangingBeacons(satisfying: constraint)
    #expect(
      other.manager.rangedBeaconConstraints == [CLBeaconIdentityConstraint(uuid: treasureUUID, major: 1)])
    hall.world.advance(by: .seconds(3))
    #expect(other.reports.count >= 2)
    hall.app.manager.stopRangingBeacons(satisfying: constraint)
    hall.app.forget()
    hall.world.advance(by: .seconds(3))
    #expect(hall.app.reports.isEmpty)
    #expect(other.reports.count >= 5)
    #expect(hall.app.manager.rangedBeaconConstraints.isEmpty)
  }

  @Test("Without Bluetooth ranging fails, and it continues when Bluetooth is back")
  func bluetoothOff() {
    let hall = BeaconHall()
    hall.phone.switchBluetoothOff()
    hall.range()
    hall.world.advance(by: .seconds(3))
    #expect(hall.app.history == ["authorization authorizedAlways", "ranging failed rangingUnavailable"])
    #expect(hall.app.reports.isEmpty)
    hall.phone.switchBluetoothOn()
    hall.world.advance(by: .seconds(5))
    #expect(hall.app.reports.last?.beacons.count == 1)
    hall.phone.switchBluetoothOff()
    hall.world.advance(by: .seconds(3))
    #expect(hall.app.history.count == 3)
  }

  @Test("Beacons need no permission for Bluetooth")
  func noBluetoothPermission() {
    let hall = BeaconHall()
    hall.phone.setBluetoothUsageDescription(nil)
    hall.phone.changeBluetoothPermission(to: .deny)
    hall.range()
    hall.world.advance(by: .seconds(5))
    #expect(hall.app.reports.last?.beacons.count == 1)
  }

  @Test("In the background nothing is ranged, except for 10 s after a region's border was crossed")
  func background() {
    let hall = BeaconHall()
    hall.range()
    hall.monitor()
    hall.world.advance(by: .seconds(5))
    hall.phone.suspend()
    hall.world.advance(by: .seconds(1))
    hall.app.forget()
    hall.world.advance(by: .seconds(20))
    #expect(hall.app.reports.isEmpty)
    hall.beacon.switchOff()
    hall.world.advance(by: .seconds(60))
    #expect(hall.app.history.contains("left hall"))
    #expect((8...11).contains(hall.app.reports.count))
    hall.phone.resume()
    hall.world.advance(by: .seconds(5))
    #expect((12...16).contains(hall.app.reports.count))
  }

  @Test("The same seed gives the same reports")
  func repeats() {
    func run() -> [[CLBeacon]] {
      let hall = BeaconHall(seed: 11)
      hall.range()
      hall.world.advance(by: .seconds(15))
      return hall.app.reports.map(\.beacons)
    }
    let first = run()
    #expect(first.count > 10)
    #expect(first == run())
  }
}
