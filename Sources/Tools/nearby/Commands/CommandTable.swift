/// The table of every command: parsing, help and completion read it.
enum CommandTable {
  static let root = CommandSpec(
    name: "nearby",
    summary: "Ranging between devices: simulated, recorded, or by a chip",
    subcommands: [
      demo, cerca, peer, accessory, beacon, world, example, record, replay, locate, simulate, check, radio,
      chip,
      completion,
    ])

  private static let json = OptionSpec.flag("json", "Print one JSON object a line")
  private static let seed = OptionSpec.value(
    "seed", "N", "Start of the randomness; same seed, same output", fallback: "1")

  static let demo = CommandSpec(
    name: "demo",
    summary: "Let two simulated phones meet, exchange tokens and range",
    discussion: """
      On a terminal it draws a live picture: distance, direction, trend. Elsewhere it prints a line an
      update, or one JSON object a line with --json. In the museum a visitor is led to a jetpack behind him
      by camera assistance, and a sphere is placed where it is. 'cerca' starts two processes of 'nearby
      cerca' that find each other on the network, and shows both: they meet, one is lost, and found again.
      'world' serves a museum and its page, and starts two processes that are devices of it. 'radar' is a
      treasure hunt by beacons: with the arrow keys on a terminal, elsewhere a scripted walker finds them all.
      """,
    positionals: [
      PositionalSpec(
        "SCENE", "meeting (default), museum, cerca, world or radar",
        kind: .choice(["meeting", "museum", "cerca", "world", "radar"]),
        isOptional: true)
    ],
    options: [
      .value(
        "seconds", "TIME",
        "Simulated time (default: 10; museum 30, cerca 24, radar 120; world: until told)"
      ),
      .value("seed", "N", "Start of the randomness (default: 1, or the scenario's)"),
      .value("speed", "FACTOR", "Simulated seconds a second, or max", fallback: "1"),
      .value("scenario", "FILE", "World and paths instead of the built-in meeting", kind: .file),
      json,
      .flag("plain", "Print lines even on a terminal"),
    ],
    examples: [
      "nearby demo", "nearby demo --seconds 10 --speed max --json", "nearby demo museum", "nearby demo cerca",
      "nearby demo world", "nearby demo radar",
    ])

  static let replay = CommandSpec(
    name: "replay",
    summary: "Run a recording through the estimator",
    discussion: """
      Prints each range, raw and estimated with its standard deviation, and a summary against the ground
      truth where the recording has it. FOLDER holds ranges.csv, and may hold traj_gt.csv, objects_gt.csv
      and tags.csv.
      """,
    positionals: [PositionalSpec("FOLDER", "Folder of one recorded sequence", kind: .folder)],
    options: [
      .flag("json", "Print only one JSON object a line: t, object, tag, range, distance, sigma"),
      .value("plot", "FILE.svg", "Also draw ranges and estimates over time", kind: .file),
      .value("object", "ID", "Only this object"),
      .value("tag", "ID", "Only this antenna"),
      .value("radio-offset", "METRES", "Constant to subtract from every range", fallback: "0"),
      .flag("summary", "Print only the summary"),
    ],
    examples: [
      "nearby replay recordings/loop-2d_s5",
      "nearby replay recordings/loop-2d_s5 --object 4 --plot loop.svg --summary",
    ])

  static let locate = CommandSpec(
    name: "locate",
    summary: "Find where the objects of a recording are",
    discussion: """
      Runs each antenna's ranges to each object through the locator, along the device's recorded track, and
      tells after every range where the object is, how sure that is, and what the search still lacks. The
      track is that of the tracker (traj_vio_semisynthetic.csv) where there is one, else the true one.
      """,
    positionals: [PositionalSpec("FOLDER", "Folder of one recorded sequence", kind: .folder)],
    options: [
      .flag("json", "Print only one JSON object a line and range"),
      .flag("truth-trajectory", "Use the true track, traj_gt.csv"),
      .flag("vio", "Use the tracker's track, traj_vio_semisynthetic.csv"),
      .value("track", "FILE", "Use these poses, a line 'timestamp tx ty tz qx qy qz qw' each", kind: .file),
      .value("plot", "FILE.svg", "Also draw the plan, and errors over time", kind: .file),
      .value("object", "ID", "Only this object"),
      .value("tag", "ID", "Only this antenna"),
      .value("radio-offset", "METRES", "Constant to subtract from every range", fallback: "0"),
      .flag("summary", "Print only the summary"),
    ],
    examples: [
      "nearby locate recordings/loop-2d_s5 --truth-trajectory --summary",
      "nearby locate recordings/loop-2d_s5 --vio --object 4 --json",
      "nearby locate recordings/loop-2d_s5 --plot loop.svg --summary",
    ])

  static let simulate = CommandSpec(
    name: "simulate",
    summary: "Write a recording of a simulated world",
    discussion: """
      The devices of the scenario range through virtual chips; what the chips reported becomes ranges.csv,
      beside the ground truth. 'nearby replay' reads the folder.
      """,
    positionals: [PositionalSpec("SCENARIO", "Scenario file, JSON with comments", kind: .file)],
    options: [
      .value("out", "FOLDER", "Where to write; made if it does not exist", kind: .folder),
      .value("device", "NAME", "Device that records; the first of the first pair if absent"),
      .value("seconds", "TIME", "How long to record instead of the scenario's duration"),
      .value("seed", "N", "Start of the randomness instead of the scenario's"),
      .value("interval", "TIME", "Time between two ranges of a pair", fallback: "200ms"),
      .flag("force", "Write into a folder that has files"),
    ],
    examples: ["nearby simulate walk.json --out recordings/walk --seconds 60"])

  static let radio = CommandSpec(
    name: "radio",
    summary: "Use a UWB chip that speaks UCI",
    subcommands: [radioInfo, radioRange])

  private static let radioAddress = OptionSpec.value(
    "radio", "ADDRESS", "tcp:HOST:PORT or serial:DEVICE[@BAUD]; NEARBY_RADIO if absent")

  static let radioInfo = CommandSpec(
    name: "info",
    summary: "Bring a chip up and print what it is and can do",
    options: [radioAddress, json, .value("timeout", "TIME", "To connect", fallback: "5")],
    examples: [
      "nearby radio info --radio tcp:127.0.0.1:7000", "nearby radio info --radio serial:/dev/ttyACM0",
    ])

  static let radioRange = CommandSpec(
    name: "range",
    summary: "Range with a chip and print each measurement",
    discussion: """
      The chip is brought up, a two-way ranging session is set up and started; each measurement is printed
      raw and filtered. Several --peer make a one-to-many session. An interrupt stops and closes the
      session before the command ends.
      """,
    options: [
      radioAddress,
      .value(
        "role", "ROLE", "initiator (controller) or responder (controlee)",
        kind: .choice(["initiator", "responder"]), fallback: "initiator"),
      .value("address", "ADDRESS", "Own short address", fallback: "0x0001"),
      .value("peer", "ADDRESS", "A peer's short address; may be repeated", isRepeatable: true),
      .flag("one-to-many", "One-to-many with a single --peer too, as its responders need"),
      .value("session", "ID", "Session id, the same on both sides", fallback: "42"),
      .value("channel", "N", "UWB channel", kind: .choice(channels), fallback: "9"),
      .value("preamble", "N", "Preamble code index", fallback: "10"),
      .value("interval", "MS", "Milliseconds from round to round", fallback: "200"),
      .value("slot", "RSTU", "Slot duration, 1200 is 1 ms", fallback: "2400"),
      .value("slots", "N", "Slots a round", fallback: "25"),
      .value("vendor-id", "HEX", "Static STS: vendor id as on the wire, 2 octets", fallback: "0807"),
      .value("iv", "HEX", "Static STS: initialisation vector, 6 octets", fallback: "010203040506"),
      .value("key", "HEX", "Provisioned STS: session key, 16 or 32 octets"),
      .value("count", "N", "Stop after this many rounds"),
      .value("seconds", "TIME", "Stop after this time"),
      .value("record", "FOLDER", "Also write a recording, with the poses of NEARBY_CAMERA", kind: .folder),
      .flag("force", "Record into a folder that has files"),
      .value("timeout", "TIME", "To connect", fallback: "5"),
      json,
    ],
    examples: [
      "nearby radio range --radio tcp:127.0.0.1:7000 --address 0x0001 --peer 0x0002",
      "nearby radio range --radio serial:/dev/ttyACM0@115200 --role responder --address 2 --peer 1 --count 10",
      "NEARBY_CAMERA=file:poses.tum nearby radio range --peer 2 --seconds 30 --record recordings/walk",
    ])

  private static let channels = ["5", "6", "8", "9", "10", "12", "13", "14"]

  static let chip = CommandSpec(
    name: "chip",
    summary: "Serve virtual UWB chips over TCP to any UCI host",
    discussion: """
      Each connection is one chip; all chips share one air and range in real time. They stand on a line,
      in order of connection, unless a scenario names their places.
      """,
    options: [
      .value("listen", "HOST:PORT", "Where to listen; port 0 takes a free one", fallback: "127.0.0.1:7000"),
      .value("scenario", "FILE", "World whose bodies the chips are, in order", kind: .file),
      .value("spacing", "METRES", "Distance between neighbours", fallback: "2"),
      seed,
      .value(
        "dialect", "N", "UCI generation of the chips; pica is 2 without handles",
        kind: .choice(ChipCommand.dialects.map(\.name)), fallback: "2"),
      .value("limit", "N", "Connections at once", fallback: "64"),
      .value(
        "per-machine", "N",
        "Connections of one machine at once (default: all on loopback, else a quarter)"),
      .flag("shared", "One port a device, for this user's 'nearby cerca'; ends with the last that uses it"),
    ],
    examples: ["nearby chip", "nearby chip --listen 0.0.0.0:7000 --spacing 3.5 --dialect 1"])

  static let cerca = CommandSpec(
    name: "cerca",
    summary: "Find somebody nearby, and show how far and where",
    discussion: """
      Meets another 'nearby cerca' on the network, exchanges tokens with it and ranges: by the chip that
      NEARBY_RADIO names, as the device NEARBY_DEVICE of the world that NEARBY_WORLD names, or with
      --scenario by a virtual one on an air that all processes of this user with the same scenario and
      seed share. A process that is stopped (Ctrl-Z) is an app in the background.
      """,
    options: [
      .value(
        "as", "NAME",
        "Own name; with --scenario the device (default: NEARBY_DEVICE, else the host's name)"
      ),
      .value("scenario", "FILE", "World to be in, without a chip", kind: .file),
      seed,
      .value("seconds", "TIME", "End after this time; fails if nobody was near (default: when told)"),
      json,
      .flag("plain", "Print lines even on a terminal"),
    ],
    examples: [
      "nearby cerca --scenario two-phones-meet.json --as anna",
      "NEARBY_RADIO=serial:/dev/ttyACM0 nearby cerca --as Ben",
    ])

  static let completion = CommandSpec(
    name: "completion",
    summary: "Print a shell's completion script",
    positionals: [
      PositionalSpec("SHELL", "bash, zsh or fish", kind: .choice(CompletionShell.allCases.map(\.rawValue)))
    ],
    examples: ["source <(nearby completion bash)", "nearby completion fish | source"])
}
