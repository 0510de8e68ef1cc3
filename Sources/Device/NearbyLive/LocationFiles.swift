import Dispatch
import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyFiles

/// A process's location settings, from its environment and property lists, and the files that store its state.
///
/// | variable | is |
/// |---|---|
/// | `NEARBY_LOCATION_PERMISSION` | `always`, `whenInUse`, `once` or `denied`, in place of questions on the terminal |
/// | `NEARBY_LOCATION_ACCURACY` | `reduced`: as the user's switch for the precise location |
/// | `NSLocationWhenInUseUsageDescription` | goes before the property lists |
/// | `NSLocationAlwaysAndWhenInUseUsageDescription` | goes before the property lists |
/// | `XDG_STATE_HOME` | an absolute path: regions are in `swift-nearby/location` in it, in place of `~/.local/state` |
/// | `XDG_CONFIG_HOME` | an absolute path: folder of `swift-nearby/location-permissions.json`, not `~/.config` |
package struct LocationSettings: Sendable {
  package static let whenInUseKey = "NSLocationWhenInUseUsageDescription"
  package static let alwaysKey = "NSLocationAlwaysAndWhenInUseUsageDescription"
  private static let purposesKey = "NSLocationTemporaryUsageDescriptionDictionary"

  /// The answer to every question; `nil` asks on the terminal.
  package enum Preset: String, Sendable { case always, whenInUse, once, denied }

  package var usage: LocationUsage
  package var preset: Preset?
  package var isReduced: Bool
  package var regionsFile: URL
  package var permissionFile: URL
  package var notices: [String] = []

  /// - Parameters:
  ///   - program: The program whose regions and answers are stored.
  ///   - bundled: Returns the main bundle's property list value for a key.
  ///   - besideProgram: The content of the `Info.plist` beside the program.
  ///   - home: The user's home folder.
  package init(
    environment: [String: String], program: String, bundled: (String) -> Any?, besideProgram: Data?, home: URL
  ) {
    let list =
      besideProgram.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
      as? [String: Any]
    func isDescribed(_ key: String) -> Bool {
      [environment[key], bundled(key) as? String, list?[key] as? String].contains { $0?.isEmpty == false }
    }
    let purposes = (bundled(Self.purposesKey) ?? list?[Self.purposesKey]) as? [String: Any]
    usage = LocationUsage(
      describesWhenInUse: isDescribed(Self.whenInUseKey), describesAlways: isDescribed(Self.alwaysKey),
      purposes: Set((purposes ?? [:]).keys))
    isReduced = environment["NEARBY_LOCATION_ACCURACY"] == "reduced"
    // A program's name may contain anything but a slash; "." and ".." would name folders.
    let file = program.replacingOccurrences(of: "/", with: "_") + ".json"
    regionsFile = XDGFolder.state.url(environment, home: home)
      .appendingPathComponent("swift-nearby/location").appendingPathComponent(file)
    permissionFile = XDGFolder.configuration.url(environment, home: home)
      .appendingPathComponent("swift-nearby/location-permissions.json")
    guard let text = environment["NEARBY_LOCATION_PERMISSION"], !text.isEmpty else { return }
    preset = Preset(rawValue: text) ?? .denied
    if Preset(rawValue: text) == nil {
      notices.append(
        "NEARBY_LOCATION_PERMISSION=\(text): expected always, whenInUse, once or denied; taken as denied")
    }
  }
}

/// Stores a program's regions and its user's answers in files, and asks questions on the terminal.
package struct LocationFiles: LocationKeeper {
  private let settings: LocationSettings
  private let program: String
  private let asker: @Sendable (_ program: String, LocationQuestion) -> LocationAnswer
  private static let queue = DispatchQueue(label: "swift-nearby.location-files")
  private static let questions = DispatchQueue(label: "swift-nearby.location-questions")

  /// - Parameter asker: Asks the user, blocking; called on a queue of its own.
  package init(
    _ settings: LocationSettings, program: String,
    asker: @escaping @Sendable (_ program: String, LocationQuestion) -> LocationAnswer
  ) {
    self.settings = settings
    self.program = program
    self.asker = asker
  }

  /// The initial state of a device's location side.
  package func setup(date: Double) -> LocationSetup {
    LocationSetup(
      permission: permission, usage: settings.usage, stored: stored, date: date, keeper: self)
  }

  // MARK: Regions

  /// The regions of the last launch; empty if none were stored or the file cannot be read.
  package var stored: StoredLocation {
    guard let data = read(settings.regionsFile) else { return StoredLocation() }
    do {
      return try JSONDecoder().decode(StoredLocation.self, from: data)
    } catch {
      notice("\(settings.regionsFile.path) contains no valid regions; the next change replaces it")
      return StoredLocation()
    }
  }

  package func store(_ stored: StoredLocation) {
    Self.queue.async { change(settings.regionsFile) { stored } }
  }

  // MARK: Permission

  private struct StoredPermission: Codable {
    var authorization: String
    var wasAskedForAlways: Bool
  }

  package var permission: LocationPermission {
    var permission = LocationPermission()
    permission.isReduced = settings.isReduced
    guard let stored = permissions[program] else { return permission }
    permission.wasAskedForAlways = stored.wasAskedForAlways
    switch LocationSettings.Preset(rawValue: stored.authorization) {
    case .always: permission.authorization = .always
    case .whenInUse: permission.authorization = .whenInUse
    case .denied: permission.authorization = .denied
    case .once, nil: break
    }
    return permission
  }

  private var permissions: [String: StoredPermission] {
    guard let data = read(settings.permissionFile) else { return [:] }
    do {
      return try JSONDecoder().decode([String: StoredPermission].self, from: data)
    } catch {
      notice("\(settings.permissionFile.path) is no object of program name to answer")
      return [:]
    }
  }

  package func store(_ permission: LocationPermission) {
    // An answer from the environment is for this process only.
    guard settings.preset == nil else { return }
    Self.queue.async {
      let word: LocationSettings.Preset? =
        switch permission.authorization {
        case .always: .always
        case .whenInUse: permission.isOnce ? nil : .whenInUse
        case .denied: .denied
        case .notDetermined, .restricted: nil
        }
      let stored = word.map {
        StoredPermission(authorization: $0.rawValue, wasAskedForAlways: permission.wasAskedForAlways)
      }
      change(settings.permissionFile) {
        var permissions = permissions
        permissions[program] = stored
        return permissions
      }
    }
  }

  package func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
    guard let preset = settings.preset else {
      return Self.questions.async { answer(asker(program, question)) }
    }
    Self.queue.async { answer(Self.answer(preset, question)) }
  }

  private static func answer(_ preset: LocationSettings.Preset, _ question: LocationQuestion)
    -> LocationAnswer
  {
    switch (preset, question) {
    case (.denied, _): .deny
    case (.once, .whenInUse): .allowOnce
    case (.once, .always), (.whenInUse, .always): .deny
    case (.always, _), (.whenInUse, _), (.once, .fullAccuracy): .allow
    }
  }

  package func notice(_ text: String) { Notice.write(text) }

  // MARK: Files

  /// Waits until everything stored is on disk.
  package static func flush() { queue.sync {} }

  private func read(_ file: URL) -> Data? {
    do {
      return try DurableFile.read(file.path)
    } catch {
      notice("cannot read \(FileFailure.reason(error))")
      return nil
    }
  }

  /// Replaces a file's content with the result of `body`, while no other program changes it.
  private func change(_ file: URL, _ body: () -> some Encodable) {
    do {
      try DurableFile.makeFolder(file.deletingLastPathComponent().path)
      try DurableFile.withLock(on: file.path) {
        // A file that cannot be read is not replaced.
        _ = try DurableFile.read(file.path)
        try DurableFile.replace(file.path, with: DurableFile.json(body()), mode: 0o600)
      }
    } catch {
      notice("cannot store \(file.path): \(FileFailure.reason(error))")
    }
  }
}
