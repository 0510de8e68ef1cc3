import Foundation
import RadioLinks

/// What a process's environment and its property lists say about the device that it is: decided here, done by
/// `ProcessDevice`.
///
/// | variable | is |
/// |---|---|
/// | `NEARBY_RADIO` | `tcp:HOST:PORT` or `serial:DEVICE[@BAUD]`; absent or empty: no radio |
/// | `NEARBY_PERMISSION` | `allowed`, `allowedOnce` or `denied`, in place of a question on the terminal |
/// | `NSNearbyInteractionUsageDescription` | goes before the property lists |
/// | `XDG_CONFIG_HOME` | an absolute path: folder of `swift-nearby/permissions.json`, in place of `~/.config` |
package struct ProcessSettings: Equatable, Sendable {
  package static let usageKey = "NSNearbyInteractionUsageDescription"

  /// `nil` without a radio, and where `NEARBY_RADIO` names none.
  package var radio: RadioAddress?
  /// The reason given to the user; never empty.
  package var usageDescription: String?
  package var permissionFile: URL
  /// The answer to the question whether the program may find devices, where the environment gives it.
  package var answer: Permission?
  /// What the person who started the program should know.
  package var notices: [String] = []

  /// - Parameters:
  ///   - bundled: The usage description of the main bundle's property list.
  ///   - besideProgram: The `Info.plist` beside the program, as it is.
  ///   - home: The user's home folder.
  package init(environment: [String: String], bundled: String?, besideProgram: Data?, home: URL) {
    let configuration =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? home.appendingPathComponent(".config")
    permissionFile = configuration.appendingPathComponent("swift-nearby/permissions.json")
    setRadio(environment)
    setAnswer(environment)
    setUsageDescription(environment, bundled, besideProgram)
  }

  private mutating func setRadio(_ environment: [String: String]) {
    guard let text = environment["NEARBY_RADIO"], !text.isEmpty else { return }
    do throws(LinkError) {
      radio = try RadioAddress(text)
    } catch {
      notices.append("NEARBY_RADIO=\(text): \(error)")
    }
  }

  private mutating func setAnswer(_ environment: [String: String]) {
    guard let text = environment["NEARBY_PERMISSION"], !text.isEmpty else { return }
    if let permission = Permission(rawValue: text), permission != .notDetermined {
      answer = permission
    } else {
      answer = .denied
      notices.append("NEARBY_PERMISSION=\(text): expected allowed, allowedOnce or denied; taken as denied")
    }
  }

  private mutating func setUsageDescription(
    _ environment: [String: String], _ bundled: String?, _ besideProgram: Data?
  ) {
    let list = besideProgram.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
    if besideProgram != nil, !(list is [String: Any]) {
      notices.append("the Info.plist beside the program is no property list with keys")
    }
    let besides = (list as? [String: Any])?[Self.usageKey] as? String
    usageDescription = [environment[Self.usageKey], bundled, besides].compactMap(\.self).first { !$0.isEmpty }
    // Without a radio nobody is asked anything.
    if usageDescription == nil, radio != nil {
      notices.append(
        "no \(Self.usageKey): put it into an Info.plist beside the program, or into the environment; "
          + "until then every session ends with userDidNotAllow")
    }
  }
}
