import NearbyDeviceMachine
import NearbySchedule
import NearbySimulated
import NearbySimulator
import NearbyVirtualUWB
import simd

/// A wall's material. Its measured delay and attenuation of pulses are in `Docs/simulator.md`.
public enum WallMaterial: String, Sendable, Hashable, CaseIterable {
  /// A thick sheet of cardboard.
  case cardboard
  /// Plasterboard on a frame.
  case drywall
  /// A glass pane.
  case glass
  /// Boards or a door.
  case wood
  /// A hard plastic sheet.
  case plastic
  /// A brick wall.
  case brick
  /// A load-bearing concrete wall.
  case concrete
  /// Sheet metal.
  case metal

  var material: Material {
    guard let material = Material.named(rawValue) else {
      preconditionFailure("the simulator has no material \(rawValue)")
    }
    return material
  }
}

/// Identifies a wall, for its removal.
public struct WallHandle: Sendable, Equatable {
  let wall: Wall
}

extension World {
  // MARK: Phones

  /// Adds a phone whose user grants all permissions.
  ///
  /// - Parameters:
  ///   - name: Distinct from the other phones' names; seeds the radio's individual errors.
  ///   - position: Metres; x east, y north, z up.
  ///   - heading: Direction of its back in degrees clockwise from north.
  ///   - profile: The kind of device.
  @discardableResult
  public func addPhone(
    _ name: String, at position: SIMD3<Double> = [0, 0, 1.2], heading: Double = 0,
    profile: PhoneProfile = PhoneProfile()
  ) -> Phone {
    claim(name)
    let identity = StableHash.of(name)
    let (body, radio) = pump.withWorld { world, _ in
      let body = world.addBody(
        .standing(position), facing: .fixed(Rotation(heading: heading * .pi / 180)))
      let radio = world.addRadio(on: body, profile.characteristics, identity: identity)
      return (body, radio)
    }
    var machine = DeviceMachine(
      settings: profile.settings, hasRadio: profile.hasUltraWideband,
      usageDescription: "The app under test wants to find devices nearby.")
    machine.setCamera(
      isAvailable: profile.hasCameraTracking,
      usageDescription: "The app under test wants to see where its phone moves.")
    let device = pump.addDevice(
      name: name, machine: machine, chip: profile.chip(identity: identity), radio: radio, body: body,
      answer: .allowed)
    return Phone(
      name: name, world: self, shell: device, body: body, radio: radio)
  }

  /// Adds a device that runs an accessory's program: call `launch { Accessory() }` on it.
  ///
  /// - Parameters:
  ///   - name: Distinct from the other devices' names.
  ///   - position: Metres; x east, y north, z up.
  @discardableResult
  public func addAccessory(_ name: String, at position: SIMD3<Double> = [0, 0, 1]) -> Phone {
    addPhone(name, at: position, profile: .accessory)
  }

  // MARK: Walls, people, radio

  /// Adds a wall between two points on the ground. Coordinates and height are in metres.
  @discardableResult
  public func addWall(
    from: SIMD2<Double>, to: SIMD2<Double>, height: Double = 3, material: WallMaterial = .concrete
  ) -> WallHandle {
    let wall = Wall(from: from, to: to, top: height, material: material.material)
    pump.withWorld { world, _ in world.add(wall) }
    return WallHandle(wall: wall)
  }

  /// Adds a wall 4 m long and 4 m high, half-way between the present positions of two phones and at right
  /// angles to the line between them.
  @discardableResult
  public func addWall(
    between phone: Phone, and other: Phone, material: WallMaterial = .concrete
  ) -> WallHandle {
    let a = phone.position
    let b = other.position
    let middle = SIMD2((a.x + b.x) / 2, (a.y + b.y) / 2)
    let along = SIMD2(b.x - a.x, b.y - a.y)
    let length = max((along * along).sum().squareRoot(), 1e-6)
    let across = SIMD2(-along.y, along.x) / length * 2
    return addWall(from: middle - across, to: middle + across, height: 4, material: material)
  }

  /// Removes a wall. Has no effect if it is already gone.
  public func remove(_ handle: WallHandle) {
    pump.withWorld { world, _ in
      if let index = world.obstacles.firstIndex(of: .wall(handle.wall)) {
        world.removeObstacle(at: index)
      }
    }
  }

  /// Loses this share (0 to 1) of all UWB frames, in addition to losses from low power.
  public func loseFrames(_ share: Double) {
    pump.withWorld { world, _ in world.extraLoss = min(1, max(0, share)) }
  }
}

/// The kind of device to add to a world.
public struct PhoneProfile: Sendable, Hashable {
  /// False for a device without a UWB chip, on which `run` ends with `unsupportedPlatform`.
  public var hasUltraWideband = true
  /// False for a device that measures distances only, such as a watch.
  public var measuresDirection = true
  /// False for a device without camera tracking and so without camera assistance.
  public var hasCameraTracking = true
  /// Whether sessions may use extended distance measurement, as with second-generation chips.
  public var supportsExtendedDistance = false
  /// Whether sessions may listen to anchors (`NIDLTDOAConfiguration`).
  public var listensToAnchors = true
  /// Whether the device measures distances to accessories by Bluetooth Channel Sounding.
  public var measuresByChannelSounding = true
  /// Milliseconds between rounds, 50 to 10 000.
  public var rangingIntervalMilliseconds: Int = 150
  /// The maximum number of simultaneous sessions, 1 to 8.
  public var sessionLimit = 8
  /// Time from the shareable data to an accessory's first distance, after which it is removed.
  public var accessoryStartWindow: Duration = .seconds(10)
  /// Silence after which a peer is removed.
  public var peerTimeout: Duration = .seconds(10)
  /// Time in the background after which sessions are invalidated.
  public var backgroundLimit: Duration = .seconds(180)

  /// Creates the profile of a phone.
  public init() {}

  /// A watch, which measures distances but no directions.
  public static let watch: PhoneProfile = {
    var profile = PhoneProfile()
    profile.measuresDirection = false
    profile.hasCameraTracking = false
    profile.listensToAnchors = false
    profile.measuresByChannelSounding = false
    return profile
  }()

  /// A stationary device whose chip has one antenna.
  public static let accessory: PhoneProfile = {
    var profile = PhoneProfile.watch
    profile.supportsExtendedDistance = false
    return profile
  }()

  /// A device without an ultra-wideband chip.
  public static let withoutUltraWideband: PhoneProfile = {
    var profile = PhoneProfile()
    profile.hasUltraWideband = false
    return profile
  }()

  var characteristics: RadioCharacteristics { measuresDirection ? .phone : .watch }

  var settings: DeviceSettings {
    var settings = DeviceSettings()
    settings.capabilities = [.preciseDistance]
    if measuresDirection { settings.capabilities.insert(.direction) }
    if hasCameraTracking { settings.capabilities.insert(.cameraAssistance) }
    if measuresByChannelSounding { settings.capabilities.insert(.channelSounding) }
    if listensToAnchors { settings.capabilities.insert(.downlinkTDoA) }
    if supportsExtendedDistance { settings.capabilities.insert(.extendedDistance) }
    settings.rangingIntervalMilliseconds = UInt32(min(max(rangingIntervalMilliseconds, 50), 10_000))
    settings.sessionLimit = min(max(sessionLimit, 1), 8)
    settings.peerTimeout = peerTimeout
    settings.accessoryStartWindow = accessoryStartWindow
    settings.backgroundLimit = backgroundLimit
    return settings
  }

  func chip(identity: UInt64) -> VirtualChipConfiguration {
    VirtualChipConfiguration(
      measuresAngles: measuresDirection,
      startSpread: .milliseconds(Int64(settings.rangingIntervalMilliseconds)), identity: identity)
  }
}
