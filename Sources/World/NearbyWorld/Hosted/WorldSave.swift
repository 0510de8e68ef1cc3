import Foundation
import NearbyAirs
import NearbyScenarios
import NearbySimulated
import NearbySimulator
import NearbyWorldProtocol

/// A world's state as saved to a file between two runs of its server.
package struct WorldSave: Sendable {
  /// State of one device that a scenario does not contain.
  struct Device: Codable, Equatable, Sendable {
    var name: String
    var isInForeground: Bool
    var permission: UInt8
    var cameraPermission: UInt8
    var light: Double
    var isFeatureless: Bool
    var isRadioOn: Bool
    /// Raw value of a `WorldAnswer`; absent in older files, like the fields that follow.
    var bluetoothPermission: UInt8?
    var isBluetoothOn: Bool?
    var locationPermission: UInt8?
    var alwaysPermission: UInt8?
  }

  /// State of one beacon that a scenario does not contain.
  struct Beacon: Codable, Equatable, Sendable {
    var name: String
    var isOn: Bool
  }

  /// The file's JSON form.
  private struct File: Codable {
    var version = 1
    /// Time of the world, seconds.
    var time: Double
    var scenario: String
    var devices: [Device]
    var beacons: [Beacon]?
  }

  /// Why a file is not a saved world.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Time of the world.
  package let time: Duration
  private let scenario: Scenario
  private let devices: [Device]
  private let beacons: [Beacon]

  package init(_ world: HostedWorld) {
    time = world.time
    scenario = world.scenario()
    beacons = world.beacons.map { Beacon(name: $0.described.name, isOn: $0.isOn) }
    devices = world.keptDevices.map { index in
      let device = world.devices[index]
      // "Allow once" ends with the app's launch, so ask again.
      func kept(_ answer: WorldAnswer) -> UInt8 {
        (answer == .allowedOnce ? .notDetermined : answer).rawValue
      }
      return Device(
        name: device.name, isInForeground: device.isInForeground, permission: kept(device.permission),
        cameraPermission: kept(device.cameraPermission), light: device.camera.surroundings.light,
        isFeatureless: device.camera.surroundings.isFeatureless,
        isRadioOn: world.air.medium.world.isOn(radio: device.radio),
        bluetoothPermission: world.bluetoothPermission(of: index).rawValue,
        isBluetoothOn: device.isBluetoothOn, locationPermission: kept(device.locationPermission),
        alwaysPermission: kept(device.alwaysPermission))
    }
  }

  /// Whether the two differ in time only.
  package func hasSameScene(as other: WorldSave) -> Bool {
    devices == other.devices && beacons == other.beacons && scenario == other.scenario
  }

  /// - Parameter file: Name of the file in errors.
  package init(
    parsing data: Data, file: String, progress: ScenarioProgress? = nil
  ) throws(Failure) {
    let read: File
    do {
      read = try JSONDecoder().decode(File.self, from: data)
    } catch {
      throw Failure(description: "\(file): \(Self.words(error)). \(Self.advice)")
    }
    guard read.version == 1 else {
      throw Failure(description: "\(file): expected version 1, found version \(read.version). \(Self.advice)")
    }
    guard (0...(WorldTime.latest / .seconds(1))).contains(read.time) else {
      throw Failure(
        description: "\(file): expected a time of 0 to 1e9 s, found \(read.time) s. \(Self.advice)")
    }
    do throws(ScenarioError) {
      scenario = try Scenario(parsing: Data(read.scenario.utf8), file: file, progress: progress)
    } catch {
      throw Failure(description: "\(error)")
    }
    time = .seconds(read.time)
    devices = read.devices
    beacons = read.beacons ?? []
  }

  private static let advice = "Use another file, or delete this one to start a new world"

  /// What was expected in place of what the decoder found.
  private static func words(_ error: any Error) -> String {
    func place(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: " ")
    }
    return switch error as? DecodingError {
    case .keyNotFound(let key, let context)?:
      "expected a saved world, but '\(place(context.codingPath + [key]))' is missing"
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
      "expected a saved world, but '\(place(context.codingPath))' has the wrong type"
    case .dataCorrupted?, nil: "expected a saved world, found other data"
    @unknown default: "expected a saved world, found other data"
    }
  }

  package func data() throws -> Data {
    let file = File(
      time: time / .seconds(1), scenario: scenario.text(), devices: devices, beacons: beacons)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(file)
  }

  package var deviceCount: Int { scenario.devices.count }

  /// Restores the world at its saved time.
  package func world(settings: HostedWorld.Settings) -> HostedWorld {
    var world = HostedWorld(scenario, settings: settings, at: time)
    world.advance(to: time)
    for device in devices {
      if let index = world.deviceOfName[device.name] { world.restore(device, at: index) }
    }
    var off: Set<String> = []
    for beacon in beacons where !beacon.isOn { off.insert(beacon.name) }
    for index in world.beacons.indices where off.contains(world.beacons[index].described.name) {
      world.setBeacon(index, isOn: false)
    }
    return world
  }
}

extension HostedWorld {
  /// Restores a device's saved state. Invalid values from the file become defaults or are clamped.
  fileprivate mutating func restore(_ saved: WorldSave.Device, at index: Int) {
    func answer(_ number: UInt8?) -> WorldAnswer { number.flatMap(WorldAnswer.init) ?? .notDetermined }
    devices[index].isInForeground = saved.isInForeground
    devices[index].permission = answer(saved.permission)
    devices[index].cameraPermission = answer(saved.cameraPermission)
    devices[index].camera.surroundings.light = min(2000, max(0, saved.light))
    devices[index].camera.surroundings.isFeatureless = saved.isFeatureless
    air.medium.world.setRadio(devices[index].radio, isOn: saved.isRadioOn)
    devices[index].locationPermission = answer(saved.locationPermission)
    devices[index].alwaysPermission = answer(saved.alwaysPermission)
    setBluetooth(index, isOn: saved.isBluetoothOn ?? true)
    let permission = answer(saved.bluetoothPermission)
    if permission != .notDetermined { setPermission(index, .bluetooth, permission) }
  }
}
