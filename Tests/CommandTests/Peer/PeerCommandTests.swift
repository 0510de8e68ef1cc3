import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import NearbyTextForms
import TestSupport
import Testing

@testable import nearby

@Suite("nearby peer: options")
struct PeerCommandTests {
  private func run(_ words: [String]) -> (code: ExitCode, output: String, errors: String) {
    let (context, output, errors) = CommandContext.recording()
    let code = NearbyCommand.run(["peer"] + words, in: context)
    return (code, output.text, errors.text)
  }

  @Test(
    "Invalid options end with the usage code, a message and no output",
    arguments: [
      (["browse"], "missing option: --type TYPE"),
      (["browse", "--type", "_cerca._tcp"], "--type: found '_cerca._tcp', expected 1 to 15 of a-z"),
      (["browse", "--type", "a-name-of-sixteen"], "--type: found"),
      (["chat", "--type", "x", "--name", ""], "--name: found '', expected a name of 1 to 63 octets"),
      (["advertise", "--type", "x", "--info", "room"], "--info: found 'room', expected KEY=VALUE"),
      (["advertise", "--type", "x", "--info", "=12"], "--info: found '=12', expected KEY=VALUE"),
      (["advertise", "--type", "x", "--info", "a=1", "--info", "a=2"], "--info: found 'a=2'"),
      (["advertise", "--type", "x", "--info", "~id=1"], "--info: found '~id=1'"),
      (
        ["chat", "--type", "x", "--accept", "all", "--accept", "Ann"],
        "--accept: all and none can't be combined"
      ),
      (
        ["chat", "--type", "x", "--invite", "none", "--invite", "Ann"],
        "--invite: all and none can't be combined"
      ),
      (["browse", "--type", "x", "--encryption", "some"], "expected required, optional or none"),
      (["bench", "--type", "x", "--size", "0"], "--size: found '0', expected a whole number"),
      (["bench", "--type", "x", "--serve", "--to", "Ann"], "--to and --size can't be used with --serve"),
      (["send", "--type", "x"], "missing argument: FILE"),
      (["send", "a", "--type", "x", "--seconds", "-1"], "--seconds: found '-1'"),
    ])
  func usage(words: [String], message: String) {
    let (code, output, errors) = run(words)
    #expect(code == .usage)
    #expect(output.isEmpty)
    #expect(errors.split(separator: "\n").first?.contains(message) == true, "\(errors)")
  }

  @Test("A missing file or folder, and a folder in place of a file, are errors")
  func files() throws {
    let folder = try TemporaryFolder()
    #expect(
      run(["send", "/nowhere", "--type", "x"]).errors == "nearby: /nowhere: No such file or directory\n")
    #expect(run(["send", folder.url.path, "--type", "x"]).code == .noInput)
    #expect(run(["advertise", "--type", "x", "--folder", "/nowhere"]).code == .noInput)
  }

  @Test("Rules cover all peers, none, or those with given names")
  func rules() throws {
    #expect(try PeerRule([], PeerOptions.accept) == .all)
    #expect(try PeerRule(["all"], PeerOptions.accept) == .all)
    #expect(try PeerRule(["none"], PeerOptions.accept) == .nobody)
    #expect(try PeerRule(["Ann", "Ben"], PeerOptions.accept) == .named(["Ann", "Ben"]))
  }

  @Test("Control characters in a peer's text are replaced")
  func printable() {
    #expect(PrintableText.name("a\u{1B}[2Jb\r\nc\u{9B}d\u{202E}e é 👋") == "a�[2Jb��c�d�e é 👋")
  }

  @Test(
    "A peer's file name is reduced to a visible name without folders",
    arguments: [
      ("photo.jpg", "photo.jpg"), ("../../etc/passwd", "passwd"), ("/", "file"), ("", "file"), ("..", "file"),
      (".bashrc", "bashrc"), ("a/\u{301}b", "\u{301}b"), (".\u{301}x", "\u{301}x"), ("a\u{1B}b", "a�b"),
      ("a/", "a"),
      (String(repeating: "é", count: 200), String(repeating: "é", count: 100)),
    ])
  func safeNames(name: String, safe: String) { #expect(ReceivedFiles.safeName(name) == safe) }

  @Test(
    "Received files with the same name are numbered, and none is replaced",
    arguments: [("a", ".txt"), ("Überblick", ".pdf"), ("日本", ".txt"), ("ohne Endung é", "")])
  func keeping(stem: String, ending: String) throws {
    let folder = try TemporaryFolder()
    let inbox = folder.url.appendingPathComponent("inbox")
    try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: false)
    for number in 1...3 {
      let file = try folder.write("\(number)", to: "arrived")
      let result = ReceivedFiles.storeSafely(URL(fileURLWithPath: file), as: stem + ending, in: inbox)
      let name = number == 1 ? stem + ending : "\(stem)-\(number)\(ending)"
      #expect(try result.get().lastPathComponent == name)
      #expect(try String(contentsOf: inbox.appendingPathComponent(name), encoding: .utf8) == "\(number)")
    }
    let missing = folder.url.appendingPathComponent("missing")
    guard case .failure = ReceivedFiles.storeSafely(missing, as: "b", in: inbox) else {
      Issue.record("a missing file was kept")
      return
    }
  }

  @Test("The progress bar shows the progress and fits the terminal")
  func bar() {
    func text(_ done: Int64, columns: Int) -> String {
      ProgressBar.text(done: done, total: 4 << 20, seconds: 2, label: "photo.jpg", columns: columns)
    }
    #expect(text(0, columns: 80).contains("  0 %  0 B"))
    #expect(text(1 << 20, columns: 80).contains(" 25 %  1.0 MiB  512.0 KiB/s  6 s left"))
    #expect(text(4 << 20, columns: 80).contains("100 %  4.0 MiB  2.0 MiB/s"))
    #expect(!text(4 << 20, columns: 80).contains("░"))
    for columns in 0..<120 { #expect(text(3 << 20, columns: columns).count < max(1, columns)) }
  }
}

/// Runs the commands with each other, each in its own process.
@Suite(
  "nearby peer in processes", .tags(.slow), .ownThreads,
  .enabled(if: ProgramRun.command != nil, "the command is not built"))
struct PeerProcessTests {
  private let folder: TemporaryFolder
  /// A service type for this test only, so that tests do not find each other's peers.
  private let type = "t-" + String(UInt32.random(in: .min ... .max), radix: 36)

  init() throws { folder = try TemporaryFolder() }

  private func peer(_ command: String, _ words: [String]) throws -> ProgramRun {
    try ProgramRun(["peer", command, "--type", type] + words, in: folder)
  }

  @Test("An advertised peer is found with its info, and lost when it ends")
  func browsing() throws {
    let browser = try peer("browse", ["--json"])
    let ben = try peer("advertise", ["--name", "Ben", "--info", "room=12", "--info", "a="])
    let found = try #require(
      browser.line(with: #""event":"found","peer":"Ben""#, #""info":{"a":"","room":"12"}"#), "\(browser.text)"
    )
    ben.signal(SIGINT)
    #expect(ben.end() == 0)
    #expect(browser.line(from: found, with: #""event":"lost","peer":"Ben""#) != nil, "\(browser.text)")
    browser.signal(SIGTERM)
    #expect(browser.end() == 0)
  }

  @Test("Two peers that invite each other chat, and lines sent before the end of input are delivered")
  func chatting() throws {
    let ann = try peer("chat", ["--name", "Ann"])
    ann.writeLine("first")
    let ben = try peer("chat", ["--name", "Ben", "--json"])
    #expect(ben.line(with: #""event":"received","peer":"Ann""#, #""text":"first""#) != nil, "\(ben.text)")
    ben.writeLine("one \u{1B}[2J")
    ben.writeLine("two")
    ben.closeInput()
    #expect(ben.end() == 0)
    #expect(ann.line(with: "Ben: one �[2J") != nil, "\(ann.text)")
    #expect(ann.line(with: "Ben: two") != nil, "\(ann.text)")
    #expect(ann.line(with: "not connected with  Ben") != nil, "\(ann.text)")
    ann.signal(SIGINT)
    #expect(ann.end() == 0)
  }

  @Test("A file arrives completely, twice; a declined sender and a missing recipient are errors")
  func sending() throws {
    let inbox = folder.url.appendingPathComponent("inbox")
    try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: false)
    var generator = SeededGenerator(seed: 7)
    let octets = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let file = folder.url.appendingPathComponent("photo.jpg")
    try octets.write(to: file)
    let ben = try peer("advertise", ["--name", "Ben", "--accept", "Ann", "--folder", inbox.path, "--json"])
    for name in ["photo.jpg", "photo-2.jpg"] {
      let ann = try peer("send", [file.path, "--name", "Ann", "--json"])
      #expect(ann.end() == 0, "\(ann.text)")
      #expect(ann.line(with: #""event":"delivered","peer":"Ben","octets":3000000"#) != nil, "\(ann.text)")
      #expect(ben.line(with: #""event":"arrived","peer":"Ann""#, name) != nil, "\(ben.text)")
      #expect(try Data(contentsOf: inbox.appendingPathComponent(name)) == octets)
    }
    let eve = try peer("send", [file.path, "--name", "Eve"])
    #expect(eve.end() == 69)
    #expect(eve.line(with: "nearby: Ben declined the invitation or did not answer") != nil, "\(eve.text)")
    let lost = try peer("send", [file.path, "--to", "Carl", "--seconds", "1"])
    #expect(lost.end() == 69)
    #expect(lost.line(with: "nearby: peer 'Carl' was not found") != nil, "\(lost.text)")
  }

  @Test("The bench measures round trips and messages of each size", arguments: ["required", "none"])
  func bench(encryption: String) throws {
    let server = try peer("bench", ["--serve", "--name", "Server", "--encryption", encryption])
    let client = try peer(
      "bench",
      ["--json", "--each", "200ms", "--size", "64", "--size", "65536", "--encryption", encryption])
    #expect(client.end() == 0, "\(client.text)")
    #expect(client.line(with: #""event":"roundTrip","count":2000"#) != nil, "\(client.text)")
    for size in [64, 65_536] {
      #expect(client.line(with: #""event":"throughput","size":\#(size),"#) != nil, "\(client.text)")
    }
    server.signal(SIGINT)
    #expect(server.end() == 0)
  }
}
