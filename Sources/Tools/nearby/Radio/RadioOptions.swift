import NearbyCommandLine
import NearbyUCI

/// What the commands `nearby radio` take.
enum RadioOptions {
  static let radio = CommandOption<String?>.optional(
    "radio", "ADDRESS", "tcp:HOST:PORT or serial:DEVICE[@BAUD]; NEARBY_RADIO if absent", as: .text)
  static let timeout = CommandOption<Duration>.value(
    "timeout", "TIME", "To connect", as: .duration, default: "5")

  static let group = CommandSpec(
    group: "radio",
    summary: "Use a UWB chip that speaks UCI",
    subcommands: [RadioInfoCommand.spec, RadioRangeCommand.spec])
}

extension RadioInfoCommand {
  static let spec = CommandSpec(
    name: "info",
    summary: "Bring a chip up and print what it is and can do",
    options: [RadioOptions.radio, CommonOptions.json, RadioOptions.timeout],
    examples: [
      "nearby radio info --radio tcp:127.0.0.1:7000", "nearby radio info --radio serial:/dev/ttyACM0",
    ]
  ) { try RadioInfoCommand($0).run(in: $1) }
}

extension RadioRangeCommand {
  /// What `nearby radio range` takes beside `RadioOptions` and `RadioSessionOptions`.
  enum Options {
    static let count = CommandOption<Int?>.optional(
      "count", "N", "Stop after this many rounds", as: .integer(1...1_000_000_000))
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Stop after this time", as: .duration)
    static let record = CommandOption<String?>.optional(
      "record", "FOLDER", "Also write a recording, with the poses of NEARBY_CAMERA", as: .folder)
    static let force = CommandOption<Bool>.flag("force", "Record into a folder that has files")
  }

  static let spec = CommandSpec(
    name: "range",
    summary: "Range with a chip and print each measurement",
    discussion: """
      The chip is brought up, a two-way ranging session is set up and started; each measurement is printed
      raw and filtered. Several --peer make a one-to-many session. An interrupt stops and closes the
      session before the command ends.
      """,
    options: [RadioOptions.radio] + RadioSessionOptions.all + [
      Options.count, Options.seconds, Options.record, Options.force, RadioOptions.timeout, CommonOptions.json,
    ],
    examples: [
      "nearby radio range --radio tcp:127.0.0.1:7000 --address 0x0001 --peer 0x0002",
      "nearby radio range --radio serial:/dev/ttyACM0@115200 --role responder --address 2 --peer 1 --count 10",
      "NEARBY_CAMERA=file:poses.tum nearby radio range --peer 2 --seconds 30 --record recordings/walk",
    ]
  ) { try RadioRangeCommand($0).run(in: $1) }
}
