import Foundation
import NearbyDeviceMachine
import NearbyFiles
import NearbyLive
import NearbyRadioLinks

/// A world to join, and as what.
package struct WorldAddress: Equatable, Sendable {
  package var host: String
  package var port: UInt16
  /// `nil` for the program's name.
  package var device: String?
  package var token: String
}

/// What a process's environment and its property lists say about the device that it is: decided here, done by
/// `ProcessDevice`.
///
/// | variable | is |
/// |---|---|
/// | `NEARBY_RADIO` | `tcp:HOST:PORT` or `serial:DEVICE[@BAUD]`; absent or empty: no radio |
/// | `NEARBY_WORLD` | `HOST:PORT` of a world to join, in place of radio and camera |
/// | `NEARBY_DEVICE` | which device of it to be; absent or empty: the program's name |
/// | `NEARBY_TOKEN` | what the world printed for those who may join |
/// | `NEARBY_PERMISSION` | `allowed`, `allowedOnce` or `denied`, in place of a question on the terminal |
/// | `NSNearbyInteractionUsageDescription` | goes before the property lists |
/// | `NEARBY_CAMERA` | where poses come from, see `PoseAddress`; absent or empty: no camera |
/// | `NEARBY_CAMERA_PERMISSION` | as `NEARBY_PERMISSION`, for the camera |
/// | `NSCameraUsageDescription` | goes before the property lists |
/// | `UIBackgroundModes` | what the app does in the background, with commas between; goes before the property list |
/// | `XDG_CONFIG_HOME` | an absolute path: folder of `swift-nearby/permissions.json`, in place of `~/.config` |
package struct ProcessSettings: Equatable, Sendable {
  package static let usageKey = "NSNearbyInteractionUsageDescription"
  package static let cameraUsageKey = "NSCameraUsageDescription"

  package static let backgroundKey = "UIBackgroundModes"

  /// `nil` without a radio, and where `NEARBY_RADIO` names none.
  package var radio: RadioAddress?
  /// Where `NEARBY_WORLD` names one.
  package var world: WorldAddress?
  /// The reason given to the user; never empty.
  package var usageDescription: String?
  /// What the environment, or else the property list beside the program, has under `UIBackgroundModes`.
  package var backgroundModes: Set<String> = []
  package var permissionFile: URL
  /// `nil` without a camera, and where `NEARBY_CAMERA` names none.
  package var camera: PoseAddress?
  package var cameraUsageDescription: String?
  package var cameraPermissionFile: URL
  package var cameraAnswer: Permission?
  /// The answer to the question whether the program may find devices, where the environment gives it.
  package var answer: Permission?
  /// What the person who started the program should know.
  package var notices: [String] = []

  /// - Parameters:
  ///   - bundled: What the main bundle's property list says, by key.
  ///   - besideProgram: The `Info.plist` beside the program, as it is.
  ///   - home: The user's home folder.
  package init(
    environment: [String: String], bundled: (String) -> String?, besideProgram: Data?, home: URL
  ) {
    let configuration = XDGFolder.configuration.url(environment, home: home)
    permissionFile = configuration.appendingPathComponent("swift-nearby/permissions.json")
    cameraPermissionFile = configuration.appendingPathComponent("swift-nearby/camera-permissions.json")
    setRadio(environment)
    setWorld(environment)
    setCamera(environment)
    answer = takeAnswer("NEARBY_PERMISSION", environment)
    cameraAnswer = takeAnswer("NEARBY_CAMERA_PERMISSION", environment)
    let list = takeList(besideProgram)
    func description(_ key: String) -> String? {
      [environment[key], bundled(key), list[key] as? String].compactMap(\.self).first { !$0.isEmpty }
    }
    backgroundModes = Set(
      environment[Self.backgroundKey]?.split(separator: ",").map(String.init)
        ?? list[Self.backgroundKey] as? [String] ?? [])
    usageDescription = description(Self.usageKey)
    cameraUsageDescription = description(Self.cameraUsageKey)
    noteMissingDescriptions()
  }

  private mutating func setRadio(_ environment: [String: String]) {
    guard let text = environment["NEARBY_RADIO"], !text.isEmpty else { return }
    do throws(LinkError) {
      radio = try RadioAddress(text)
    } catch {
      notices.append("NEARBY_RADIO=\(text): \(error)")
    }
  }

  private mutating func setWorld(_ environment: [String: String]) {
    guard let text = environment["NEARBY_WORLD"], !text.isEmpty else { return }
    do throws(LinkError) {
      let (host, port) = try RadioAddress.hostAndPort(text, allowsPortZero: false)
      world = WorldAddress(
        host: host, port: port, device: environment["NEARBY_DEVICE"].flatMap { $0.isEmpty ? nil : $0 },
        token: environment["NEARBY_TOKEN"] ?? "")
      for key in ["NEARBY_RADIO", "NEARBY_CAMERA"] where environment[key].map({ !$0.isEmpty }) == true {
        notices.append("NEARBY_WORLD goes before \(key)")
      }
    } catch {
      notices.append("NEARBY_WORLD=\(text): \(error)")
    }
  }

  private mutating func setCamera(_ environment: [String: String]) {
    guard let text = environment["NEARBY_CAMERA"], !text.isEmpty else { return }
    do throws(LinkError) {
      camera = try PoseAddress(text)
    } catch {
      notices.append("NEARBY_CAMERA=\(text): \(error)")
    }
  }

  private mutating func takeAnswer(_ key: String, _ environment: [String: String]) -> Permission? {
    guard let text = environment[key], !text.isEmpty else { return nil }
    if let permission = Permission(rawValue: text), permission != .notDetermined { return permission }
    notices.append("\(key)=\(text): expected allowed, allowedOnce or denied; taken as denied")
    return .denied
  }

  private mutating func takeList(_ besideProgram: Data?) -> [String: Any] {
    guard let besideProgram else { return [:] }
    let list = try? PropertyListSerialization.propertyList(from: besideProgram, format: nil)
    if let list = list as? [String: Any] { return list }
    notices.append("the Info.plist beside the program is no property list with keys")
    return [:]
  }

  private mutating func noteMissingDescriptions() {
    // Without a radio nobody is asked anything.
    if usageDescription == nil, radio != nil || world != nil {
      notices.append(
        "no \(Self.usageKey): put it into an Info.plist beside the program, or into the environment; "
          + "until then every session ends with userDidNotAllow")
    }
    if cameraUsageDescription == nil, camera != nil, world == nil {
      notices.append(
        "no \(Self.cameraUsageKey): put it into an Info.plist beside the program, or into the environment; "
          + "until then nothing has the camera")
    }
  }
}
