import NearbyChipTools
import NearbyCommandLine
import NearbyRadioLinks
import NearbyTextForms
import NearbyUCI

/// `nearby radio info`.
struct RadioInfoCommand {
  private let arguments: CommandArguments
  private let isJSON: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    self.arguments = arguments
    isJSON = try arguments[CommonOptions.json]
  }

  func run(in context: CommandContext) throws {
    let connection = try RadioConnection(arguments, in: context)
    defer { connection.shell.close() }
    let (information, capabilities) = try connection.awaitReady()
    let sheet = RadioSheet(address: connection.address, information, capabilities)
    context.output.write(isJSON ? sheet.json + "\n" : sheet.text)
  }
}

/// A chip's information and capabilities as a table.
struct RadioSheet: Equatable {
  /// One property: its name, also used for the JSON key, and its value.
  struct Row: Equatable {
    enum Value: Equatable { case text(String), number(Int), list([String]), flag(Bool) }
    var name: String
    var value: Value
  }
  private(set) var rows: [Row] = []

  init(address: RadioAddress, _ information: UCIDeviceInfo, _ capabilities: UCICapabilities) {
    add("radio", .text(address.description))
    add("uci", .text(information.uci.description))
    add("mac", .text(information.mac.description))
    add("phy", .text(information.phy.description))
    add("test", .text(information.test.description))
    if !information.vendor.isEmpty { add("vendor", .text(UCIWords.hex(information.vendor))) }
    add("capability numbering", .text(capabilities.numbering == .v1 ? "1.x" : "2.0"))
    addVersions("phy versions", capabilities.phyVersions)
    addVersions("mac versions", capabilities.macVersions)
    add("channels", .list(capabilities.channels.map { "\($0.rawValue)" }))
    for (kind, name, words) in UCIWordTable.masks {
      guard let mask = capabilities[kind] else { continue }
      add(name, .list(UCIWords.names(mask, of: words)))
    }
    add("measures azimuth", .flag(capabilities.measuresAzimuth))
    add("measures elevation", .flag(capabilities.measuresElevation))
    add("reports RSSI", .flag(capabilities.reportsRSSI))
    add("extended addresses", .flag(capabilities.supportsExtendedAddresses))
    addNumber("sessions", capabilities.maxRangingSessions)
    addNumber("message size, octets", capabilities.maxMessageSize)
    addNumber("data packet, octets", capabilities.maxDataPayloadSize)
    addNumber("shortest interval, ms", capabilities.minRangingIntervalMilliseconds.map(Int.init))
    addNumber("shortest slot, RSTU", capabilities.minSlotRSTU.map(Int.init))
    for tlv in capabilities.unknown {
      add("capability \(UCIWords.hex(UInt64(tlv.id), digits: 2))", .text(UCIWords.hex(tlv.value)))
    }
  }

  private mutating func add(_ name: String, _ value: Row.Value) { rows.append(Row(name: name, value: value)) }

  private mutating func addNumber(_ name: String, _ number: Int?) {
    if let number { add(name, .number(number)) }
  }

  private mutating func addVersions(_ name: String, _ range: UCIVersionRange?) {
    if let range { add(name, .text("\(range.lowest) to \(range.highest)")) }
  }

  /// One property per line.
  var text: String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { row in
      let value =
        switch row.value {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .list(let list): list.isEmpty ? "none" : list.joined(separator: ", ")
        case .flag(let flag): flag ? "yes" : "no"
        }
      return row.name + String(repeating: " ", count: width - row.name.count + 2) + value + "\n"
    }.joined()
  }

  /// One object. Spaces and commas in names become underscores.
  var json: String {
    var line = JSONLine()
    for row in rows {
      let key = row.name.replacing(", ", with: "_").replacing(" ", with: "_").lowercased()
      switch row.value {
      case .text(let text): line.add(key, text: text)
      case .number(let number): line.add(key, number)
      case .flag(let flag): line.add(key, flag)
      case .list(let list):
        line.add(key, json: "[" + list.map(JSONLine.quoted).joined(separator: ",") + "]")
      }
    }
    return line.closed()
  }
}

/// The names of the capability masks' bits, lowest bit first.
enum UCIWordTable {
  static let masks: [(UCICapabilityKind, String, [String])] = [
    (.deviceTypes, "device types", ["controlee", "controller"]),
    (
      .deviceRoles, "device roles",
      [
        "responder", "initiator", "UT-sync anchor", "UT-anchor", "UT-tag", "advertiser", "observer",
        "DT-anchor", "DT-tag",
      ]
    ),
    (
      .stsConfigurations, "STS",
      ["static", "dynamic", "dynamic with responder key", "provisioned", "provisioned with responder key"]
    ),
    (.multiNodeModes, "multi-node modes", ["unicast", "one-to-many", "many-to-many"]),
    (.scheduleModes, "schedule modes", ["contention", "time scheduled", "hybrid"]),
    (.rframeConfigurations, "R-frames", ["SP0", "SP1", "SP2", "SP3"]),
  ]
}
