import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import NearbyConcurrency
import NearbyTextForms
import NearbyWorld
import Testing

@testable import nearby

/// Passes hostile text through every command that runs in the test's own process.
@Suite("Text of others reaches the terminal without control characters")
final class HostileTextTests {
  static let evil = "Ann\u{1B}[2J\u{9B}31m\u{202E}\u{2066}\u{200B}\u{2028}\r\u{7F}"
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("nearby-evil-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Everything that a call wrote, without the escape sequences of our own pictures.
  private func said(_ words: [String], terminal: TerminalInfo? = nil) -> String {
    let (context, output, errors) = CommandContext.recording(terminal: terminal)
    _ = NearbyCommand.run(words, in: context)
    return (output.text + errors.text).replacing(/\u{1B}\[[0-9;?]*[HJKmhl]/, with: "")
      .replacing("\r\n", with: "\n")
  }

  private func expectPrintable(_ text: String, _ what: [String]) {
    let bad = text.unicodeScalars.filter { $0 != "\n" && !PrintableText.isPrintable($0) }
    #expect(bad.isEmpty, "\(what): \(bad.map { String($0.value, radix: 16) })")
  }

  /// Commands that use radios, networks or other processes as soon as their call is well-formed.
  private static let live = [
    "accessory", "beacon advertise", "beacon monitor", "beacon scan", "cerca", "chip", "demo", "example",
    "peer advertise", "peer bench", "peer browse", "peer chat", "peer send", "record", "world",
  ]

  @Test(
    "Refusals of arguments, options and values are printable",
    arguments: CommandTable.root.paths.filter { $0.command.run != nil })
  func calls(path: CommandPath) {
    let (words, spec) = (path.words, path.command)
    let command = words.joined(separator: " ")
    var calls = [words + ["--\(Self.evil)"], words + ["--json=\(Self.evil)"], words + ["--bad", Self.evil]]
    if !Self.live.contains(command) {
      calls += [words + [Self.evil], words + ["\(folder.path)/\(Self.evil)"]]
      calls += spec.options.map { words + [Self.evil, "--\($0.name)", Self.evil] }
    }
    for call in calls {
      let text = said(call)
      #expect(!text.isEmpty, "\(call)")
      expectPrintable(text, call)
    }
  }

  private func scenario(_ name: String = evil) throws -> String {
    let (ann, ben) = (JSONLine.quoted(name), JSONLine.quoted("Ben" + name))
    let text = """
      { seed: 1, duration: 3, devices: [
        { name: \(ann), motion: { walk: [[0, 0], [2, 1]] } }, { name: \(ben), motion: { stand: [0, 3] } } ] }
      """
    let file = folder.appendingPathComponent("scenario\(Self.evil).json")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  @Test("Device names in scenarios and recordings are printed by demo, simulate, replay and locate")
  func scenarios() throws {
    let scenario = try scenario()
    let terminal = TerminalInfo(columns: 100, rows: 30, hasColour: true)
    let demo = ["demo", "--scenario", scenario, "--speed", "max", "--seconds", "2"]
    for form in [demo, demo + ["--plain"], demo + ["--json"]] {
      let text = said(form)
      #expect(text.contains("Ann"), "\(text)")
      expectPrintable(text, form)
    }
    let picture = said(demo, terminal: terminal)
    #expect(picture.contains("Ann�[2J"), "\(picture.prefix(2000))")
    expectPrintable(picture, demo)

    // A recording with control characters is refused; invisible ones pass.
    let cruel = folder.appendingPathComponent("cruel").path
    expectPrintable(said(["simulate", scenario, "--out", cruel]), ["simulate"])
    expectPrintable(said(["replay", cruel]), ["replay"])
    let recording = folder.appendingPathComponent("recording").path
    let sly = try self.scenario("Ann\u{202E}\u{2066}\u{200B}")
    expectPrintable(said(["simulate", sly, "--out", recording]), ["simulate"])
    for call in [["replay", recording], ["locate", recording, "--truth-trajectory"]] {
      for form in [call, call + ["--json"], call + ["--summary", "--plot", "\(recording)/plot.svg"]] {
        let text = said(form)
        #expect(text.contains("Ann") || form.contains("--summary"), "\(text)")
        expectPrintable(text, form)
      }
      let plot = try String(contentsOfFile: "\(recording)/plot.svg", encoding: .utf8)
      expectPrintable(plot, call)
    }
  }

  @Test("Keys and paths of invalid files are printable in errors")
  func wrongFiles() throws {
    for text in [
      "{ \(JSONLine.quoted(Self.evil)): 1 }", "{ \"devices\": [ { \"name\": 1, \(Self.evil)", Self.evil,
    ] {
      let file = folder.appendingPathComponent("wrong\(Self.evil)")
      try Data(text.utf8).write(to: file)
      for call in [
        ["demo", "--scenario", file.path], ["simulate", file.path, "--out", folder.path],
        ["beacon", "replay", file.path], ["world", file.path], ["replay", file.path],
        ["beacon", "scan", "--scenario", file.path], ["cerca", "--scenario", file.path, "--as", Self.evil],
      ] {
        let said = said(call)
        #expect(!said.isEmpty, "\(call)")
        expectPrintable(said, call)
      }
    }
  }

  @Test("File names and imports of a checked app are printable")
  func sources() throws {
    let file = folder.appendingPathComponent("App\(Self.evil).swift")
    try Data("import Evil\u{1B}[2J\nimport \u{202E}x\nlet x = NISession.\u{9B}\n".utf8).write(to: file)
    for form in [
      ["check", folder.path], ["check", folder.path, "--json"], ["check", folder.path, "--summary"],
    ] {
      let text = said(form)
      #expect(!text.isEmpty)
      expectPrintable(text, form)
    }
  }

  @Test("Names, messages, files and discovery info of peers are printable", arguments: [false, true])
  func peers(isJSON: Bool) throws {
    let name = String(Self.evil.prefix(20))
    let peer = MCPeerID(displayName: name)
    let (context, output, errors) = CommandContext.recording(
      terminal: TerminalInfo(columns: 80, rows: 24, hasColour: false))
    var printer = PeerPrinter(isJSON: isJSON, context)
    printer.advertising(peer, type: "example")
    let letters: [PeerLetter] = [
      .found(peer, info: ["k\(Self.evil)": Self.evil]), .lost(peer), .invited(peer, isAccepted: true),
      .state(peer, .connected), .data(Data(Self.evil.utf8), from: peer),
      .arriving(name: Self.evil, from: peer, PeerProgress(Progress(totalUnitCount: 10))),
    ]
    for letter in letters { printer.show(letter) }
    printer.showProgress()
    printer.show(.arrived(name: Self.evil, from: peer, .failure(PeerTrouble(text: Self.evil))))
    printer.finish()
    let text = (output.text + errors.text).replacing("\r\u{1B}[K", with: "")
    #expect(text.contains("Ann"))
    expectPrintable(text, ["peer"])
  }

  @Test("A very long message is cut to one line of 4096 characters")
  func longMessage() {
    let peer = MCPeerID(displayName: "Ann")
    let (context, output, _) = CommandContext.recording()
    var printer = PeerPrinter(isJSON: false, context)
    printer.show(.data(Data(repeating: UInt8(ascii: "a"), count: 1_000_000), from: peer))
    #expect(output.text.count == "Ann: ".count + PeerText.longestMessage + 1)
    #expect(output.text.hasSuffix("…\n"))
  }

  @Test("Names of a world's devices and programs, and its refusals, are printable")
  func world() throws {
    let (context, output, errors) = CommandContext.recording()
    let events: [WorldServer.Event] = [
      .joined(device: Self.evil, program: Self.evil), .left(device: Self.evil), .dropped(Self.evil),
    ]
    for event in events { context.errors.line("nearby: \(WorldCommand.text(event))") }
    let (ended, errorText) = (CommandError.unavailable("the world refused: \(Self.evil)"), errors.text)
    context.errors.line("nearby: \(ended.message)")
    #expect(errorText.split(separator: "\n").count == 3)
    expectPrintable(output.text + errors.text, ["world"])
  }
}
