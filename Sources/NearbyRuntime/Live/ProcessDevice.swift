import Foundation
import RadioLinks

/// The device that a process is where nothing else is current: its radio, its permission.
///
/// `NEARBY_RADIO=tcp:host:port` or `serial:/dev/ttyACM0` names the radio; without one the device can do
/// nothing, as a phone without the chip. Source: `design.md`, decisions 3 and 4.
enum ProcessDevice {
  static let shared: NearbyDevice = make(environment: ProcessInfo.processInfo.environment)

  private static func make(environment: [String: String]) -> NearbyDevice {
    let program = ProcessInfo.processInfo.processName
    let store = PermissionStore(
      file: permissionFile(environment: environment), program: program, asker: { ask($0, environment) })
    let link = link(environment: environment)
    let machine = DeviceMachine(
      hasRadio: link != nil, permission: store.answer,
      usageDescription: usageDescription(environment: environment))
    let driver = LiveDriver(machine: machine, link: link, permissions: store)
    driver.begin()
    return NearbyDevice(name: program, driver: driver, index: 0)
  }

  private static func link(environment: [String: String]) -> (any UCILink)? {
    guard let text = environment["NEARBY_RADIO"], !text.isEmpty else { return nil }
    do {
      return try UCILinks.open(RadioAddress(text), timeout: .seconds(5))
    } catch {
      Notice.write("NEARBY_RADIO=\(text): \(error)")
      return nil
    }
  }

  /// `NSNearbyInteractionUsageDescription` of the program's `Info.plist`, or of the environment.
  private static func usageDescription(environment: [String: String]) -> String? {
    let key = "NSNearbyInteractionUsageDescription"
    if let text = environment[key] { return text }
    if let text = Bundle.main.object(forInfoDictionaryKey: key) as? String { return text }
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    guard let file = folder?.appendingPathComponent("Info.plist"), let data = try? Data(contentsOf: file),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else {
      if environment["NEARBY_RADIO"] != nil {
        Notice.write("no \(key): put it into an Info.plist beside the program, or into the environment")
      }
      return nil
    }
    return list[key] as? String
  }

  private static func permissionFile(environment: [String: String]) -> URL {
    let home = FileManager.default.homeDirectoryForCurrentUser
    let folder =
      environment["XDG_CONFIG_HOME"].map { URL(fileURLWithPath: $0) }
      ?? home.appendingPathComponent(".config")
    return folder.appendingPathComponent("swift-nearby/permissions.json")
  }

  /// Asks on the terminal; without one, `NEARBY_PERMISSION` decides, and without that the answer is no.
  private static func ask(_ program: String, _ environment: [String: String]) -> Permission {
    if let text = environment["NEARBY_PERMISSION"] {
      return Permission(rawValue: text) ?? .denied
    }
    guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else {
      Notice.write("nobody to ask: set NEARBY_PERMISSION to allowed, allowedOnce or denied")
      return .denied
    }
    let question = "“\(program)” would like to find devices nearby. [a]llow, allow [o]nce, [d]eny? "
    terminal.write(Data(question.utf8))
    let reply = terminal.availableData.first.map { Character(UnicodeScalar($0)) }
    switch reply {
    case "a", "A": return .allowed
    case "o", "O": return .allowedOnce
    default: return .denied
    }
  }
}
