import ARKit
import CoreBluetooth
import CoreLocation
import MultipeerConnectivity
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Apps' tests subclass Apple's classes")
struct MockedClassesTests {
  @available(*, deprecated)
  @Test("A mocked location manager answers in place of ours")
  func manager() {
    World(seed: 1).addPhone("Ann").launch {
      let mock = MockLocationManager()
      let manager: CLLocationManager = mock
      manager.allowsBackgroundLocationUpdates = true
      manager.pausesLocationUpdatesAutomatically = true
      manager.desiredAccuracy = kCLLocationAccuracyBest
      #expect(manager.allowsBackgroundLocationUpdates && !manager.pausesLocationUpdatesAutomatically)
      #expect(
        manager.desiredAccuracy == -1 && manager.distanceFilter == 5 && manager.activityType == .fitness)
      manager.requestWhenInUseAuthorization()
      #expect(manager.authorizationStatus == .authorizedWhenInUse)
      manager.startMonitoringVisits()
      manager.startMonitoringSignificantLocationChanges()
      manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: 60)
      manager.disallowDeferredLocationUpdates()
      manager.startMonitoring(for: MockCircle())
      #expect(manager.monitoredRegions.map(\.identifier) == ["home"])
      #expect(mock.calls == ["pauses true", "visits", "changes", "deferred 100.0 60.0", "not deferred"])
      #expect(type(of: manager).significantLocationChangeMonitoringAvailable())
      #expect(!MockLocationManager.deferredLocationUpdatesAvailable())
    }
  }

  @Test("Mocked beacons, headings, visits, regions and floors")
  func values() throws {
    let beacon: CLBeacon = MockBeacon(major: 7, proximity: .near)
    #expect(beacon.major == 7 && beacon.proximity == .near && beacon.accuracy == 1.5 && beacon.rssi == -60)
    #expect(beacon == MockBeacon(major: 7, proximity: .near))
    #expect(beacon != MockBeacon(major: 8, proximity: .near))
    #expect(beacon.hash == MockBeacon(major: 7, proximity: .near).hash)
    let mutable = MutableBeacon()
    mutable.accuracy = 2
    #expect(mutable.accuracy == 2 && mutable.proximity == .unknown && mutable.rssi == 0)
    let heading: CLHeading = MockHeading(angle: 90)
    #expect(heading.magneticHeading == 90 && heading.trueHeading == 93 && heading.x == 7 && heading.y == 0)
    let visit: CLVisit = FakeVisit(coordinates: CLLocationCoordinate2D(latitude: 1, longitude: 2))
    #expect(visit.coordinate.longitude == 2 && visit.horizontalAccuracy == 10)
    #expect(CLVisit().departureDate == .distantFuture)
    let circle: CLCircularRegion = MockCircle()
    #expect(circle.contains(CLLocationCoordinate2D(latitude: 52.004, longitude: 13)))
    #expect(!circle.contains(CLLocationCoordinate2D(latitude: 52.006, longitude: 13)))
    let location: CLLocation = MockLocation(latitude: 1, longitude: 2)
    #expect(location.floor?.level == 3 && location.speed == 3 && location.course == -1)
    #expect(CLFloor().level == 0)
  }

  @Test("A mocked geocoder finds what ours cannot")
  func geocoder() {
    let mock = MockGeocoder()
    let geocoder: CLGeocoder = mock
    var found: [CLPlacemark]?
    geocoder.reverseGeocodeLocation(CLLocation()) { places, _ in found = places }
    #expect(found == [] && mock.asked.count == 1)
  }

  @Test("A mocked central, peripheral manager, UUID and characteristic")
  func bluetooth() {
    World(seed: 1).addPhone("Ann").launch {
      let central = SpyCentral(delegate: nil, queue: nil)
      #expect((central as CBManager).state == .resetting)
      central.scanForPeripherals(withServices: [CBUUID(string: "180D")])
      #expect(central.scans == [[CBUUID(string: "180D")]])
      let peripheral = FakePeripheralManager()
      #expect(peripheral.answers.isEmpty)
    }
    let uuid = FakeUUID()
    uuid.text = "mine"
    #expect((uuid as CBUUID).uuidString == "mine")
    let characteristic = FakeCharacteristic(
      type: CBUUID(), properties: .read, value: nil, permissions: .readable)
    #expect((characteristic as CBCharacteristic).uuid.uuidString == "180D")
    #expect(CBUUID() == CBUUID() && CBUUID() != CBUUID(string: "0000"))
    #expect(CBUUID().data.count == 16)
  }

  @Test("Mocked peers and sessions")
  func peers() throws {
    try World(seed: 1).addPhone("Ann").launch {
      let peer: MCPeerID = MockPeerID(displayName: "Ben")
      #expect(peer.displayName == "mock Ben")
      let session = MockGroup(peer: MCPeerID(displayName: "Ann"), connected: [peer])
      try session.send(Data([1]), toPeers: session.connectedPeers, with: .reliable)
      #expect(session.sent == [Data([1])] && session.myPeerID.displayName == "mock Ben")
      let advertiser = MockAnnouncer(peer: peer, discoveryInfo: nil, serviceType: "chat")
      advertiser.startAdvertisingPeer()
      #expect(advertiser.isAdvertising && advertiser.serviceType == "mock")
      let browser = MockFinder(peer: peer, serviceType: "chat")
      browser.invitePeer(peer, to: session, withContext: nil, timeout: 10)
      #expect(browser.invited == [peer])
    }
  }

  @Test("Mocked sessions of Nearby Interaction and ARKit")
  func sessions() {
    World(seed: 1).addPhone("Ann").launch {
      let camera: ARSession = MockARSession()
      let anchor = ARAnchor(transform: matrix_identity_float4x4)
      camera.add(anchor: anchor)
      #expect((camera as? MockARSession)?.anchored.count == 1)
      camera.remove(anchor: anchor)
      #expect((camera as? MockARSession)?.anchored.isEmpty == true && camera.identifier.uuid.0 == 9)
      let mock = MockRangingSession()
      let session: NISession = mock
      session.setARSession(camera)
      session.invalidate()
      #expect(mock.calls == ["camera true", "invalidate"])
    }
  }

  @Test("Floors are archived, and a manager and a region stand behind an app's own protocol and subclass")
  func floorsAndRegions() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: ArchivedFloor(3), requiringSecureCoding: true)
    let floor = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: ArchivedFloor.self, from: data))
    #expect(floor.level == 3)
    World(seed: 1).addPhone("Ann").launch {
      let asking: any FullAccuracyAsking = CLLocationManager()
      asking.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "search")
      #expect(MockBeaconRegion().identifier == "door" && CLBeaconRegion().identifier.isEmpty)
    }
  }
}
