import Foundation
import NearbyAccessorySetup
import NearbyBluetooth
import NearbyDevice
import NearbyFiles

/// What a process's app declares about the accessories that it sets up, how its user answers pickers, and where its
/// accessories are stored. The keys are those of `Info.plist`; the environment, where they are lists with commas, takes
/// precedence.
///
/// | variable | meaning |
/// |---|---|
/// | `NSAccessorySetupSupports`, `NSAccessorySetupKitSupports` | contains `Bluetooth`: the app sets up accessories |
/// | `NSAccessorySetupBluetoothServices` | the services that its descriptors name |
/// | `NSAccessorySetupBluetoothCompanyIdentifiers` | the companies |
/// | `NSAccessorySetupBluetoothNames` | the names |
/// | `NEARBY_ACCESSORY_PICKER` | `choose` or `cancel`, instead of asking on the terminal |
/// | `XDG_STATE_HOME` | absolute path to use instead of `~/.local/state`, for `swift-nearby/accessories` |
package struct AccessorySetupSettings: Sendable {
  /// An answer to all pickers.
  package enum Preset: String, Sendable { case choose, cancel }

  /// Both spellings are in use: the first is in Apple's documentation, iOS 26.5 reads the second.
  private static let supportKeys = ["NSAccessorySetupSupports", "NSAccessorySetupKitSupports"]
  private static let servicesKey = "NSAccessorySetupBluetoothServices"
  private static let companiesKey = "NSAccessorySetupBluetoothCompanyIdentifiers"
  private static let namesKey = "NSAccessorySetupBluetoothNames"

  /// `nil` if the app declares no accessories.
  package var usage: SetupUsage?
  package var preset: Preset?
  package var file: URL
  package var notices: [String] = []

  /// - Parameters:
  ///   - program: The program whose accessories are stored.
  ///   - bundled: Returns a value of the main bundle's property list by its key.
  ///   - besideProgram: The contents of the `Info.plist` beside the program.
  ///   - home: The user's home folder.
  package init(
    environment: [String: String], program: String, bundled: (String) -> Any?, besideProgram: Data?, home: URL
  ) {
    let list =
      besideProgram.flatMap { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
      as? [String: Any]
    func values(_ key: String) -> [String] {
      if let text = environment[key] {
        return text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      return ((bundled(key) ?? list?[key]) as? [Any] ?? []).compactMap { value in
        value as? String ?? (value as? NSNumber)?.stringValue
      }
    }
    // Bounded: replaces one character of the program's own name.
    let name = program.replacingOccurrences(of: "/", with: "_") + ".json"
    file = XDGFolder.state.url(environment, home: home)
      .appendingPathComponent("swift-nearby/accessories").appendingPathComponent(name)
    if let text = environment["NEARBY_ACCESSORY_PICKER"], !text.isEmpty {
      preset = Preset(rawValue: text) ?? .cancel
      if Preset(rawValue: text) == nil {
        notices.append("NEARBY_ACCESSORY_PICKER=\(text): expected choose or cancel; taken as cancel")
      }
    }
    guard Self.supportKeys.contains(where: { values($0).contains("Bluetooth") }) else { return }
    var used = SetupUsage(services: [], companies: [], names: Set(values(Self.namesKey)))
    for text in values(Self.servicesKey) {
      if let service = BluetoothUUID(text) {
        used.services.insert(service)
      } else {
        notices.append("\(Self.servicesKey): \(text) is no Bluetooth UUID")
      }
    }
    for text in values(Self.companiesKey) {
      let digits = text.lowercased().hasPrefix("0x") ? String(text.dropFirst(2)) : nil
      if let company = digits.map({ UInt16($0, radix: 16) }) ?? UInt16(text) {
        used.companies.insert(company)
      } else {
        notices.append("\(Self.companiesKey): \(text) is no company identifier")
      }
    }
    usage = used
  }
}

/// Stores what a program's user has set up.
struct AccessoryFile: Sendable {
  let url: URL

  private struct Stored: Codable {
    struct Pattern: Codable {
      var octets: [UInt8]
      var mask: [UInt8]?

      init(_ pattern: SetupDescriptor.Pattern) { (octets, mask) = (pattern.octets, pattern.mask) }
      var value: SetupDescriptor.Pattern { SetupDescriptor.Pattern(octets, mask: mask) }
    }

    var identifier: UUID
    var name: String
    var awaitsAuthorization: Bool
    var service: String?
    var company: UInt16?
    var manufacturerData: Pattern?
    var serviceData: Pattern?
    var nameSubstring: String?
    var ignoresCase: Bool
    var isImmediate: Bool
    /// Absent in files of earlier versions, which never paired.
    var pairs: Bool?

    init(_ accessory: SetUpAccessory) {
      let descriptor = accessory.descriptor
      identifier = accessory.peer.uuid
      name = accessory.name
      awaitsAuthorization = accessory.state == .awaitingAuthorization
      service = descriptor.service?.description
      company = descriptor.company
      manufacturerData = descriptor.manufacturerData.map(Pattern.init)
      serviceData = descriptor.serviceData.map(Pattern.init)
      nameSubstring = descriptor.nameSubstring
      ignoresCase = descriptor.ignoresCase
      isImmediate = descriptor.isImmediate
      pairs = descriptor.pairs
    }

    var accessory: SetUpAccessory {
      var descriptor = SetupDescriptor()
      descriptor.service = service.flatMap { BluetoothUUID($0) }
      descriptor.company = company
      descriptor.manufacturerData = manufacturerData?.value
      descriptor.serviceData = serviceData?.value
      descriptor.nameSubstring = nameSubstring
      descriptor.ignoresCase = ignoresCase
      descriptor.isImmediate = isImmediate
      descriptor.pairs = pairs ?? false
      return SetUpAccessory(
        peer: BluetoothPeer(uuid: identifier), name: name, descriptor: descriptor,
        state: awaitsAuthorization ? .awaitingAuthorization : .authorized)
    }
  }

  /// The accessories; empty if none were stored or the file cannot be read.
  func read() -> [SetUpAccessory] {
    do {
      guard let data = try DurableFile.read(url.path) else { return [] }
      return try JSONDecoder().decode([Stored].self, from: data).map(\.accessory)
    } catch {
      Notice.write("\(url.path) contains no valid accessories; the next change replaces it")
      return []
    }
  }

  func write(_ accessories: [SetUpAccessory]) {
    do {
      let data = try DurableFile.json(accessories.map(Stored.init))
      try DurableFile.makeFolder(url.deletingLastPathComponent().path)
      try DurableFile.withLock(on: url.path) { try DurableFile.replace(url.path, with: data, mode: 0o600) }
    } catch {
      Notice.write("cannot store accessories: \(FileFailure.reason(error))")
    }
  }
}
