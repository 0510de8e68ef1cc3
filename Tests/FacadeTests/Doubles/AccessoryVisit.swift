import Foundation
import NearbyAccessory
import NearbyInteraction
import NearbyTesting

/// A phone's app modelled on Apple's sample, and an accessory's program. The test carries their messages.
///
/// Used on the one thread that advances the world's time.
final class AccessoryVisit: NSObject, NISessionDelegate, @unchecked Sendable {
  let world: World
  let phone: Phone
  let device: Phone
  let accessory: Accessory
  /// How long a message takes: one connection interval of Bluetooth.
  let latency: Duration
  private(set) var session: NISession
  private var link: AccessoryLink?
  private(set) var token: NIDiscoveryToken?
  private(set) var history: [String] = []
  private(set) var updates: [NINearbyObject] = []
  private(set) var firstUpdate: Duration?
  private(set) var shareable: [Data] = []
  private(set) var events: [Accessory.Event] = []
  /// Whether the app sends shareable data to the accessory.
  var forwards = true
  /// How the app makes a configuration from the accessory's data.
  var configure: (Data) throws -> NINearbyAccessoryConfiguration = { try .init(data: $0) }

  init(
    world: World, phone: Phone, device: Phone, profile: AccessoryProfile? = nil,
    latency: Duration = .milliseconds(30)
  ) {
    var ours = profile ?? AccessoryProfile()
    ours.channel = .program
    self.world = world
    self.phone = phone
    self.device = device
    self.latency = latency
    accessory = device.launch { Accessory(ours) }
    session = phone.launch { NISession() }
    super.init()
    session.delegate = self
    accessory.onEvent { [weak self] in self?.events.append($0) }
    device.launch { accessory.start() }
  }

  /// Another phone at the same accessory.
  init(world: World, phone: Phone, sharing host: AccessoryVisit) {
    self.world = world
    self.phone = phone
    device = host.device
    latency = host.latency
    accessory = host.accessory
    session = phone.launch { NISession() }
    super.init()
    session.delegate = self
  }

  /// One phone and one accessory, `distance` metres apart.
  convenience init(
    seed: UInt64 = 1, distance: Double = 3, profile: AccessoryProfile? = nil,
    phoneProfile: PhoneProfile = PhoneProfile()
  ) {
    let world = World(seed: seed)
    self.init(
      world: world, phone: world.addPhone("Ann", at: [0, 0, 1.2], heading: 0, profile: phoneProfile),
      device: world.addAccessory("Door", at: [0, distance, 1.2]), profile: profile)
  }

  // MARK: The messages

  func connect(isAuthorized: Bool = false) {
    link = device.launch {
      accessory.connect(isAuthorized: isAuthorized) { [weak self] message in self?.carry { $0.hear(message) }
      }
    }
  }

  func disconnect() { link = nil }

  private func carry(_ body: @escaping @Sendable (AccessoryVisit) -> Void) {
    world.at(world.now + latency, as: phone) { [weak self] in
      if let self { body(self) }
    }
  }

  func say(_ octets: [UInt8]) {
    guard let link else { return }
    world.at(world.now + latency, as: device) { link.received(Data(octets)) }
  }

  func initialize() { say([0x0A]) }

  private func hear(_ message: Data) {
    switch message.first {
    case 1:
      do {
        let configuration = try configure(message.dropFirst())
        token = configuration.accessoryDiscoveryToken
        session.run(configuration)
      } catch { history.append("refused") }
    case 2: history.append("accessory started")
    case 3: history.append("accessory stopped")
    case _: history.append("an unknown message")
    }
  }

  func renewSession() {
    session = phone.launch { NISession() }
    session.delegate = self
  }

  func forget() {
    history = []
    updates = []
    updateTimes = []
    events = []
    firstUpdate = nil
  }

  // MARK: The delegate

  func session(
    _ session: NISession, didGenerateShareableConfigurationData shareableConfigurationData: Data,
    for object: NINearbyObject
  ) {
    history.append("shareable \(shareableConfigurationData.count)")
    if object.distance != nil || object.direction != nil { history.append("measured too early") }
    guard object.discoveryToken == token else { return history.append("another token") }
    shareable.append(shareableConfigurationData)
    if forwards { say([0x0B] + shareableConfigurationData) }
  }

  private(set) var updateTimes: [Duration] = []

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    if firstUpdate == nil, nearbyObjects.first?.distance != nil { firstUpdate = world.now }
    updates += nearbyObjects
    updateTimes.append(world.now)
  }

  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) { history.append("removed \(reason)") }

  func sessionWasSuspended(_ session: NISession) { history.append("suspended") }
  func sessionSuspensionEnded(_ session: NISession) { history.append("suspensionEnded") }
  func sessionDidStartRunning(_ session: NISession) { history.append("running") }
  func session(_ session: NISession, didInvalidateWith error: any Error) {
    history.append("invalidated \((error as? NIError).map { "\($0.code)" } ?? "another error")")
  }
}
