import MultipeerConnectivity
import NearbyCommandLine
import NearbyPeerLink

/// What every `nearby peer` command takes.
struct PeerOptions: Sendable {
  static let type = CommandOption<String>.required(
    "type", "TYPE", "Service type, such as cerca",
    as: OptionReader(
      expected: "1 to 15 of a-z, 0-9 and -, with a letter, and no hyphen at an end or after another"
    ) { (try? ServiceType($0)) == nil ? nil : $0 })
  static let name = CommandOption<String?>.optional(
    "name", "NAME", "Own name (default: the host's)",
    as: OptionReader(expected: "a name of 1 to 63 octets") { (try? DisplayName($0)) == nil ? nil : $0 })
  static let encryption = CommandOption<MCEncryptionPreference>.value(
    "encryption", "WANTED", "Plain only where both want none",
    as: .choice(["required": .required, "optional": .optional, "none": .none]), default: "required")
  static let info = CommandOption<[String]>.list(
    "info", "KEY=VALUE", "What to advertise with; may be repeated", as: .text)
  static let accept = CommandOption<[String]>.list(
    "accept", "WHOM", "all (default), none, or a name; may be repeated", as: .text)

  static let group = CommandSpec(
    group: "peer",
    summary: "Find peers on the network, and talk with them",
    subcommands: [
      PeerWatch.browseSpec, PeerWatch.advertiseSpec, PeerChatCommand.spec, PeerSendCommand.spec,
      PeerBenchCommand.spec,
    ])

  let type: String
  let name: String
  let encryption: MCEncryptionPreference
  let duration: Duration?
  let isJSON: Bool

  /// - Parameter seconds: The command's own option for how long it runs.
  init(
    _ arguments: CommandArguments, seconds: CommandOption<Duration?> = CommonOptions.seconds
  ) throws(UsageError) {
    type = try arguments[Self.type]
    name = try arguments[Self.name] ?? HostName.short
    encryption = try arguments[Self.encryption]
    duration = try arguments[seconds]
    isJSON = try arguments[CommonOptions.json]
  }

  /// `--info key=value`, once a key.
  static func info(_ arguments: CommandArguments) throws(UsageError) -> [String: String] {
    var info: [String: String] = [:]
    for text in try arguments[Self.info] {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let expected =
        "key=value of 255 octets at most, the key printable ASCII, not beginning with ~, and given once"
      guard parts.count == 2, info[parts[0]] == nil, (try? DiscoveryInfo([parts[0]: parts[1]])) != nil else {
        throw .invalidValue(option: "\(Self.info)", found: text, expected: expected)
      }
      info[parts[0]] = parts[1]
    }
    guard (try? DiscoveryInfo(info)) != nil else {
      throw .conflict(
        "\(Self.info): all entries together have \(DiscoveryInfo.maximumOctets) octets at most, "
          + "and no two keys differ in case only")
    }
    return info
  }
}
