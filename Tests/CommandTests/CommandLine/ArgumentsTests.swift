import NearbyCommandLine
import NearbyTextForms
import Testing

@testable import nearby

private func parse(_ text: String) throws(UsageError) -> Invocation {
  try ArgumentParser(root: CommandTable.root).parse(text.split(separator: " ").map(String.init))
}

private func arguments(_ text: String) throws -> CommandArguments {
  guard case .run(_, let arguments) = try parse(text) else {
    Issue.record("'\(text)' does not run")
    return CommandArguments(command: DemoCommand.spec)
  }
  return arguments
}

@Suite("Arguments")
struct ArgumentsTests {
  @Test("--option value and --option=value mean the same")
  func twoWays() throws {
    #expect(try parse("demo --seed 7 --json") == parse("demo --seed=7 --json"))
    #expect(try arguments("demo --seed=7")[DemoCommand.Options.seed] == 7)
    #expect(try arguments("demo")[DemoCommand.Options.seed] == nil)
    #expect(try arguments("chip")[CommonOptions.seed] == 1)
    #expect(try arguments("chip --seed 0xff")[CommonOptions.seed] == 255)
  }

  @Test("Every command's help names its options and subcommands", arguments: CommandTable.root.paths)
  func helpEverywhere(path: CommandPath) throws {
    let command = path.command
    let words = path.words + ["--help"]
    #expect(try ArgumentParser(root: CommandTable.root).parse(words) == .help(path: path.words))
    let (context, output, errors) = CommandContext.recording()
    #expect(NearbyCommand.run(words, in: context) == .success)
    #expect(errors.text.isEmpty)
    for option in command.allOptions { #expect(output.text.contains("--\(option.name)")) }
    for sub in command.subcommands { #expect(output.text.contains(sub.name)) }
    #expect(output.text.split(separator: "\n").allSatisfy { $0.count <= 110 })
  }

  /// The required arguments of each command.
  private static let least: [String: String] = [
    "peer browse": " --type x", "peer advertise": " --type x", "peer chat": " --type x",
    "peer send": " file --type x", "peer bench": " --type x", "record": " --out x", "replay": " x",
    "locate": " x", "sounding": " x",
    "simulate": " x --out x", "check": " x", "beacon replay": " x", "completion": " bash",
    "example": " radar",
  ]

  @Test(
    "Each command reads its required arguments and its options' default values")
  func fallbacks() throws {
    let readers: [String: (CommandArguments) throws -> Any] = [
      "demo": DemoCommand.init, "cerca": CercaCommand.init, "accessory": AccessoryCommand.init,
      "world": WorldCommand.init, "example": ExampleCommand.init, "record": RecordCommand.init,
      "replay": ReplayCommand.init, "locate": LocateCommand.init, "sounding": SoundingCommand.init,
      "simulate": SimulateCommand.init,
      "check": CheckCommand.init, "chip": ChipCommand.init, "beacon scan": BeaconScanCommand.init,
      "beacon replay": BeaconReplayCommand.init, "radio info": RadioInfoCommand.init,
      "peer browse": PeerWatch.browse, "peer advertise": PeerWatch.advertise,
      "peer chat": PeerChatCommand.init,
      "peer send": PeerSendCommand.init, "peer bench": PeerBenchCommand.init,
    ]
    for (command, read) in readers {
      _ = try read(arguments(command + (Self.least[command] ?? "")))
    }
    _ = try BeaconAdvertiseCommand(arguments("beacon advertise --uuid E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    _ = try BeaconMonitorCommand(arguments("beacon monitor --uuid E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    _ = try RadioRangeCommand(arguments("radio range --peer 2"))
  }

  @Test("--help takes precedence over invalid options")
  func helpWins() throws {
    #expect(try parse("demo --nonsense --help") == .help(path: ["demo"]))
    #expect(try parse("help radio range") == .help(path: ["radio", "range"]))
  }

  @Test(
    "An invalid call is reported with the reason",
    arguments: [
      ("radio", "'nearby radio' needs a command"),
      ("dmeo", "unknown command 'dmeo'; did you mean 'demo'?"),
      ("xyzzy", "unknown command 'xyzzy'"),
      ("radio inof", "unknown command 'inof'; did you mean 'info'?"),
      ("--verison", "unknown option '--verison'; did you mean '--version'?"),
      ("demo --sede 1", "unknown option '--sede'; did you mean '--seed'?"),
      ("demo --qqqqqqq", "unknown option '--qqqqqqq'"),
      ("demo -s 1", "unknown option '--s'"),
      ("demo --seed", "option '--seed' needs a value: N"),
      ("demo --seed --json", "option '--seed' needs a value: N"),
      ("demo --json=yes", "option '--json' takes no value, found 'yes'"),
      ("demo --seed 1 --seed 2", "option '--seed' may be given once"),
      ("demo meeting extra", "unexpected argument 'extra'"),
      ("replay", "missing argument: FOLDER"),
      ("chip --dialect 3", "--dialect: found '3', expected 1, 2 or pica"),
      ("completion tcsh", "SHELL: found 'tcsh', expected bash, zsh or fish"),
    ])
  func wrongCalls(call: String, message: String) {
    let (context, output, errors) = CommandContext.recording()
    let words = call.split(separator: " ").map(String.init)
    #expect(NearbyCommand.run(words, in: context) == .usage)
    #expect(errors.text.hasPrefix("nearby: \(message)\n"))
    #expect(output.text.isEmpty)
  }

  @Test(
    "An invalid call points to its command's help",
    arguments: [
      ("radio info --nope", "nearby radio info"), ("radio nope", "nearby radio"), ("demo x", "nearby demo"),
      ("nope", "nearby"),
    ])
  func hints(call: String, command: String) {
    let (context, _, errors) = CommandContext.recording()
    #expect(NearbyCommand.run(call.split(separator: " ").map(String.init), in: context) == .usage)
    #expect(errors.text.hasSuffix("\nRun '\(command) --help' for help.\n"))
  }

  @Test(
    "Reads durations",
    arguments: [
      ("10", Duration.seconds(10)), ("10s", .seconds(10)), ("250ms", .milliseconds(250)),
      ("0.5", .milliseconds(500)), ("2min", .seconds(120)), ("1h", .seconds(3600)), ("24h", .seconds(86400)),
    ])
  func durations(text: String, expected: Duration) {
    #expect(OptionReader<Duration>.duration.read(text) == expected)
  }

  @Test(
    "Refuses invalid durations",
    arguments: [
      "", "s", "-1", "0", "1e3", "inf", "nan", "10 s", "25h", "1,5", "ten", "1.2.3", "٣",
    ])
  func noDurations(text: String) {
    #expect(OptionReader<Duration>.duration.read(text) == nil)
  }

  @Test(
    "Reads speeds",
    arguments: [
      ("1", PlaybackSpeed.times(1)), ("2.5x", .times(2.5)), ("max", .max), ("0.1", .times(0.1)),
    ])
  func speeds(text: String, expected: PlaybackSpeed) {
    #expect(OptionReader<PlaybackSpeed>.speed.read(text) == expected)
  }

  @Test("Refuses invalid speeds", arguments: ["0", "-1", "x", "", "fast", "1001", "Max"])
  func noSpeeds(text: String) {
    #expect(OptionReader<PlaybackSpeed>.speed.read(text) == nil)
  }

  @Test("The error for an invalid value names the option, what was found and what was expected")
  func invalidValue() throws {
    let call = try arguments("demo --seconds soon")
    #expect(
      throws: UsageError.invalidValue(
        option: "--seconds", found: "soon",
        expected: "a time over 0 and up to a day, such as 10, 10s, 250ms or 2min")
    ) { try call[DemoCommand.Options.seconds] }
  }

  @Test("Reads addresses, ids and keys")
  func numbers() throws {
    #expect(OptionReader<UInt16>.sixteenBits.read("0x0002") == 2)
    #expect(OptionReader<UInt16>.sixteenBits.read("3") == 3)
    #expect(OptionReader<UInt32>.sessionID.read("0xFFFFFFFF") == .max)
    #expect(OptionReader<[UInt8]>.octets([6]).read("01:02:03:04:05:0a") == [1, 2, 3, 4, 5, 10])
    #expect(OptionReader<UInt16>.sixteenBits.read("65536") == nil)
    #expect(OptionReader<UInt16>.sixteenBits.read("0x-1") == nil)
    #expect(OptionReader<[UInt8]>.octets([16, 32]).read("0102") == nil)
    #expect(OptionReader<[UInt8]>.octets([1]).read("0g") == nil)
    #expect(OptionReader<Int>.integer(1...5).read("6") == nil)
  }

  @Test("A negative number is a value and an argument, not an option")
  func negativeNumber() throws {
    let call = try arguments("replay folder --radio-offset -0.25")
    #expect(try call[RecordingOptions.rangeOffset] == -0.25)
    #expect(call.positionals == ["folder"])
    #expect(try arguments("replay -- --odd-name").positionals == ["--odd-name"])
  }

  @Test(
    "An insertion, a deletion and a transposition each count as one edit",
    arguments: [
      ("demo", "demo", 0), ("dmeo", "demo", 1), ("", "demo", 4), ("replya", "replay", 1),
      ("chips", "chip", 1),
    ])
  func edits(from: String, to: String, count: Int) {
    #expect(EditDistance.between(from, to) == count)
  }
}
