// `nearby peer`.
extension CommandTable {
  static let peer = CommandSpec(
    name: "peer",
    summary: "Find peers on the network, and talk with them",
    subcommands: [peerBrowse, peerAdvertise, peerChat, peerSend, peerBench])

  private static let type = OptionSpec.value("type", "TYPE", "Service type, such as cerca")
  private static let name = OptionSpec.value("name", "NAME", "Own name (default: the host's)")
  private static let encryption = OptionSpec.value(
    "encryption", "WANTED", "Plain only where both want none",
    kind: .choice(PeerOptions.encryptions.map(\.name)), fallback: "required")
  private static let seconds = OptionSpec.value("seconds", "TIME", "End after this time (default: when told)")
  private static let info = OptionSpec.value(
    "info", "KEY=VALUE", "What to advertise with; may be repeated", isRepeatable: true)
  private static let accept = OptionSpec.value(
    "accept", "WHOM", "all (default), none, or a name; may be repeated", isRepeatable: true)
  private static let json = OptionSpec.flag("json", "Print one JSON object a line")

  static let peerBrowse = CommandSpec(
    name: "browse",
    summary: "Tell which peers there are",
    options: [type, name, encryption, seconds, json],
    examples: ["nearby peer browse --type cerca", "nearby peer browse --type cerca --seconds 5 --json"])

  static let peerAdvertise = CommandSpec(
    name: "advertise",
    summary: "Be found, accept invitations, and tell what comes",
    discussion: "Files are stored only with --folder; one of a name that is there gets another name.",
    options: [
      type, name, info, accept,
      .value("folder", "FOLDER", "Where to store files that peers send", kind: .folder),
      encryption, seconds, json,
    ],
    examples: ["nearby peer advertise --type files --info room=12 --accept Ann --folder /tmp/inbox"])

  static let peerChat = CommandSpec(
    name: "chat",
    summary: "Send lines to everybody who is connected, and print theirs",
    discussion: """
      Advertises, browses and invites at once, as apps do. Lines are kept until somebody is there; the end
      of the input ends it once they are said.
      """,
    options: [
      type, name, info,
      .value("invite", "WHOM", "all (default), none, or a name; may be repeated", isRepeatable: true),
      accept, encryption, seconds, json,
    ],
    examples: ["nearby peer chat --type chat --name Ann", "echo hello | nearby peer chat --type chat"])

  static let peerSend = CommandSpec(
    name: "send",
    summary: "Send a file to a peer",
    discussion: "'nearby peer advertise --folder' takes it. Done when the peer has stored all of it.",
    positionals: [PositionalSpec("FILE", "What to send", kind: .file)],
    options: [
      type, name, .value("to", "NAME", "Whom (default: the first that is found)"), encryption,
      .value("seconds", "TIME", "Give up after this time (default: when told)"), json,
    ],
    examples: ["nearby peer send photo.jpg --type files --to Ben"])

  static let peerBench = CommandSpec(
    name: "bench",
    summary: "Measure messages a second and round trip between two processes",
    discussion: "One side runs with --serve, the other without.",
    options: [
      type, name, .flag("serve", "Answer whoever measures"),
      .value("to", "NAME", "With whom (default: the first that serves)"),
      .value(
        "size", "OCTETS", "Of a message; may be repeated (default: 64, 1024, 65536, 1048576)",
        isRepeatable: true),
      .value("each", "TIME", "How long to send messages of one size", fallback: "2"),
      encryption, .value("seconds", "TIME", "Serve, or look for a server, for this time at most"), json,
    ],
    examples: ["nearby peer bench --type bench --serve", "nearby peer bench --type bench --size 1024"])
}
