import MultipeerConnectivity
import NearbyCommandLine
import NearbyPeerLink

/// Options of every `nearby peer` command.
struct PeerOptions: Sendable {
  static let type = CommandOption<String>.required(
    "type", "TYPE", "Service type, such as cerca (required)",
    as: OptionReader(
      expected: "1 to 15 of a-z, A-Z, 0-9 and -, with a letter, and no hyphen at an end or after another"
    ) { (try? ServiceType(ignoringCaseOf: $0)) == nil ? nil : $0 })
  static let name = CommandOption<String?>.optional(
    "name", "NAME", "Own name (default: NEARBY_DEVICE, else the host's name)",
    as: OptionReader(expected: "a name of 1 to 63 octets") { (try? DisplayName($0)) == nil ? nil : $0 })
  static let encryption = CommandOption<MCEncryptionPreference>.value(
    "encryption", "MODE", "required, optional, or none, which takes both sides",
    as: .choice(["required": .required, "optional": .optional, "none": .none]), default: "required")
  static let info = CommandOption<[String]>.list(
    "info", "KEY=VALUE", "Discovery info to advertise; may be repeated", as: .text)
  static let accept = CommandOption<[String]>.list(
    "accept", "NAME", "Invitations to accept: all (default), none, or a name; may be repeated", as: .text)

  static let group = CommandSpec(
    group: "peer",
    summary: "Find peers on the network and exchange messages with them",
    subcommands: [
      PeerWatch.browseSpec, PeerWatch.advertiseSpec, PeerChatCommand.spec, PeerSendCommand.spec,
      PeerBenchCommand.spec,
    ])

  let type: String
  /// `nil` for the default name.
  let givenName: String?
  let encryption: MCEncryptionPreference
  let duration: Duration?
  let isJSON: Bool

  /// - Parameter seconds: The command's own option for its running time.
  init(
    _ arguments: CommandArguments, seconds: CommandOption<Duration?> = CommonOptions.seconds
  ) throws(UsageError) {
    type = try arguments[Self.type]
    givenName = try arguments[Self.name]
    encryption = try arguments[Self.encryption]
    duration = try arguments[seconds]
    isJSON = try arguments[CommonOptions.json]
  }

  /// Parses `--info KEY=VALUE`, each key once.
  static func info(_ arguments: CommandArguments) throws(UsageError) -> [String: String] {
    var info: [String: String] = [:]
    for text in try arguments[Self.info] {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let expected =
        "KEY=VALUE of at most 255 octets, with a key of printable ASCII that does not start with ~ and is given once"
      guard parts.count == 2, info[parts[0]] == nil, (try? DiscoveryInfo([parts[0]: parts[1]])) != nil else {
        throw .invalidValue(option: "\(Self.info)", found: text, expected: expected)
      }
      info[parts[0]] = parts[1]
    }
    guard (try? DiscoveryInfo(info)) != nil else {
      throw .conflict(
        "\(Self.info): all entries together may have at most \(DiscoveryInfo.maximumOctets) octets, "
          + "and no two keys may differ only in case")
    }
    return info
  }
}
