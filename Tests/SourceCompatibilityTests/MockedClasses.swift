// Stand-ins for Apple's classes, as apps write them for their tests: subclasses that override what they need.
import ARKit
import CoreBluetooth
import CoreLocation
import MultipeerConnectivity
import NearbyInteraction

class MockLocationManager: CLLocationManager {
  var isBackgroundAllowed = false
  var wantedAccuracy: CLLocationAccuracy = 0
  var status = CLAuthorizationStatus.notDetermined
  var place: CLLocation?
  var calls: [String] = []
  var regions: Set<CLRegion> = []

  override var allowsBackgroundLocationUpdates: Bool {
    get { isBackgroundAllowed }
    set { isBackgroundAllowed = newValue }
  }
  override var pausesLocationUpdatesAutomatically: Bool {
    get { false }
    set { calls.append("pauses \(newValue)") }
  }
  override var showsBackgroundLocationIndicator: Bool {
    get { true }
    set {}
  }
  override var desiredAccuracy: CLLocationAccuracy {
    get { wantedAccuracy }
    set { wantedAccuracy = newValue }
  }
  override var distanceFilter: CLLocationDistance {
    get { 5 }
    set {}
  }
  override var activityType: CLActivityType {
    get { .fitness }
    set {}
  }
  override var authorizationStatus: CLAuthorizationStatus { status }
  override var location: CLLocation? { place }
  override var monitoredRegions: Set<CLRegion> { regions }
  override func requestWhenInUseAuthorization() { status = .authorizedWhenInUse }
  override func startUpdatingLocation() {
    delegate?.locationManager(self, didUpdateLocations: [place].compactMap { $0 })
  }
  override func startMonitoringVisits() { calls.append("visits") }
  override func stopMonitoringVisits() { calls.append("no visits") }
  override func startMonitoringSignificantLocationChanges() { calls.append("changes") }
  override func stopMonitoringSignificantLocationChanges() { calls.append("no changes") }
  override func startMonitoring(for region: CLRegion) { regions.insert(region) }
  override func stopMonitoring(for region: CLRegion) { regions.remove(region) }
  override func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    calls.append("ranging \(constraint.uuid)")
  }
  @available(*, deprecated)
  override func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) {
    calls.append("deferred \(distance) \(timeout)")
  }
  @available(*, deprecated)
  override func disallowDeferredLocationUpdates() { calls.append("not deferred") }
  override class func locationServicesEnabled() -> Bool { true }
  override class func significantLocationChangeMonitoringAvailable() -> Bool { true }
}

class MockBeacon: CLBeacon {
  private let number: NSNumber
  private let zone: CLProximity

  init(major: NSNumber, proximity: CLProximity) {
    number = major
    zone = proximity
    super.init()
  }

  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

  override var uuid: UUID { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) }
  override var major: NSNumber { number }
  override var minor: NSNumber { 2 }
  override var proximity: CLProximity { zone }
  override var accuracy: CLLocationAccuracy { 1.5 }
  override var rssi: Int { -60 }
  override var timestamp: Date { Date(timeIntervalSince1970: 0) }
}

class MutableBeacon: CLBeacon {
  private var distance: CLLocationAccuracy = 0
  override var accuracy: CLLocationAccuracy {
    get { distance }
    set { distance = newValue }
  }
}

final class MockHeading: CLHeading {
  private let angle: CLLocationDirection
  init(angle: CLLocationDirection) {
    self.angle = angle
    super.init()
  }
  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
  override var magneticHeading: CLLocationDirection { angle }
  override var trueHeading: CLLocationDirection { angle + 3 }
  override var headingAccuracy: CLLocationDirection { 1 }
  override var x: CLHeadingComponentValue { 7 }
  override var timestamp: Date { Date(timeIntervalSince1970: 1) }
}

final class FakeVisit: CLVisit {
  private let place: CLLocationCoordinate2D
  init(coordinates: CLLocationCoordinate2D) {
    place = coordinates
    super.init()
  }
  required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
  override var coordinate: CLLocationCoordinate2D { place }
  override var arrivalDate: Date { Date(timeIntervalSince1970: 10) }
  override var departureDate: Date { Date(timeIntervalSince1970: 20) }
  override var horizontalAccuracy: CLLocationAccuracy { 10 }
}

class MockCircle: CLCircularRegion {
  override var identifier: String { "home" }
  override var center: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: 52, longitude: 13) }
  override var radius: CLLocationDistance { 500 }
}

final class MockGeocoder: CLGeocoder {
  var asked: [CLLocation] = []
  override func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    asked.append(location)
    completionHandler([], nil)
  }
  override func cancelGeocode() { asked = [] }
}

class MockFloor: CLFloor {
  override var level: Int { 3 }
}

class MockLocation: CLLocation {
  override var floor: CLFloor? { MockFloor() }
  override var speed: CLLocationSpeed { 3 }
}

class FakeUUID: CBUUID {
  var text = ""
  override var uuidString: String { text }
}

class SpyCentral: CBCentralManager {
  var stub = CBManagerState.resetting
  var scans: [[CBUUID]?] = []
  override var state: CBManagerState { stub }
  override init(delegate: CBCentralManagerDelegate?, queue: DispatchQueue?, options: [String: Any]? = nil) {
    super.init(delegate: delegate, queue: queue, options: options)
  }
  override func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
    scans.append(serviceUUIDs)
  }
}

class FakePeripheralManager: CBPeripheralManager {
  var answers: [CBATTError.Code] = []
  override func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
    answers.append(result)
  }
}

class FakeCharacteristic: CBMutableCharacteristic {
  override var uuid: CBUUID { CBUUID(string: "180D") }
}

// Swift refuses these if what they override is not open; nothing creates them.
class FakeService: CBService {
  override var isPrimary: Bool { false }
}
class FakeRequest: CBATTRequest {
  override var offset: Int { 1 }
}
class FakeCentral: CBCentral {
  override var maximumUpdateValueLength: Int { 20 }
}

class MockPeerID: MCPeerID {
  override var displayName: String { "mock " + super.displayName }
}

class MockGroup: MCSession {
  private let peers: [MCPeerID]
  var sent: [Data] = []
  init(peer: MCPeerID, connected: [MCPeerID]) {
    peers = connected
    super.init(peer: peer, securityIdentity: nil, encryptionPreference: .required)
  }
  override var connectedPeers: [MCPeerID] { peers }
  override var myPeerID: MCPeerID { peers[0] }
  override func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
    sent.append(data)
  }
  override func disconnect() { sent = [] }
}

class MockAnnouncer: MCNearbyServiceAdvertiser {
  var isAdvertising = false
  override var serviceType: String { "mock" }
  override func startAdvertisingPeer() { isAdvertising = true }
}

class MockFinder: MCNearbyServiceBrowser {
  var invited: [MCPeerID] = []
  override func invitePeer(
    _ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval
  ) { invited.append(peerID) }
}

class MockRangingSession: NISession {
  var calls: [String] = []
  override func run(_ configuration: NIConfiguration) { calls.append("run") }
  override func setARSession(_ session: ARSession) { calls.append("camera \(session is MockARSession)") }
  override func worldTransform(for object: NINearbyObject) -> simd_float4x4? { matrix_identity_float4x4 }
  override func updateMotionState(
    _ motionState: NIMotionActivityState, forObjectWithToken token: NIDiscoveryToken
  ) { calls.append("motion \(motionState)") }
  override func invalidate() { calls.append("invalidate") }
}

class MockARSession: ARSession {
  var anchored: [ARAnchor] = []
  override var identifier: UUID { UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  override func add(anchor: ARAnchor) { anchored.append(anchor) }
  override func remove(anchor: ARAnchor) { anchored.removeAll { $0 === anchor } }
  override func setWorldOrigin(relativeTransform: simd_float4x4) { anchored = [] }
  override func getCurrentWorldMap(completionHandler: @escaping (ARWorldMap?, Error?) -> Void) {
    completionHandler(nil, nil)
  }
}

/// What an app needs of a location manager, so that its tests can replace it.
protocol FullAccuracyAsking {
  func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String)
}
extension CLLocationManager: FullAccuracyAsking {}

class ArchivedFloor: CLFloor {
  private let number: Int

  init(_ number: Int) {
    self.number = number
    super.init()
  }
  required init?(coder: NSCoder) {
    number = coder.decodeInteger(forKey: "number")
    super.init(coder: coder)
  }

  override var level: Int { number }
  override func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
  override class var supportsSecureCoding: Bool { true }
}

class MockAddresses: CLGeocoder {
  @available(*, deprecated)
  override func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CLGeocodeCompletionHandler
  ) { completionHandler([], nil) }
}

class MockBeaconRegion: CLBeaconRegion {
  override var identifier: String { "door" }
}
