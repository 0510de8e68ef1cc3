import Foundation
import NearbyRuntime
import NearbyScenarios
import NearbySimulator
import NearbyWorldProtocol

/// A world as it stands in a file between two runs of its server.
package struct WorldSave: Codable, Sendable {
  /// What of one device a scenario does not tell.
  struct Device: Codable, Sendable {
    var name: String
    var isInForeground: Bool
    var permission: UInt8
    var cameraPermission: UInt8
    var light: Double
    var isFeatureless: Bool
    var isRadioOn: Bool
    /// As `WorldAnswer` counts; absent in older files.
    var bluetoothPermission: UInt8?
    var isBluetoothOn: Bool?
    var locationPermission: UInt8?
    var alwaysPermission: UInt8?
  }

  /// What of one beacon a scenario does not tell.
  struct Beacon: Codable, Sendable {
    var name: String
    var isOn: Bool
  }

  private var version = 1
  /// Of the world, seconds.
  private var time: Double
  private var scenario: String
  private var devices: [Device]
  private var beacons: [Beacon]?

  /// Why a file is no saved world.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  package init(_ world: HostedWorld) {
    time = world.time / .seconds(1)
    scenario = world.scenario().text()
    beacons = world.beacons.map { Beacon(name: $0.described.name, isOn: $0.isOn) }
    devices = world.devices.enumerated().map { index, device in
      // Who is asked at each launch is asked again.
      func kept(_ answer: WorldAnswer) -> UInt8 {
        (answer == .allowedOnce ? .notDetermined : answer).rawValue
      }
      return Device(
        name: device.name, isInForeground: device.isInForeground, permission: kept(device.permission),
        cameraPermission: kept(device.cameraPermission), light: device.camera.surroundings.light,
        isFeatureless: device.camera.surroundings.isFeatureless,
        isRadioOn: world.medium.world.isOn(radio: device.radio),
        bluetoothPermission: world.bluetoothPermission(of: index).rawValue,
        isBluetoothOn: device.isBluetoothOn, locationPermission: kept(device.locationPermission),
        alwaysPermission: kept(device.alwaysPermission))
    }
  }

  /// - Parameter file: What errors call it.
  package init(parsing data: Data, file: String) throws(Failure) {
    do {
      self = try JSONDecoder().decode(WorldSave.self, from: data)
    } catch {
      throw Failure(description: "\(file) is no saved world: \(error)")
    }
    guard version == 1 else { throw Failure(description: "\(file): version \(version); 1 expected") }
    guard (0...1e9).contains(time) else { throw Failure(description: "\(file): time \(time) s") }
  }

  package func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// The world as it was, at the time that it was.
  package func world(settings: HostedWorld.Settings, file: String) throws(Failure) -> HostedWorld {
    let read: Scenario
    do throws(ScenarioError) {
      read = try Scenario(parsing: Data(scenario.utf8), file: file)
    } catch {
      throw Failure(description: "\(error)")
    }
    var world = HostedWorld(read, settings: settings)
    world.advance(to: .seconds(time))
    for device in devices {
      guard let index = world.devices.firstIndex(where: { $0.name == device.name }) else { continue }
      world.devices[index].isInForeground = device.isInForeground
      world.devices[index].permission = WorldAnswer(rawValue: device.permission) ?? .notDetermined
      world.devices[index].cameraPermission = WorldAnswer(rawValue: device.cameraPermission) ?? .notDetermined
      world.devices[index].camera.surroundings.light = min(2000, max(0, device.light))
      world.devices[index].camera.surroundings.isFeatureless = device.isFeatureless
      world.medium.world.setRadio(world.devices[index].radio, isOn: device.isRadioOn)
      func answer(_ number: UInt8?) -> WorldAnswer { number.flatMap(WorldAnswer.init) ?? .notDetermined }
      world.devices[index].locationPermission = answer(device.locationPermission)
      world.devices[index].alwaysPermission = answer(device.alwaysPermission)
      world.setBluetooth(index, isOn: device.isBluetoothOn ?? true)
      let permission = answer(device.bluetoothPermission)
      if permission != .notDetermined { world.setPermission(index, .bluetooth, permission) }
    }
    for beacon in beacons ?? [] where !beacon.isOn {
      guard let index = world.beacons.firstIndex(where: { $0.described.name == beacon.name }) else {
        continue
      }
      world.setBeacon(index, isOn: false)
    }
    return world
  }
}
