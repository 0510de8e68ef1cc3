import NearbyBeacons
import NearbyBluetooth
import NearbyCommandLine

/// The beacon commands.
enum BeaconOptions {
  static let group = CommandSpec(
    group: "beacon",
    summary: "Scan for, advertise and monitor Bluetooth beacons",
    subcommands: [
      BeaconScanCommand.spec, BeaconAdvertiseCommand.spec, BeaconMonitorCommand.spec,
      BeaconReplayCommand.spec,
    ])
}

extension BeaconPlace {
  /// Options of every command that scans or advertises.
  enum Options {
    static let scenario = CommandOption<String?>.optional(
      "scenario", "FILE", "Use a simulated world instead of this machine's Bluetooth", as: .file)
    static let name = CommandOption<String?>.optional(
      "as", "NAME", "Device of the scenario (default: NEARBY_DEVICE if it is one of them, else the first)",
      as: .text)
    static let seed = CommandOption<UInt64?>.optional(
      "seed", "N", "Random seed; the same seed gives the same output (default: the scenario's)", as: .seed)
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME",
      "Stop after this long (default: the scenario's duration; else run until interrupted)", as: .duration)

    static let all: [any DeclaredOption] = [
      scenario, name, CommonOptions.speed, seed, seconds, CommonOptions.json,
    ]
  }
}

extension BeaconScanCommand {
  /// The options of `nearby beacon scan` in addition to `BeaconPlace.Options`.
  enum Options {
    static let uuid = CommandOption<BluetoothUUID?>.optional(
      "uuid", "UUID", "Only beacons of this UUID", as: .uuid)
  }

  static let spec = CommandSpec(
    name: "scan",
    summary: "List the beacons in range with signal strength, distance and zone",
    discussion: """
      Prints once per second, for each iBeacon, AltBeacon and Eddystone: identity, mean RSSI, distance with one
      standard deviation, zone, and the age of the last packet. On a terminal it shows a table, nearest first;
      otherwise it prints one line per beacon.
      """,
    options: [Options.uuid, CommonOptions.plain] + BeaconPlace.Options.all,
    examples: [
      "nearby beacon scan",
      "nearby beacon scan --scenario Examples/Scenarios/beacons.json --speed max --json",
    ]
  ) { try BeaconScanCommand($0).run(in: $1) }
}

extension BeaconAdvertiseCommand {
  /// The options of `nearby beacon advertise` in addition to `BeaconPlace.Options`.
  enum Options {
    static let uuid = CommandOption<BluetoothUUID>.required(
      "uuid", "UUID", "UUID of the beacon (required)", as: .uuid)
    static let major = CommandOption<UInt16>.value(
      "major", "N", "Major number of the beacon", as: .sixteenBits, default: "0")
    static let minor = CommandOption<UInt16>.value(
      "minor", "N", "Minor number of the beacon", as: .sixteenBits, default: "0")
    // A typical beacon.
    static let power = CommandOption<Double>.value(
      "power", "DBM", "Advertised signal strength at 1 m, in dBm", as: .number(-128...20, unit: "dBm"),
      default: "-59")
  }

  static let spec = CommandSpec(
    name: "advertise",
    summary: "Advertise as an iBeacon",
    discussion: """
      With --scenario one simulated device advertises, and the others report how they receive it.
      """,
    options: [Options.uuid, Options.major, Options.minor, Options.power] + BeaconPlace.Options.all,
    examples: ["nearby beacon advertise --uuid E2C56DB5-DFFB-48D2-B060-D0F5A71096E0 --major 1 --minor 7"]
  ) { try BeaconAdvertiseCommand($0).run(in: $1) }
}

extension BeaconMonitorCommand {
  /// The options of `nearby beacon monitor` in addition to `BeaconPlace.Options`.
  enum Options {
    static let uuid = CommandOption<BluetoothUUID>.required(
      "uuid", "UUID", "UUID of the beacons (required)", as: .uuid)
    static let major = CommandOption<UInt16?>.optional(
      "major", "N", "Only beacons with this major number", as: .sixteenBits)
    static let minor = CommandOption<UInt16?>.optional(
      "minor", "N", "Only beacons with this minor number; needs --major", as: .sixteenBits)
    static let exit = CommandOption<ExitRule>.value(
      "exit", "TIME",
      "Time without a packet before a beacon is gone; `learned` adapts to each",
      as: .exitRule, default: "30")
  }

  static let spec = CommandSpec(
    name: "monitor",
    summary: "Report when beacons appear and disappear",
    discussion: """
      Reports 'entered' at the first packet of a matching beacon, and 'left' when all matching beacons have been
      silent for the time of --exit.
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
  /// The arguments and options of `nearby beacon replay`.
  enum Options {
    static let file = PositionalArgument<String>.required("FILE", "Recorded RSSI, CSV", as: .file)
    static let json = CommandOption<Bool>.flag(
      "json", "Print only one JSON object per line: t, beacon, rssi, distance, sigma, zone")
    static let power = CommandOption<Double?>.optional(
      "power", "DBM", "RSSI at 1 m (default: from the frames, else from FILE's packets at 1 m, else -59)",
      as: .number(-150...50, unit: "dBm"))
    static let alone = CommandOption<Bool>.flag(
      "alone", "Evaluate each sensor separately even if the sensors' positions are known")
    static let beacon = CommandOption<String?>.optional(
      "beacon", "NAME", "Print only this beacon or sensor", as: .text)
    static let summary = CommandOption<Bool>.flag("summary", "Print only the summary")
  }

  static let spec = CommandSpec(
    name: "replay",
    summary: "Estimate distances from recorded RSSI",
    discussion: """
      Prints for each packet the distance to the beacon, its standard deviation, and the zone; then a summary. If
      FILE contains true distances, the summary compares them, with separate figures for near and far. FILE is
      CSV with the columns t_s and rssi_dbm, and optionally beacon, sensor, power_dbm, gt_distance_m, and
      sensor_x_m, sensor_y_m, sensor_z_m. If the positions of at least three sensors are known, they are
      evaluated together; --alone evaluates each separately, as a phone would.
      """,
    arguments: [Options.file],
    options: [Options.json, Options.power, Options.alone, Options.beacon, Options.summary],
    examples: [
      "nearby beacon replay walk.csv", "nearby beacon replay hall.csv --alone --power -62 --summary",
    ]
  ) { try BeaconReplayCommand($0).run(in: $1) }
}
