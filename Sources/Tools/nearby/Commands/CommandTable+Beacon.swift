// `nearby beacon`.
extension CommandTable {
  static let beacon = CommandSpec(
    name: "beacon",
    summary: "Beacons: what is heard of them, and how far they are",
    subcommands: [beaconScan, beaconAdvertise, beaconMonitor, beaconReplay])

  private static let beaconPlace: [OptionSpec] = [
    .value("scenario", "FILE", "Listen in a simulated world, not on this machine's Bluetooth", kind: .file),
    .value("as", "NAME", "Which device of the scenario (default: the first)"),
    .value("speed", "FACTOR", "Simulated seconds a second, or max", fallback: "1"),
    .value("seed", "N", "Start of the randomness (default: the scenario's)"),
    .value("seconds", "TIME", "End by itself (default: the scenario's duration; else until told)"),
    .flag("json", "Print one JSON object a line"),
  ]

  static let beaconScan = CommandSpec(
    name: "scan",
    summary: "Show the beacons around: how loud, how far, which zone",
    discussion: """
      Once a second, of each iBeacon, AltBeacon and Eddystone: identity, mean RSSI, distance with one
      standard deviation, zone, and how long ago it was heard. On a terminal it is a table, nearest first;
      elsewhere a line a beacon.
      """,
    options: [
      .value("uuid", "UUID", "Only beacons of this UUID"), .flag("plain", "Print lines even on a terminal"),
    ]
      + beaconPlace,
    examples: ["nearby beacon scan", "nearby beacon scan --scenario hunt.json --speed max --json"])

  static let beaconAdvertise = CommandSpec(
    name: "advertise",
    summary: "Be an iBeacon",
    discussion: """
      With a scenario the device is one of it, and the others tell how they hear it.
      """,
    options: [
      .value("uuid", "UUID", "Whose beacon (required)"),
      .value("major", "N", "Its first number", fallback: "0"),
      .value("minor", "N", "Its second number", fallback: "0"),
      .value("power", "DBM", "What it says that it is heard with 1 m away", fallback: "-59"),
    ] + beaconPlace,
    examples: ["nearby beacon advertise --uuid E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 --major 1 --minor 7"])

  static let beaconMonitor = CommandSpec(
    name: "monitor",
    summary: "Tell when beacons come and go",
    discussion: """
      Enters at the first packet of a beacon that matches, and leaves when all that match have been silent: for
      30 s, for another time, or for as long as each beacon's own rhythm calls for ('learned').
      """,
    options: [
      .value("uuid", "UUID", "Whose beacons (required)"), .value("major", "N", "Only those of this major"),
      .value("minor", "N", "Only those of this minor; with --major"),
      .value("exit", "TIME", "Silence that means gone, or learned", fallback: "30"),
    ] + beaconPlace,
    examples: ["nearby beacon monitor --uuid E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 --exit learned --json"])

  static let beaconReplay = CommandSpec(
    name: "replay",
    summary: "Run a recording of RSSI through the estimator",
    discussion: """
      Prints for each packet how far the beacon is, with the standard deviation, and its zone; then a
      summary against the truth where FILE has it, near and far apart. FILE is CSV with the columns t_s and
      rssi_dbm, and where there are, beacon, sensor, power_dbm, gt_distance_m, and sensor_x_m, sensor_y_m,
      sensor_z_m. Where the places of three sensors or more are known, they listen together; --alone takes
      each for itself, as a phone is.
      """,
    positionals: [PositionalSpec("FILE", "Recorded RSSI, CSV", kind: .file)],
    options: [
      .flag("json", "Print only one JSON object a line: t, beacon, rssi, distance, sigma, zone"),
      .value(
        "power", "DBM",
        "RSSI at 1 m (default: the frames', else what FILE has at 1 m, else -59)"),
      .flag("alone", "Take each sensor for itself though places are known"),
      .value("beacon", "NAME", "Print only this beacon or sensor"),
      .flag("summary", "Print only the summary"),
    ],
    examples: [
      "nearby beacon replay walk.csv", "nearby beacon replay hall.csv --alone --power -62 --summary",
    ])
}
