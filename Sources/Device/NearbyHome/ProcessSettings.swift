import Foundation
import NearbyDeviceMachine
import NearbyFiles
import NearbyLive
import NearbyRadioLinks

/// The address of a world to join, and the device to join as.
package struct WorldAddress: Equatable, Sendable {
  package var host: String
  package var port: UInt16
  /// The device's name; `nil` means the program's name.
  package var device: String?
  package var token: String
}

/// The device described by a process's environment and property lists. Parsed here and created by
/// `ProcessDevice`.
///
/// | variable | meaning |
/// |---|---|
/// | `NEARBY_RADIO` | `tcp:HOST:PORT` or `serial:DEVICE[@BAUD]`; absent or empty: no radio |
/// | `NEARBY_WORLD` | `HOST:PORT` of a world to join, which replaces radio and camera |
/// | `NEARBY_DEVICE` | the device to be in that world; absent or empty: the program's name |
/// | `NEARBY_TOKEN` | the token that the world printed for joining |
/// | `NEARBY_PERMISSION` | `allowed`, `allowedOnce` or `denied`, instead of asking on the terminal |
/// | `NSNearbyInteractionUsageDescription` | overrides the property lists |
/// | `NEARBY_CAMERA` | the source of poses, see `PoseAddress`; absent or empty: no camera |
/// | `NEARBY_CAMERA_PERMISSION` | like `NEARBY_PERMISSION`, for the camera |
/// | `NSCameraUsageDescription` | overrides the property lists |
/// | `UIBackgroundModes` | the app's background modes, separated by commas; overrides the property list |
/// | `XDG_CONFIG_HOME` | absolute path to use instead of `~/.config`, for `swift-nearby/permissions.json` |
package struct ProcessSettings: Equatable, Sendable {
  package static let usageKey = "NSNearbyInteractionUsageDescription"
  package static let cameraUsageKey = "NSCameraUsageDescription"

  package static let backgroundKey = "UIBackgroundModes"

  /// `nil` without a radio, and if `NEARBY_RADIO` is invalid.
  package var radio: RadioAddress?
  /// `nil` unless `NEARBY_WORLD` is valid.
  package var world: WorldAddress?
  /// The reason for its use that the user sees; never empty.
  package var usageDescription: String?
  /// The value of `UIBackgroundModes` in the environment, or else in the property list beside the program.
  package var backgroundModes: Set<String> = []
  package var permissionFile: URL
  /// `nil` without a camera, and if `NEARBY_CAMERA` is invalid.
  package var camera: PoseAddress?
  package var cameraUsageDescription: String?
  package var cameraPermissionFile: URL
  package var cameraAnswer: Permission?
  /// The environment's answer to whether the program may find devices nearby; `nil` if it gives none.
  package var answer: Permission?
  /// Messages for the person who started the program.
  package var notices: [String] = []

  /// - Parameters:
  ///   - bundled: Returns a value of the main bundle's property list by its key.
  ///   - besideProgram: The contents of the `Info.plist` beside the program.
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
    answer = parsePermission("NEARBY_PERMISSION", environment)
    cameraAnswer = parsePermission("NEARBY_CAMERA_PERMISSION", environment)
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

  private mutating func parsePermission(_ key: String, _ environment: [String: String]) -> Permission? {
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
    // Without a radio the user is never asked.
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
