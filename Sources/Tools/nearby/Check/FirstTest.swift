/// Writes an app's first test on Linux: phones in a simulated world that use the framework that the app uses.
enum FirstTest {
  /// Frameworks with a test of their own; the first that the app imports decides.
  private enum Subject: String, CaseIterable {
    case ranging = "NearbyInteraction"
    case peers = "MultipeerConnectivity"
    case bluetooth = "CoreBluetooth"
    case beacons = "CoreLocation"
  }

  private static func subject(_ target: PackageTarget) -> Subject? {
    Subject.allCases.first { target.imports.contains($0.rawValue) }
  }

  /// The products that a target's first test needs.
  static func products(_ target: PackageTarget) -> [String] {
    ["NearbyTesting"] + [subject(target)?.rawValue].compactMap { $0 }
  }

  /// Paths and contents of a target's first test.
  ///
  /// - Parameter isApart: Whether the test's file does not import the app, because the app's names hide the world's.
  static func files(_ target: PackageTarget, isApart: Bool = false) -> [(path: String, text: String)] {
    let folder = "Tests/" + target.firstTestName
    let app = "@testable import \(target.name)"
    guard isApart else { return [(folder + "/FirstTests.swift", text(target, app: app))] }
    return [
      (folder + "/FirstTests.swift", text(target, app: nil)),
      (
        folder + "/AppTests.swift",
        "// For tests of the app's own objects. Its names hide some of the world's, so keep their uses apart.\n\(app)\n"
      ),
    ]
  }

  private static func text(_ target: PackageTarget, app: String?) -> String {
    let imports = (["Foundation", "Testing"] + products(target)).sorted().map { "import \($0)" }
    let body =
      switch subject(target) {
      case .ranging: ranging
      case .peers: peers
      case .bluetooth: bluetooth
      case .beacons: beacons
      case nil: time
      }
    let lines = imports + [app.map { "\n" + $0 }].compactMap { $0 }
    return """
      \(lines.joined(separator: "\n"))

      // A starting point: create this app's own objects inside `launch`, then let the world act on them.
      \(body)

      """
  }

  private static let ranging = """
    private final class Ranger: NSObject, NISessionDelegate {
      let session = NISession()
      var distance: Float?

      override init() {
        super.init()
        session.delegate = self
      }

      func find(_ token: NIDiscoveryToken) { session.run(NINearbyPeerConfiguration(peerToken: token)) }

      func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
        distance = nearbyObjects.first?.distance ?? distance
      }
    }

    @Test("Two phones three metres apart measure it")
    func meeting() throws {
      let world = World(seed: 1)
      let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
      let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
      let seeker = ann.launch { Ranger() }
      let target = ben.launch { Ranger() }
      seeker.find(try #require(target.session.discoveryToken))
      target.find(try #require(seeker.session.discoveryToken))
      world.advance(by: .seconds(5))
      #expect(abs((seeker.distance ?? 0) - 3) < 0.5)
    }
    """

  private static let peers = """
    private final class Member: NSObject, MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
      let session: MCSession
      private let advertiser: MCNearbyServiceAdvertiser
      private let browser: MCNearbyServiceBrowser

      init(_ name: String) {
        let peer = MCPeerID(displayName: name)
        session = MCSession(peer: peer)
        advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: nil, serviceType: "first-test")
        browser = MCNearbyServiceBrowser(peer: peer, serviceType: "first-test")
        super.init()
        advertiser.delegate = self
        browser.delegate = self
      }

      func advertise() { advertiser.startAdvertisingPeer() }
      func browse() { browser.startBrowsingForPeers() }

      func advertiser(
        _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
        withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
      ) { invitationHandler(true, session) }

      func browser(
        _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
      ) { browser.invitePeer(peerID, to: session, withContext: nil, timeout: 10) }

      func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
    }

    @Test("A phone finds another, invites it, and both are connected")
    func meeting() {
      let world = World(seed: 1)
      let ann = world.addPhone("Ann", at: [0, 0, 1.2])
      let ben = world.addPhone("Ben", at: [0, 3, 1.2])
      let host = ann.launch { Member("Ann") }
      let guest = ben.launch { Member("Ben") }
      ann.launch { host.advertise() }
      ben.launch { guest.browse() }
      world.advance(by: .seconds(10))
      #expect(host.session.connectedPeers.map(\\.displayName) == ["Ben"])
      #expect(guest.session.connectedPeers.map(\\.displayName) == ["Ann"])
    }
    """

  private static let bluetooth = """
    private final class Scanner: NSObject, CBCentralManagerDelegate {
      private(set) var names: Set<String> = []
      private var central: CBCentralManager?

      override init() {
        super.init()
        central = CBCentralManager(delegate: self, queue: nil)
      }

      func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
      }

      func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
      ) { names.insert(advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "") }
    }

    private final class Sensor: NSObject, CBPeripheralManagerDelegate {
      private var peripheral: CBPeripheralManager?

      override init() {
        super.init()
        peripheral = CBPeripheralManager(delegate: self, queue: nil)
      }

      func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.startAdvertising([CBAdvertisementDataLocalNameKey: "Sensor"])
      }
    }

    @Test("A phone discovers what another one advertises")
    func meeting() {
      let world = World(seed: 1)
      let ann = world.addPhone("Ann", at: [0, 0, 1.2])
      let ben = world.addPhone("Ben", at: [0, 3, 1.2])
      let scanner = ann.launch { Scanner() }
      let sensor = ben.launch { Sensor() }
      world.advance(by: .seconds(10))
      #expect(scanner.names.contains("Sensor"))
      withExtendedLifetime(sensor) {}
    }
    """

  private static let beacons = """
    private final class Listener: NSObject, CLLocationManagerDelegate {
      private(set) var minors: [Int] = []
      private let manager = CLLocationManager()

      func listen(to uuid: UUID) {
        manager.delegate = self
        manager.requestWhenInUseAuthorization()
        manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
      }

      func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
      ) { minors = beacons.map(\\.minor.intValue) }
    }

    @Test("A phone hears a beacon two metres away")
    func meeting() {
      let world = World(seed: 1)
      let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      world.addBeacon("Door", at: [0, 2, 1.2], uuid: uuid, major: 1, minor: 7)
      let ann = world.addPhone("Ann", at: [0, 0, 1.2])
      let listener = ann.launch { Listener() }
      ann.launch { listener.listen(to: uuid) }
      world.advance(by: .seconds(5))
      #expect(listener.minors == [7])
    }
    """

  private static let time = """
    @Test("Time passes in a world with a phone")
    func passing() {
      let world = World(seed: 1)
      _ = world.addPhone("Ann", at: [0, 0, 1.2])
      world.advance(by: .seconds(5))
      #expect(world.now == .seconds(5))
    }
    """
}
