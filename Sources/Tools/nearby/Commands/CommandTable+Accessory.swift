// `nearby accessory`.
extension CommandTable {
  static let accessory = CommandSpec(
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
      .value("radio", "ADDRESS", "The chip: tcp:HOST:PORT or serial:DEVICE[@BAUD] (default: NEARBY_RADIO)"),
      .value("bluetooth", "ADAPTER", "hci0 and so on (default: NEARBY_BLUETOOTH, or the first that is on)"),
      .value("name", "NAME", "What phones see (default: the host's)"),
      .value(
        "rate", "RATE", "How often to be measured",
        kind: .choice(["automatic", "infrequent", "interactive"]),
        fallback: "automatic"),
      .value(
        "role", "ROLE", "responder: phones begin the rounds; initiator: the accessory does",
        kind: .choice(["responder", "initiator"]), fallback: "responder"),
      .value(
        "channel", "SERVICE", "Over which apps talk to it", kind: .choice(["nordic", "qorvo"]),
        fallback: "nordic"),
      .value(
        "protocol", "VERSION", "Of the accessory protocol", kind: .choice(["1.0", "1.1", "2.0"]),
        fallback: "1.1"),
      .value("on-near", "COMMAND", "Run this each time a phone comes near"),
      .value("within", "METRES", "What near is (default: 1.5)"),
      .value("pair", "TIME", "Let new phones pair for this long after the start; any in range can"),
      .value(
        "allow", "ID|FILE", "Only this paired phone, or those of a file with an ID on each line", kind: .file,
        isRepeatable: true),
      .flag("ask", "Ask on the terminal about each phone that comes near"),
      .flag("anyone", "Run --on-near for any phone in range, whoever it is"),
      .value("seconds", "TIME", "End after this time (default: when told)"),
      .flag("json", "Print one JSON object a line"),
    ],
    examples: [
      "nearby accessory --radio serial:/dev/ttyACM0 --on-near 'gpioset 0 17=1' --within 1.5",
      "nearby accessory --on-near ./open-door --pair 60",
      "nearby accessory --radio tcp:127.0.0.1:7000 --json",
    ])
}
