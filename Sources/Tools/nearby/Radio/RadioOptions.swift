import NearbyCommandLine
import NearbyUCI

/// Options of the `nearby radio` commands.
enum RadioOptions {
  static let radio = CommandOption<String?>.optional(
    "radio", "ADDRESS", "UWB chip: tcp:HOST:PORT or serial:DEVICE[@BAUD] (default: NEARBY_RADIO)", as: .text)
  static let timeout = CommandOption<Duration>.value(
    "timeout", "TIME", "Time limit for connecting", as: .duration, default: "5")

  static let group = CommandSpec(
    group: "radio",
    summary: "Use a UWB chip that speaks UCI",
    subcommands: [RadioInfoCommand.spec, RadioRangeCommand.spec])
}

extension RadioInfoCommand {
  static let spec = CommandSpec(
    name: "info",
    summary: "Print a chip's version and capabilities",
    options: [RadioOptions.radio, CommonOptions.json, RadioOptions.timeout],
    examples: [
      "nearby radio info --radio tcp:127.0.0.1:7000", "nearby radio info --radio serial:/dev/ttyACM0",
    ]
  ) { try RadioInfoCommand($0).run(in: $1) }
}

extension RadioRangeCommand {
  /// The options of `nearby radio range`, in addition to `RadioOptions` and `RadioSessionOptions`.
  enum Options {
    static let count = CommandOption<Int?>.optional(
      "count", "N", "Stop after this many rounds", as: .integer(1...1_000_000_000))
    static let seconds = CommandOption<Duration?>.optional(
      "seconds", "TIME", "Stop after this long", as: .duration)
    static let record = CommandOption<String?>.optional(
      "record", "FOLDER", "Also write a recording, with the poses of NEARBY_CAMERA", as: .folder)
    static let force = CommandOption<Bool>.flag("force", "Record into the folder even if it has files")
  }

  static let spec = CommandSpec(
    name: "range",
    summary: "Range with a chip and print each measurement",
    discussion: """
      Initialises the chip, starts a two-way ranging session, and prints each measurement raw and filtered.
      Several --peer options start a one-to-many session. An interrupt stops and closes the session first. With
      --count or --seconds it exits with 69 if no round gave a distance.
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
