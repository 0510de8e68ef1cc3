import NearbyBeacons
import NearbyBluetooth
import NearbyCommandLine

/// The commands around beacons.
enum BeaconOptions {
  static let group = CommandSpec(
    group: "beacon",
    summary: "Beacons: what is heard of them, and how far they are",
    subcommands: [
      BeaconScanCommand.spec, BeaconAdvertiseCommand.spec, BeaconMonitorCommand.spec,
      BeaconReplayCommand.spec,
    ])
}

extension BeaconPlace {
  /// What each command takes that listens or sends.
  enum Options {
    static let scenario = CommandOption<String?>.optional(
      "scenario", "FILE", "Listen in a simulated world, not on this machine's Bluetooth", as: .file)
    static let name = CommandOption<String?>.optional(
      "as", "NAME", "Which device of the scenario (default: the first)", as: .text)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Start of the randomness (default: the scenario's)", as: .seed)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "End by itself (default: the scenario's duration; else until told)", as: .duration)

    static let all: [any DeclaredOption] = [
      scenario, name, CommonOptions.speed, seed, seconds, CommonOptions.json,
    ]
  }
}

extension BeaconScanCommand {
  /// What `nearby beacon scan` takes beside `BeaconPlace.Options`.
  enum Options {
    static let uuid = CommandOption<BluetoothUUID?>.optional(
      "uuid", "UUID", "Only beacons of this UUID", as: .uuid)
  }

  static let spec = CommandSpec(
    name: "scan",
    summary: "Show the beacons around: how loud, how far, which zone",
    discussion: """
      Once a second, of each iBeacon, AltBeacon and Eddystone: identity, mean RSSI, distance with one
      standard deviation, zone, and how long ago it was heard. On a terminal it is a table, nearest first;
      elsewhere a line a beacon.
      """,
    options: [Options.uuid, CommonOptions.plain] + BeaconPlace.Options.all,
    examples: ["nearby beacon scan", "nearby beacon scan --scenario hunt.json --speed max --json"]
  ) { try BeaconScanCommand($0).run(in: $1) }
}

extension BeaconAdvertiseCommand {
  /// What `nearby beacon advertise` takes beside `BeaconPlace.Options`.
  enum Options {
    static let uuid = CommandOption<BluetoothUUID>.required(
      "uuid", "UUID", "Whose beacon (required)", as: .uuid)
    static let major = CommandOption<UInt16>.value(
      "major", "N", "Its first number", as: .sixteenBits, default: "0")
    static let minor = CommandOption<UInt16>.value(
      "minor", "N", "Its second number", as: .sixteenBits, default: "0")
    // What a beacon of usual loudness says.
    static let power = CommandOption<Double>.value(
      "power", "DBM", "What it says that it is heard with 1 m away", as: .number(-128...20, unit: "dBm"),
      default: "-59")
  }

  static let spec = CommandSpec(
    name: "advertise",
    summary: "Be an iBeacon",
    discussion: """
      With a scenario the device is one of it, and the others tell how they hear it.
      """,
    options: [Options.uuid, Options.major, Options.minor, Options.power] + BeaconPlace.Options.all,
    examples: ["nearby beacon advertise --uuid E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 --major 1 --minor 7"]
  ) { try BeaconAdvertiseCommand($0).run(in: $1) }
}

extension BeaconMonitorCommand {
  /// What `nearby beacon monitor` takes beside `BeaconPlace.Options`.
  enum Options {
    static let uuid = CommandOption<BluetoothUUID>.required(
      "uuid", "UUID", "Whose beacons (required)", as: .uuid)
    static let major = CommandOption<UInt16?>.optional(
      "major", "N", "Only those of this major", as: .sixteenBits)
    static let minor = CommandOption<UInt16?>.optional(
      "minor", "N", "Only those of this minor; with --major", as: .sixteenBits)
    static let exit = CommandOption<ExitRule>.value(
      "exit", "TIME", "Silence that means gone, or learned", as: .exitRule, default: "30")
  }

  static let spec = CommandSpec(
    name: "monitor",
    summary: "Tell when beacons come and go",
    discussion: """
      Enters at the first packet of a beacon that matches, and leaves when all that match have been silent: for
      30 s, for another time, or for as long as each beacon's own rhythm calls for ('learned').
      """,
    options: [Options.uuid, Options.major, Options.minor, Options.exit] + BeaconPlace.Options.all,
    examples: ["nearby beacon monitor --uuid E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 --exit learned --json"]
  ) { try BeaconMonitorCommand($0).run(in: $1) }
}

extension OptionReader where Value == ExitRule {
  /// A duration, or "learned".
  static var exitRule: Self {
    let duration = OptionReader<Duration>.duration
    return Self(expected: duration.expected) {
      $0 == "learned" ? .learned : duration.read($0).map(ExitRule.fixed)
    }
  }
}

extension BeaconReplayCommand {
  /// What `nearby beacon replay` takes.
  enum Options {
    static let file = PositionalArgument<String>.required("FILE", "Recorded RSSI, CSV", as: .file)
    static let json = CommandOption<Bool>.flag(
      "json", "Print only one JSON object a line: t, beacon, rssi, distance, sigma, zone")
    static let power = CommandOption<Double?>.optional(
      "power", "DBM", "RSSI at 1 m (default: the frames', else what FILE has at 1 m, else -59)",
      as: .number(-150...50, unit: "dBm"))
    static let alone = CommandOption<Bool>.flag(
      "alone", "Take each sensor for itself though places are known")
    static let beacon = CommandOption<String?>.optional(
      "beacon", "NAME", "Print only this beacon or sensor", as: .text)
    static let summary = CommandOption<Bool>.flag("summary", "Print only the summary")
  }

  static let spec = CommandSpec(
    name: "replay",
    summary: "Run a recording of RSSI through the estimator",
    discussion: """
      Prints for each packet how far the beacon is, with the standard deviation, and its zone; then a
      summary against the truth where FILE has it, near and far apart. FILE is CSV with the columns t_s and
      rssi_dbm, and where there are, beacon, sensor, power_dbm, gt_distance_m, and sensor_x_m, sensor_y_m,
      sensor_z_m. Where the places of three sensors or more are known, they listen together; --alone takes
      each for itself, as a phone is.
      """,
    arguments: [Options.file],
    options: [Options.json, Options.power, Options.alone, Options.beacon, Options.summary],
    examples: [
      "nearby beacon replay walk.csv", "nearby beacon replay hall.csv --alone --power -62 --summary",
    ]
  ) { try BeaconReplayCommand($0).run(in: $1) }
}
