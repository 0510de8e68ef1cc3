import CoreLocation
import NearbyTesting
import Testing

@Suite("CoreLocation's values")
struct BeaconValueTests {
  @Test("Constraints and regions compare and hash by value")
  func equality() {
    let constraint = CLBeaconIdentityConstraint(uuid: treasureUUID, major: 1, minor: 2)
    let same = CLBeaconIdentityConstraint(uuid: treasureUUID, major: 1, minor: 2)
    #expect(constraint == same)
    #expect(constraint.hash == same.hash)
    #expect([constraint: 1][same] == 1)
    #expect(constraint != CLBeaconIdentityConstraint(uuid: treasureUUID, major: 1))
    #expect(
      CLBeaconIdentityConstraint(uuid: treasureUUID, major: 0)
        != CLBeaconIdentityConstraint(uuid: treasureUUID))
    let region = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "a")
    let other = CLBeaconRegion(uuid: treasureUUID, major: 1, minor: 2, identifier: "a")
    other.notifyOnExit = false
    #expect(region == other)
    #expect(Set([region, other]).count == 1)
    #expect(region != CLBeaconRegion(uuid: treasureUUID, major: 1, minor: 2, identifier: "b"))
    #expect(region != CLBeaconRegion(uuid: treasureUUID, major: 1, identifier: "a"))
    #expect(Set<CLRegion>([region]).contains(other))
  }

  @Test("Constraints survive archiving, and regions archiving and copying")
  func archives() throws {
    let region = CLBeaconRegion(uuid: treasureUUID, major: 65_535, minor: 0, identifier: "ä/b")
    region.notifyOnEntry = false
    region.notifyEntryStateOnDisplay = true
    let data = try NSKeyedArchiver.archivedData(withRootObject: region, requiringSecureCoding: true)
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLBeaconRegion.self, from: data))
    let copy = try #require(region.copy() as? CLBeaconRegion)
    for it in [read, copy] {
      #expect(it == region)
      #expect(!it.notifyOnEntry)
      #expect(it.notifyOnExit)
      #expect(it.notifyEntryStateOnDisplay)
      #expect(it.major == 65_535)
      #expect(it.minor == 0)
    }
    let constraint = CLBeaconIdentityConstraint(uuid: treasureUUID, major: 3)
    let archived = try NSKeyedArchiver.archivedData(withRootObject: constraint, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLBeaconIdentityConstraint.self, from: archived)
        == constraint)
  }

  @Test("A location has the accuracies that it was created with, also after archiving")
  func location() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), altitude: 34,
      horizontalAccuracy: 5, verticalAccuracy: 6, course: 90, courseAccuracy: 7, speed: 8, speedAccuracy: 9,
      timestamp: Date(timeIntervalSince1970: 10),
      sourceInfo: CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false))
    let data = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data))
    for it in [location, read] {
      #expect(it.coordinate.latitude == 52.5 && it.coordinate.longitude == 13.4 && it.altitude == 34)
      #expect(it.horizontalAccuracy == 5 && it.verticalAccuracy == 6)
      #expect(it.course == 90 && it.courseAccuracy == 7 && it.speed == 8 && it.speedAccuracy == 9)
      #expect(it.timestamp == Date(timeIntervalSince1970: 10))
      #expect(it.sourceInformation?.isSimulatedBySoftware == true)
      #expect(it.sourceInformation?.isProducedByAccessory == false)
    }
    let plain = CLLocation(latitude: 1, longitude: 2)
    #expect(plain.courseAccuracy == -1 && plain.speedAccuracy == -1 && plain.sourceInformation == nil)
    let empty = CLLocation()
    #expect(empty.coordinate.latitude == 0 && empty.speed == 0)
    #expect(empty.timestamp == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test("A beacon survives archiving")
  func archivedBeacon() throws {
    let hall = BeaconHall()
    hall.range()
    hall.world.advance(by: .seconds(3))
    let beacon = try #require(hall.app.reports.last?.beacons.first)
    let data = try NSKeyedArchiver.archivedData(withRootObject: beacon, requiringSecureCoding: true)
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLBeacon.self, from: data) == beacon)
  }

  @Test(
    "The data to advertise is UUID, major, minor and power, and both of the usual casts work",
    arguments: [
      (UInt16?.none, UInt16?.none, NSNumber?.none, [0, 0, 0, 0, 0xC5]),
      (0x1234, nil, -70, [0x12, 0x34, 0, 0, 0xBA]), (1, 0xFFFE, 4, [0, 1, 0xFF, 0xFE, 4]),
    ] as [(UInt16?, UInt16?, NSNumber?, [UInt8])])
  func peripheralData(major: UInt16?, minor: UInt16?, power: NSNumber?, tail: [UInt8]) throws {
    let region =
      switch (major, minor) {
      case (let major?, let minor?):
        CLBeaconRegion(uuid: treasureUUID, major: major, minor: minor, identifier: "x")
      case (let major?, nil): CLBeaconRegion(uuid: treasureUUID, major: major, identifier: "x")
      case (nil, _): CLBeaconRegion(uuid: treasureUUID, identifier: "x")
      }
    let data = region.peripheralData(withMeasuredPower: power)
    let swift = try #require(data as? [String: Any])
    let other = try #require((data as NSDictionary) as? [String: Any])
    let octets = try #require(swift["kCBAdvDataAppleBeaconKey"] as? Data)
    #expect(octets == other["kCBAdvDataAppleBeaconKey"] as? Data)
    #expect([UInt8](octets) == withUnsafeBytes(of: treasureUUID.uuid) { Array($0) } + tail)
  }

  @Test("Codes have Apple's numbers, and an error matches its code and its domain")
  func errors() {
    let error: any Error = CLError(.rangingUnavailable)
    #expect((error as NSError).domain == kCLErrorDomain)
    #expect((error as NSError).code == 16)
    if case CLError.rangingUnavailable = error {} else { Issue.record("the error did not match its code") }
    if case CLError.denied = error { Issue.record("the error matched another code") }
    #expect(CLError.Code.allCases.map(\.rawValue) == Array(0...19))
    #expect(CLError(.rangingFailure).alternateRegion == nil)
  }

  @Test("Distances between coordinates are right, and invalid coordinates are recognised")
  func distances() {
    let vienna = CLLocation(latitude: 48.2082, longitude: 16.3738)
    let paris = CLLocation(latitude: 48.8566, longitude: 2.3522)
    #expect(abs(vienna.distance(from: paris) - 1_034_000) < 6000)
    #expect(vienna.distance(from: vienna) == 0)
    #expect(CLLocationCoordinate2DIsValid(paris.coordinate))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }
}
