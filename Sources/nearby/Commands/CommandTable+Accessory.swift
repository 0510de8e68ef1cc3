// `nearby accessory`.
extension CommandTable {
  static let accessory = CommandSpec(
    name: "accessory",
    summary: "Be an accessory that phones range with",
    discussion: """
      Phones' apps find it over Bluetooth, tell it how to take part, and range with it; it measures them as
      well. --on-near runs a command of the shell each time a phone comes near; NEARBY_PHONE and
      NEARBY_DISTANCE, in metres, tell it which and how far.
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
      .value("seconds", "TIME", "End after this time (default: when told)"),
      .flag("json", "Print one JSON object a line"),
    ],
    examples: [
      "nearby accessory --radio serial:/dev/ttyACM0 --on-near 'gpioset 0 17=1' --within 1.5",
      "nearby accessory --radio tcp:127.0.0.1:7000 --json",
    ])
}
