import AccessorySetupKit
import NearbyAccessory
import NearbyInteraction
import NearbyTesting
import Testing

private let tagService = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")

/// An app that sets up a tag and measures it through NearbyInteraction with camera assistance.
private final class CameraApp: NSObject, CBCentralManagerDelegate, NISessionDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let setup = ASAccessorySession()
  let session = NISession()
  private(set) var objects: [NINearbyObject] = []
  private(set) var token: NIDiscoveryToken?
  private var central: CBCentralManager?
  private var peripheral: CBPeripheral?

  override init() {
    super.init()
    session.delegate = self
    setup.activate(on: .main) { [weak self] event in
      if event.eventType == .activated { self?.pick() }
      if event.eventType == .accessoryAdded, let self {
        central = CBCentralManager(delegate: self, queue: nil)
      }
    }
  }

  private func pick() {
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = tagService
    let item = ASPickerDisplayItem(name: "Tag", productImage: UIImage(), descriptor: descriptor)
    setup.showPicker(for: [item]) { _ in }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn, let identifier = setup.accessories.first?.bluetoothIdentifier,
      let known = central.retrievePeripherals(withIdentifiers: [identifier]).first
    else { return }
    peripheral = known
    central.connect(known)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    let configuration = NINearbyAccessoryConfiguration(
      bluetoothChannelSoundingIdentifier: peripheral.identifier, previousBluetoothIdentifier: nil)
    configuration.isCameraAssistanceEnabled = true
    token = configuration.accessoryDiscoveryToken
    session.run(configuration)
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) { objects += nearbyObjects }
}

@Suite("Sessions by Channel Sounding")
struct SoundingSessionTests {
  @Test("The place of an accessory that is reported to move is dropped, and found again once it rests")
  func motionState() throws {
    let world = World(seed: 2)
    let ann = world.addPhone("Ann", at: [0, 0, 1.4])
    let tag = world.addAccessory("Tag", at: [0, 5, 1])
    let accessory = tag.launch {
      var profile = AccessoryProfile(name: "Tag")
      profile.technologies = [.channelSounding]
      let accessory = Accessory(profile)
      accessory.start()
      return accessory
    }
    ann.declareAccessorySetup(services: [tagService.uuidString])
    let app = ann.launch { CameraApp() }
    func walk() {
      ann.walk(through: [[4, 0, 1.4], [4, 4, 1.2], [-3, 3, 1.6], [-3, -2, 1.4], [0, 0, 1.4]], speed: 1)
      world.advance(by: .seconds(40))
    }
    world.advance(until: { !app.objects.isEmpty }, within: .seconds(20))
    walk()
    let token = try #require(app.token)
    let found = try #require(app.objects.last)
    #expect(found.discoveryToken == token && found.horizontalAngle != nil)
    let other = try #require(ann.run { NISession() }.discoveryToken)
    ann.run { app.session.updateMotionState(.moving, forObjectWithToken: other) }
    world.advance(by: .seconds(2))
    #expect(app.objects.last?.horizontalAngle != nil, "another object's motion has no effect")
    ann.run { app.session.updateMotionState(.moving, forObjectWithToken: token) }
    walk()
    let moving = try #require(app.objects.last)
    #expect(moving.horizontalAngle == nil && moving.distance != nil)
    ann.run { app.session.updateMotionState(.stationary, forObjectWithToken: token) }
    walk()
    #expect(app.objects.last?.horizontalAngle != nil)
    withExtendedLifetime(accessory) {}
  }

  @Test("An accessory whose identifier has changed keeps its token through its previous identifier")
  func previousIdentifier() {
    let (old, new) = (UUID(), UUID())
    func token(_ identifier: UUID, _ previous: UUID?) -> NIDiscoveryToken {
      NINearbyAccessoryConfiguration(
        bluetoothChannelSoundingIdentifier: identifier, previousBluetoothIdentifier: previous
      ).accessoryDiscoveryToken
    }
    #expect(token(old, nil) == token(old, nil))
    #expect(token(new, old) == token(old, nil))
    #expect(token(new, nil) != token(old, nil))
  }
}
