import CoreLocation
import NearbyTesting
import Testing

@Suite("Beacon regions")
struct BeaconRegionTests {
  @Test(
    "Entry comes within 1.5 s of range, and exit when all beacons were silent for the exit delay",
    arguments: 1...5)
  func enterAndExit(seed: UInt64) {
    let hall = BeaconHall(seed: seed)
    let second = hall.world.addBeacon("Second", at: [3, 3, 1.2], uuid: treasureUUID, major: 2, minor: 1)
    hall.beacon.switchOff()
    second.switchOff()
    hall.monitor()
    hall.world.advance(by: .seconds(12))
    #expect(hall.app.history == ["authorization authorizedAlways", "started hall", "hall outside"])
    hall.app.forget()
    let came = hall.world.now
    hall.beacon.switchOn()
    second.switchOn()
    hall.world.advance(by: .seconds(5))
    #expect(hall.app.history == ["entered hall", "hall inside"], "seed \(seed)")
    #expect(hall.app.times["entered hall"]?.first.map { $0 - came <= .milliseconds(1500) } == true, "\(seed)")
    hall.app.forget()
    hall.beacon.switchOff()
    hall.world.advance(by: .seconds(60))
    #expect(hall.app.history.isEmpty, "one of the two beacons still sends")
    let left = hall.world.now
    second.switchOff()
    hall.world.advance(by: .seconds(60))
    #expect(hall.app.history == ["left hall", "hall outside"], "seed \(seed)")
    let delay = hall.app.times["left hall"]?.first.map { $0 - left } ?? .zero
    #expect(delay >= .seconds(28), "seed \(seed): \(delay)")
    #expect(delay <= .seconds(32), "seed \(seed): \(delay)")
  }

  @Test("Every manager is notified of crossings; a requested state goes to the manager that asked")
  func everyManager() {
    let hall = BeaconHall()
    let other = hall.phone.launch { BeaconApp() }
    hall.monitor()
    hall.world.advance(by: .seconds(3))
    #expect(other.history == ["authorization authorizedAlways", "entered hall", "hall inside"])
    #expect(hall.app.history.contains("started hall"))
    #expect(other.manager.monitoredRegions == hall.app.manager.monitoredRegions)
    #expect(other.manager.monitoredRegions == [CLBeaconRegion(uuid: treasureUUID, identifier: "hall")])
    other.forget()
    hall.app.forget()
    other.manager.requestState(for: CLBeaconRegion(uuid: treasureUUID, identifier: "hall"))
    other.manager.requestState(for: CLBeaconRegion(uuid: treasureUUID, identifier: "elsewhere"))
    hall.world.advance(by: .seconds(1))
    #expect(other.history == ["hall inside", "elsewhere unknown"])
    #expect(hall.app.history.isEmpty)
  }

  @Test("Crossings without notification are not reported, but the state still is")
  func quiet() {
    let hall = BeaconHall()
    let region = CLBeaconRegion(uuid: treasureUUID, identifier: "hall")
    region.notifyOnEntry = false
    region.notifyOnExit = false
    hall.app.manager.startMonitoring(for: region)
    hall.world.advance(by: .seconds(3))
    hall.beacon.switchOff()
    hall.world.advance(by: .seconds(60))
    #expect(
      hall.app.history == ["authorization authorizedAlways", "started hall", "hall inside", "hall outside"])
  }

  @Test("A region with the same name replaces the earlier one")
  func replaced() {
    let hall = BeaconHall()
    hall.monitor()
    hall.world.advance(by: .seconds(3))
    hall.app.forget()
    hall.app.manager.startMonitoring(for: CLBeaconRegion(uuid: strangeUUID, identifier: "hall"))
    hall.world.advance(by: .seconds(15))
    #expect(hall.app.manager.monitoredRegions.count == 1)
    #expect(hall.app.history == ["started hall", "hall outside"])
    hall.app.manager.stopMonitoring(for: CLBeaconRegion(uuid: strangeUUID, identifier: "hall"))
    #expect(hall.app.manager.monitoredRegions.isEmpty)
  }

  @Test("The twenty-first region fails; removing one makes room")
  func limit() {
    let hall = BeaconHall()
    for number in 1...21 {
      hall.app.manager.startMonitoring(
        for: CLBeaconRegion(uuid: treasureUUID, major: UInt16(number), identifier: "region \(number)"))
    }
    hall.world.advance(by: .seconds(1))
    #expect(hall.app.manager.monitoredRegions.count == 20)
    #expect(hall.app.history.contains("monitoring failed region 21 regionMonitoringFailure"))
    hall.app.manager.stopMonitoring(for: CLBeaconRegion(uuid: treasureUUID, major: 1, identifier: "region 1"))
    hall.app.manager.startMonitoring(
      for: CLBeaconRegion(uuid: treasureUUID, major: 21, identifier: "region 21"))
    hall.world.advance(by: .seconds(1))
    #expect(hall.app.history.contains("started region 21"))
  }

  @Test("Regions and their states survive a relaunch, and silence between launches does not count")
  func relaunch() {
    let hall = BeaconHall()
    hall.monitor()
    hall.world.advance(by: .seconds(3))
    hall.app.forget()
    hall.phone.relaunch()
    hall.world.advance(by: .seconds(600))
    #expect(hall.app.history.isEmpty, "the old app is gone")
    let next = hall.phone.launch { BeaconApp() }
    #expect(next.manager.monitoredRegions == [CLBeaconRegion(uuid: treasureUUID, identifier: "hall")])
    hall.world.advance(by: .seconds(5))
    #expect(next.history == ["authorization authorizedAlways"], "the region is inside as before")
    next.manager.requestState(for: CLBeaconRegion(uuid: treasureUUID, identifier: "hall"))
    hall.beacon.switchOff()
    hall.world.advance(by: .seconds(60))
    #expect(next.history == ["authorization authorizedAlways", "hall inside", "left hall", "hall outside"])
  }

  @Test("No region is left while Bluetooth is off")
  func bluetoothOff() {
    let hall = BeaconHall()
    hall.monitor()
    hall.world.advance(by: .seconds(3))
    hall.app.forget()
    hall.phone.switchBluetoothOff()
    hall.world.advance(by: .seconds(300))
    hall.phone.switchBluetoothOn()
    hall.world.advance(by: .seconds(20))
    #expect(hall.app.history.isEmpty)
  }

  @Test("Only beacon regions can be monitored")
  func otherRegions() {
    let hall = BeaconHall()
    hall.phone.launch {
      #expect(CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
      #expect(CLLocationManager.isRangingAvailable())
      #expect(!CLLocationManager.headingAvailable())
    }
  }

  @Test("A phone that advertises a region's data is a beacon to others")
  func phoneAsBeacon() throws {
    let hall = BeaconHall()
    let ben = hall.world.addPhone("Ben", at: [2, 0, 1.2])
    let region = CLBeaconRegion(uuid: strangeUUID, major: 300, minor: 5, identifier: "Ben")
    let sender = try ben.launch { try BeaconSender(region) }
    hall.range(CLBeaconIdentityConstraint(uuid: strangeUUID))
    hall.world.advance(by: .seconds(6))
    #expect(sender.hasStarted)
    let beacon = try #require(hall.app.reports.last?.beacons.first)
    #expect(beacon.major == 300)
    #expect(beacon.minor == 5)
    #expect(beacon.uuid == strangeUUID)
    ben.suspend()
    hall.world.advance(by: .seconds(15))
    #expect(hall.app.reports.last?.beacons.isEmpty == true, "a phone is a beacon only in the foreground")
  }
}
