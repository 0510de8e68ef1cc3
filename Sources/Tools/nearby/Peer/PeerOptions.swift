import Foundation
import MultipeerConnectivity
import NearbyPeerLink
import NearbyTextForms

/// Whom to say yes to, or to invite.
enum PeerRule: Equatable, Sendable {
  case all
  case nobody
  /// By display name.
  case named([String])

  /// - Parameter words: `all`, `none`, or names; `all` where there are none.
  init(_ words: [String], option: String) throws(UsageError) {
    switch words {
    case [], ["all"]: self = .all
    case ["none"]: self = .nobody
    case _ where words.contains("all") || words.contains("none"):
      throw .conflict("--\(option): all and none stand alone")
    default: self = .named(words)
    }
  }

  func covers(_ peer: MCPeerID) -> Bool {
    switch self {
    case .all: true
    case .nobody: false
    case .named(let names): names.contains(peer.displayName)
    }
  }
}

/// What every `nearby peer` command takes.
struct PeerOptions: Sendable {
  let type: String
  let name: String
  let encryption: MCEncryptionPreference
  let duration: Duration?
  let isJSON: Bool

  /// What --encryption takes.
  static let encryptions: [(name: String, preference: MCEncryptionPreference)] = [
    ("required", .required), ("optional", .optional), ("none", .none),
  ]

  init(_ arguments: Arguments) throws(UsageError) {
    type = try arguments.required("type")
    if (try? ServiceType(type)) == nil {
      throw .invalidValue(
        option: "--type", found: type,
        expected: "1 to 15 of a-z, 0-9 and -, with a letter, and no hyphen at an end or after another")
    }
    name = arguments.text("name") ?? PeerNames.host
    if (try? DisplayName(name)) == nil {
      throw .invalidValue(option: "--name", found: name, expected: "a name of 1 to 63 octets")
    }
    let encryption = arguments.text("encryption")
    self.encryption = Self.encryptions.first { $0.name == encryption }?.preference ?? .required
    duration = try arguments.value("seconds", as: .duration)
    isJSON = arguments.has("json")
  }

  /// `--info key=value`, once a key.
  static func info(_ arguments: Arguments) throws(UsageError) -> [String: String] {
    var info: [String: String] = [:]
    for text in arguments.texts("info") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let expected =
        "key=value of 255 octets at most, the key printable ASCII, not beginning with ~, and given once"
      guard parts.count == 2, info[parts[0]] == nil, (try? DiscoveryInfo([parts[0]: parts[1]])) != nil else {
        throw .invalidValue(option: "--info", found: text, expected: expected)
      }
      info[parts[0]] = parts[1]
    }
    guard (try? DiscoveryInfo(info)) != nil else {
      throw .conflict(
        "--info: all entries together have \(DiscoveryInfo.maximumOctets) octets at most, "
          + "and no two keys differ in case only")
    }
    return info
  }
}

/// What a peer sent, in words.
enum PeerText {
  /// Characters of one message that are shown.
  static let longestMessage = 4096

  static func name(_ peer: MCPeerID) -> String { PrintableText.name(peer.displayName) }

  /// Tells peers of one name apart.
  static func identity(_ peer: MCPeerID) -> String { String(peer.peer.identity.description.prefix(8)) }

  static func reason(_ error: any Error) -> String { (error as? MCError)?.localizedDescription ?? "\(error)" }

  static func octets(_ count: Double) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var (value, unit) = (count, 0)
    while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
    return "\(NumberFormat.fixed(value, unit == 0 ? 0 : 1)) \(units[unit])"
  }
}
