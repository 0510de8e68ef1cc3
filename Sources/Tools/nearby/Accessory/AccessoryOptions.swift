import NearbyAccessory
import NearbyCommandLine

extension AccessoryCommand {
  /// What `nearby accessory` takes.
  enum Options {
    static let radio = CommandOption<String?>.optional(
      "radio", "ADDRESS", "The chip: tcp:HOST:PORT or serial:DEVICE[@BAUD] (default: NEARBY_RADIO)", as: .text
    )
    static let bluetooth = CommandOption<String?>.optional(
      "bluetooth", "ADAPTER", "hci0 and so on (default: NEARBY_BLUETOOTH, or the first that is on)", as: .text
    )
    static let name = CommandOption<String?>.optional(
      "name", "NAME", "What phones see (default: the host's)", as: .text)
    static let rate = CommandOption<AccessoryProfile.UpdateRate>.value(
      "rate", "RATE", "How often to be measured",
      as: .choice(["automatic": .automatic, "infrequent": .infrequent, "interactive": .userInteractive]),
      default: "automatic")
    static let role = CommandOption<AccessoryProfile.Role>.value(
      "role", "ROLE", "responder: phones begin the rounds; initiator: the accessory does",
      as: .choice(["responder": .responder, "initiator": .initiator]), default: "responder")
    static let channel = CommandOption<AccessoryProfile.Channel>.value(
      "channel", "SERVICE", "Over which apps talk to it",
      as: .choice(["nordic": .nordicUART, "qorvo": .qorvo]), default: "nordic")
    static let version = CommandOption<AccessoryProfile.Version>.value(
      "protocol", "VERSION", "Of the accessory protocol",
      as: .choice(["1.0": .v1_0, "1.1": .v1_1, "2.0": .v2_0]), default: "1.1")
    static let onNear = CommandOption<String?>.optional(
      "on-near", "COMMAND", "Run this each time a phone comes near", as: .text)
    static let within = CommandOption<Double?>.optional(
      "within", "METRES", "What near is (default: 1.5)", as: .number(0.1...100, unit: "metres"))
    static let pair = CommandOption<Duration?>.optional(
      "pair", "TIME", "Let new phones pair for this long after the start; any in range can", as: .duration)
    static let allow = CommandOption<[String]>.list(
      "allow", "ID|FILE", "Only this paired phone, or those of a file with an ID on each line", as: .file)
    static let ask = CommandOption<Bool>.flag("ask", "Ask on the terminal about each phone that comes near")
    static let anyone = CommandOption<Bool>.flag(
      "anyone", "Run --on-near for any phone in range, whoever it is")
  }

  static let spec = CommandSpec(
    name: "accessory",
    summary: "Be an accessory that phones range with",
    discussion: """
      Phones' apps find it over Bluetooth, tell it how to take part, and range with it; it measures them as
      well. --on-near runs a command of the shell each time a phone comes near; NEARBY_PHONE,
      NEARBY_PHONE_ID and NEARBY_DISTANCE, in metres, tell it which and how far.

      Any phone in range can speak the protocol, so with --on-near only phones that are paired with this
      machine may take part, and no new ones pair: let yours pair once with --pair 60. --allow lists some of
      the paired phones, --ask asks on the terminal about each phone, --anyone asks nobody.
      """,
    options: [
      Options.radio, Options.bluetooth, Options.name, Options.rate, Options.role, Options.channel,
      Options.version, Options.onNear, Options.within, Options.pair, Options.allow, Options.ask,
      Options.anyone,
      CommonOptions.seconds, CommonOptions.json,
    ],
    examples: [
      "nearby accessory --radio serial:/dev/ttyACM0 --on-near 'gpioset 0 17=1' --within 1.5",
      "nearby accessory --on-near ./open-door --pair 60",
      "nearby accessory --radio tcp:127.0.0.1:7000 --json",
    ]
  ) { try AccessoryCommand($0).run(in: $1) }
}
