/// The commands around a world that programs share.
extension CommandTable {
  static let world = CommandSpec(
    name: "world",
    summary: "Run a simulated world that several programs can join",
    discussion: """
      Programs written against Apple's interfaces join it by their environment: NEARBY_WORLD=HOST:PORT,
      NEARBY_DEVICE=NAME (made on the spot where the scenario has none) and NEARBY_TOKEN. Foreign UCI hosts
      connect to the port of --uci and get a device each. The page of --http shows everything and lets a person
      move it. --run starts a program as a device, by the shell; what it prints comes behind its device's name,
      and it ends with the world.
      """,
    positionals: [
      PositionalSpec(
        "SCENARIO", "Scenario file, JSON with comments; an empty place if absent", kind: .file,
        isOptional: true)
    ],
    options: [
      .value(
        "listen", "HOST:PORT", "Where programs join; port 0 takes a free one", fallback: "127.0.0.1:7100"),
      .value("uci", "HOST:PORT", "Where foreign UCI hosts connect"),
      .value("http", "HOST:PORT", "Where the page is; none if absent; on loopback only with --token ''"),
      .value("state", "FILE", "Resume from FILE if it exists, and save to it every few seconds", kind: .file),
      .value(
        "token", "TEXT", "What programs and the page must know; made and printed if absent, '' for none"),
      .value("seed", "N", "Start of the randomness instead of the scenario's"),
      .value("limit", "N", "Devices at most", fallback: "1000"),
      .value("run", "DEVICE=COMMAND", "Start this as a device; may be repeated", isRepeatable: true),
      .flag("ask", "Leave permission questions open, for a person to answer"),
    ],
    examples: [
      "nearby world Examples/Scenarios/treasures.json --http 127.0.0.1:8080 --run 'Seeker=nearby example radar'",
      "nearby world --token ''", "nearby world office.json --listen 127.0.0.1:7100 --uci 127.0.0.1:7000",
    ])

  static let example = CommandSpec(
    name: "example",
    summary: "Run one of the example apps as this process's device",
    discussion: """
      radar hunts treasures by beacons; door and speaker are accessories, door-app and speaker-app the phones'
      apps for them. The device is the one that NEARBY_WORLD and NEARBY_DEVICE name, else this machine with its
      chip (NEARBY_RADIO) and its Bluetooth. Each line is what the app shows its user.
      """,
    positionals: [
      PositionalSpec(
        "APP", "radar, door, door-app, speaker or speaker-app",
        kind: .choice(ExampleApp.allCases.map(\.rawValue)))
    ],
    options: [
      .value("seconds", "TIME", "End after this time (default: when told)"),
      .flag("json", "Print one JSON object a line"),
    ],
    examples: [
      "nearby example radar",
      "NEARBY_WORLD=127.0.0.1:7100 NEARBY_DEVICE=Speaker NEARBY_TOKEN=… nearby example speaker",
    ])

  static let record = CommandSpec(
    name: "record",
    summary: "Write a recording of a device of a running world",
    discussion: """
      What the device's chip measures becomes ranges.csv, beside the ground truth and the track of its camera
      while that runs. 'nearby replay' and 'nearby locate' read the folder. An interrupt ends the recording,
      which is written all the same. 'nearby radio range --record' does it with a chip.
      """,
    options: [
      .value("world", "HOST:PORT", "The world; NEARBY_WORLD if absent"),
      .value("device", "NAME", "Which device of it; NEARBY_DEVICE if absent"),
      .value("token", "TEXT", "What the world printed; NEARBY_TOKEN if absent"),
      .value("out", "FOLDER", "Where to write; made if it does not exist", kind: .folder),
      .value("seconds", "TIME", "Stop after this time of the world"),
      .flag("force", "Write into a folder that has files"),
    ],
    examples: ["nearby record --world 127.0.0.1:7100 --device anna --out recordings/anna --seconds 30"])
}
