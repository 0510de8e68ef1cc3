import NearbyTesting

/// A phone with the app, and a door with the accessory. Use it on the one thread that advances the world's
/// time.
public final class Entrance: @unchecked Sendable {
  /// The simulated world with both devices.
  public let world: World
  /// The phone that runs the app.
  public let phone: Phone
  /// The device that runs the accessory's program.
  public let door: Phone
  /// The accessory's program.
  public let opener: DoorOpener
  /// The phone's app.
  public let app: AccessoryApp
  /// When the first link came up.
  public private(set) var connected: Duration?
  /// When the first distance arrived.
  public private(set) var firstDistance: Duration?
  /// When the latest distance arrived.
  public private(set) var lastDistance: Duration?

  /// - Parameters:
  ///   - seed: The world's random seed.
  ///   - distance: Metres between the phone and the door.
  public init(seed: UInt64, distance: Double = 4) {
    world = World(seed: seed)
    phone = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    door = world.addAccessory("Door", at: [0, distance, 1.2])
    opener = door.launch { DoorOpener() }
    let channel = phone.launch { AccessoryChannel() }
    app = phone.launch { AccessoryApp(channel) }
    channel.onConnect = { [weak self] in
      if let self, connected == nil { connected = world.now }
    }
    app.onChange = { [weak self] in self?.noteDistance() }
  }

  private func noteDistance() {
    guard app.distance != nil else { return }
    if firstDistance == nil { firstDistance = world.now }
    lastDistance = world.now
  }
}
