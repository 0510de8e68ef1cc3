import NearbyAccessory
import NearbyCommandLine

extension AccessoryCommand {
  /// The options of `nearby accessory`.
  enum Options {
    static let radio = CommandOption<String?>.optional(
      "radio", "ADDRESS", "UWB chip: tcp:HOST:PORT or serial:DEVICE[@BAUD] (default: NEARBY_RADIO)", as: .text
    )
    static let bluetooth = CommandOption<String?>.optional(
      "bluetooth", "ADAPTER", "Adapter such as hci0 (default: NEARBY_BLUETOOTH, else the first that is on)",
      as: .text
    )
    static let name = CommandOption<String?>.optional(
      "name", "NAME", "Name that phones see (default: NEARBY_DEVICE, else the host's name)", as: .text)
    static let ranging = CommandOption<Set<AccessoryProfile.Technology>>.value(
      "ranging", "METHOD", "uwb, channel-sounding (only in a shared world) or both",
      as: .choice([
        "uwb": [.ultraWideband], "channel-sounding": [.channelSounding],
        "both": [.ultraWideband, .channelSounding],
      ]), default: "uwb")
    static let rate = CommandOption<AccessoryProfile.UpdateRate>.value(
      "rate", "RATE", "Ranging rate to request",
      as: .choice(["automatic": .automatic, "infrequent": .infrequent, "interactive": .userInteractive]),
      default: "automatic")
    static let role = CommandOption<AccessoryProfile.Role>.value(
      "role", "ROLE", "responder (phones start rounds) or initiator (the accessory does)",
      as: .choice(["responder": .responder, "initiator": .initiator]), default: "responder")
    static let channel = CommandOption<AccessoryProfile.Channel>.value(
      "channel", "SERVICE", "Bluetooth service that apps connect to: nordic or qorvo",
      as: .choice(["nordic": .nordicUART, "qorvo": .qorvo]), default: "nordic")
    static let version = CommandOption<AccessoryProfile.Version>.value(
      "protocol", "VERSION", "Version of the accessory protocol",
      as: .choice(["1.0": .v1_0, "1.1": .v1_1, "2.0": .v2_0]), default: "1.1")
    static let onNear = CommandOption<String?>.optional(
      "on-near", "COMMAND", "Run a shell command each time a phone comes near", as: .text)
    static let onFar = CommandOption<String?>.optional(
      "on-far", "COMMAND", "Run a shell command each time a near phone moves away", as: .text)
    static let onGone = CommandOption<String?>.optional(
      "on-gone", "COMMAND", "Run a shell command each time a phone disconnects or stops ranging", as: .text)
    // An arm and a step in front of a door.
    static let within = CommandOption<Double>.value(
      "within", "METRES", "Near is within this distance, far is beyond 1.2 times this plus 0.1 m",
      as: .number(0.1...100, unit: "metres"), default: "1.5")
    static let pair = CommandOption<Duration?>.optional(
      "pair", "TIME", "Let new phones pair for this long after the start; any phone in range can",
      as: .duration)
    static let allow = CommandOption<[String]>.list(
      "allow", "ID|FILE", "Run commands only for this paired phone, or those in a file with one ID per line",
      as: .file)
    static let ask = CommandOption<Bool>.flag("ask", "Ask on the terminal about each phone that comes near")
    static let anyone = CommandOption<Bool>.flag(
      "anyone", "Run commands for any phone in range")
  }

  static let spec = CommandSpec(
    name: "accessory",
    summary: "Act as an accessory that phones range with",
    discussion: """
      Apps on phones find the accessory over Bluetooth, configure it, and range with it; the accessory measures
      the phones as well. It prints each event; 'near', 'far' and 'gone' are printed once per change. The
      commands of --on-near, --on-far and --on-gone get NEARBY_PHONE, NEARBY_PHONE_ID and NEARBY_DISTANCE (in
      metres) in their environment; their output goes to standard error.

      Any phone in range can speak the protocol. With a command, only phones paired with this machine can range,
      and new ones can't pair: pair yours once with --pair 60. --allow limits it to some of the paired phones,
      --ask asks on the terminal about each phone, --anyone allows all.
      """,
    options: [
      Options.radio, Options.bluetooth, Options.name, Options.ranging, Options.rate, Options.role,
      Options.channel,
      Options.version, Options.onNear, Options.onFar, Options.onGone, Options.within, Options.pair,
      Options.allow, Options.ask,
      Options.anyone,
      CommonOptions.seconds, CommonOptions.json,
    ],
    examples: [
      "nearby accessory --radio serial:/dev/ttyACM0 --on-near 'gpioset 0 17=1' --within 1.5",
      "nearby accessory --on-near ./open-door --pair 60",
      "nearby accessory --radio tcp:127.0.0.1:7000 --json",
      "nearby accessory --on-near ./unlock --on-far ./lock --on-gone ./lock --within 2",
    ]
  ) { try AccessoryCommand($0).run(in: $1) }
}
