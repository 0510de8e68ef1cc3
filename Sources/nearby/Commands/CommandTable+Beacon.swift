// `nearby beacon`.
extension CommandTable {
  static let beacon = CommandSpec(
    name: "beacon",
    summary: "Beacons: what is heard of them, and how far they are",
    subcommands: [beaconReplay])

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
