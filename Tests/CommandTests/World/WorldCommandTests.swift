import Foundation
import NearbyCommandLine
import TestSupport
import Testing

@testable import nearby

/// Runs the world's commands in their own processes.
@Suite(
  "nearby world, nearby record, nearby demo world", .ownThreads,
  .enabled(if: ProgramRun.command != nil, "the command is not built"))
struct WorldCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A world that listens, and its port.
  private func world(_ words: [String] = []) throws -> (run: ProgramRun, port: String) {
    let run = try ProgramRun(["world", "--listen", "127.0.0.1:0", "--token", "secret"] + words, in: folder)
    return (run, try #require(port(in: run, behind: "listening on 127.0.0.1:"), "\(run.text)"))
  }

  private func port(in run: ProgramRun, behind words: String) -> String? {
    guard let line = run.line(with: words) else { return nil }
    return run.all[line - 1].split(separator: ":").last.map(String.init)
  }

  private func join(_ port: String, as name: String) throws -> ProgramRun {
    try ProgramRun(
      ["cerca", "--json"], in: folder,
      environment: ["NEARBY_WORLD": "127.0.0.1:\(port)", "NEARBY_DEVICE": name, "NEARBY_TOKEN": "secret"])
  }

  private var pair: String {
    """
    { devices: [
      { name: "ann", motion: { walk: [[0, 0], [3, 0], [3, 2]], speed: 1, loop: true } },
      { name: "ben", motion: { stand: [1, 4] }, facing: { device: "ann" } },
    ] }
    """
  }

  /// Processes that were started with this test's folder as their home.
  private var descendants: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.filter { number in
      guard Int32(number) != nil, let data = FileManager.default.contents(atPath: "/proc/\(number)/environ")
      else { return false }
      return String(decoding: data, as: UTF8.self).contains("HOME=\(folder.url.path)\0")
    }
  }

  @Test("Two processes in a world range, and replay and locate read a recording of one")
  func recording() throws {
    let (world, port) = try world([try folder.write(pair, to: "pair.json")])
    let (ann, ben) = (try join(port, as: "ann"), try join(port, as: "ben"))
    for run in [ann, ben] { #expect(run.line(with: #""state":"near""#) != nil, "\(run.text)") }
    let out = folder.url.appendingPathComponent("recording").path
    let record = try ProgramRun(
      [
        "record", "--world", "127.0.0.1:\(port)", "--device", "ann", "--token", "secret", "--out", out,
        "--seconds", "5",
      ], in: folder)
    #expect(record.end() == 0, "\(record.text)")
    let replay = try ProgramRun(["replay", out, "--summary"], in: folder)
    #expect(replay.end() == 0, "\(replay.text)")
    let locate = try ProgramRun(["locate", out, "--json"], in: folder)
    #expect(locate.end() == 0, "\(locate.text)")
    #expect(locate.all.contains { $0.contains(#""object":"ben""#) }, "\(locate.text)")
    for run in [ann, ben, world] {
      run.signal(SIGINT)
      #expect(run.end() == 0, "\(run.text)")
    }
  }

  @Test("Recording an unknown device, or with a wrong token, is refused with the reason")
  func refusedRecording() throws {
    let (world, port) = try world([try folder.write(pair, to: "pair.json")])
    let out = folder.url.appendingPathComponent("recording").path
    func record(_ token: String, _ device: String) throws -> ProgramRun {
      try ProgramRun(
        ["record", "--world", "127.0.0.1:\(port)", "--device", device, "--token", token, "--out", out],
        in: folder)
    }
    let lost = try record("secret", "nobody")
    #expect(lost.end() == 69)
    #expect(lost.text.contains("there are: ann, ben"), "\(lost.text)")
    let stranger = try record("guess", "ann")
    #expect(stranger.end() == 69)
    #expect(stranger.text.contains("wrong token"), "\(stranger.text)")
    #expect(!FileManager.default.fileExists(atPath: out))
    _ = world
  }

  @Test("A world resumes from its state file, including devices that were created by joining")
  func state() throws {
    let file = folder.url.appendingPathComponent("state.json").path
    let (first, port) = try world([try folder.write(pair, to: "pair.json"), "--state", file])
    let carl = try join(port, as: "carl")
    #expect(first.line(with: "carl joined") != nil, "\(first.text)")
    carl.signal(SIGINT)
    #expect(first.line(with: "carl left") != nil, "\(first.text)")
    first.signal(SIGINT)
    #expect(first.end() == 0, "\(first.text)")
    let (second, next) = try world(["--state", file])
    let record = try ProgramRun(
      [
        "record", "--world", "127.0.0.1:\(next)", "--device", "nobody", "--token", "secret", "--out",
        folder.url.appendingPathComponent("recording").path,
      ], in: folder)
    #expect(record.end() == 69)
    #expect(record.text.contains("there are: ann, ben, carl"), "\(record.text)")
    second.signal(SIGTERM)
    #expect(second.end() == 0, "\(second.text)")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
    let third = try ProgramRun(["world", "--listen", "127.0.0.1:0", "--state", file], in: folder)
    #expect(third.end() == 65)
    #expect(third.text.contains("expected a saved world"), "\(third.text)")
  }

  @Test("A second process with the same name exits with 69 and names the holder; the first is unaffected")
  func heldDevice() throws {
    let (world, port) = try world()
    let first = try join(port, as: "anna")
    #expect(world.line(with: "anna joined") != nil, "\(world.text)")
    let second = try join(port, as: "anna")
    #expect(second.end() == 69, "\(second.text)")
    #expect(second.text.contains("anna is held by nearby, pid \(first.processID)"), "\(second.text)")
    #expect(!world.text.contains("anna left"), "\(world.text)")
    // A killed process frees its device immediately.
    first.signal(SIGKILL)
    let third = try join(port, as: "anna")
    let left = try #require(world.line(with: "anna left"), "\(world.text)")
    #expect(world.line(from: left, with: "anna joined") != nil, "\(world.text)")
    _ = third
  }

  @Test("The state file is up to date when a world is killed or its terminal is closed")
  func killedWorld() throws {
    let file = folder.url.appendingPathComponent("state.json").path
    let (first, port) = try world(["--state", file])
    let carl = try join(port, as: "carl")
    #expect(first.line(with: "carl joined") != nil, "\(first.text)")
    #expect(try holds(file, "carl"))
    first.signal(SIGKILL)
    let (second, next) = try world(["--state", file])
    let dora = try join(next, as: "dora")
    #expect(second.line(with: "dora joined") != nil, "\(second.text)")
    second.signal(SIGHUP)
    #expect(second.end() == 0, "\(second.text)")
    #expect(try holds(file, "dora"))
    #expect(try holds(file, "carl"))
    _ = (carl, dora)
  }

  /// Blocks until a file has this text; false after a minute.
  private func holds(_ file: String, _ text: String) throws -> Bool {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    return try FolderWatch(folder).wait {
      String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self).contains(text)
    }
  }

  @Test("A state file that can't be read or written is an error at the start, and is not changed")
  func badState() throws {
    let broken = try folder.write("no world", to: "broken.json")
    for (path, code, words) in [
      (broken, Int32(65), "expected a saved world"), ("/nowhere/state.json", 74, "no folder /nowhere"),
      (folder.url.path, 66, "a folder"),
    ] {
      let run = try ProgramRun(["world", "--listen", "127.0.0.1:0", "--state", path], in: folder)
      #expect(run.end() == code, "\(run.text)")
      #expect(run.text.contains(words), "\(run.text)")
    }
    #expect(FileManager.default.contents(atPath: broken) == Data("no world".utf8))
  }

  @Test("It says that programs keep real time, also in its help")
  func realTime() throws {
    let (world, _) = try world()
    #expect(world.line(with: "programs that join keep real time") != nil, "\(world.text)")
    world.signal(SIGINT)
    #expect(world.end() == 0, "\(world.text)")
    let help = try ProgramRun(["world", "--help"], in: folder)
    #expect(help.end() == 0)
    #expect(help.text.contains("Programs keep real time"), "\(help.text)")
  }

  @Test("It prints the command line that joins as a device that is still free")
  func joinLine() throws {
    let file = try folder.write(pair, to: "pair.json")
    for (words, device) in [
      ([file], "ann"), ([file, "--run", "ann=sleep 60"], "ben"), ([], "Anna"),
    ] {
      let (world, port) = try world(words)
      let line = "to join: NEARBY_WORLD=127.0.0.1:\(port) NEARBY_TOKEN=secret NEARBY_DEVICE=\(device) ./app"
      #expect(world.line(with: line) != nil, "\(world.text)")
      world.signal(SIGINT)
      #expect(world.end() == 0, "\(world.text)")
    }
    #expect(ShellText.quoted("it's me") == #"'it'\''s me'"#)
  }

  @Test("The error for a port in use names its option", arguments: ["--uci", "--http", "--listen"])
  func portOfOption(option: String) throws {
    let (holder, taken) = try world()
    let own = option == "--listen" ? [] : ["--listen", "127.0.0.1:0"]
    let run = try ProgramRun(["world", option, "127.0.0.1:\(taken)"] + own, in: folder)
    #expect(run.end() == 69)
    let line = try #require(run.all.last)
    #expect(line.contains(option) && line.contains("127.0.0.1:\(taken) is in use"), "\(run.text)")
    #expect(!line.contains("7100") && !line.contains(":0 "), "\(run.text)")
    withExtendedLifetime(holder) {}
  }

  @Test("The error for an invalid state file says what was expected and what to do")
  func stateWords() throws {
    for (text, words) in [
      ("{}", "expected a saved world, but 'version' is missing"),
      (#"{"version":"x"}"#, "expected a saved world, but 'version' has the wrong type"),
      ("[", "expected a saved world, found other data"),
    ] {
      let file = try folder.write(text, to: "odd.json")
      let run = try ProgramRun(["world", "--listen", "127.0.0.1:0", "--state", file], in: folder)
      #expect(run.end() == 65)
      #expect(
        run.text == "nearby: \(file): \(words). Use another file, or delete this one to start a new world")
    }
  }

  @Test("A scenario over a limit is refused, and the error states the limit")
  func largeScenario() throws {
    let device = { (number: Int) in "{ name: 'd\(number)', motion: { stand: [0, \(number)] } }" }
    let many = try folder.write(
      "{ devices: [\((0..<1200).map(device).joined(separator: ","))] }", to: "many.json")
    let run = try ProgramRun(["world", "--listen", "127.0.0.1:0", many], in: folder)
    #expect(run.end() == 65)
    #expect(run.text.contains("has 1200 devices, but the limit is 1000"), "\(run.text)")
    let huge = folder.url.appendingPathComponent("huge.json").path
    _ = FileManager.default.createFile(atPath: huge, contents: nil)
    truncate(huge, 2 << 30)
    let second = try ProgramRun(["world", "--listen", "127.0.0.1:0", huge], in: folder)
    #expect(second.end() == 65)
    #expect(second.text.contains("a scenario file may have at most 33554432"), "\(second.text)")
  }

  @Test(
    "All checks of a foreign UCI host pass on a world's UCI port", .tags(.slow),
    .needs(.python3))
  func foreignHost() throws {
    // The devices stand in a row and face each other, because some checks need angles.
    let devices = (1...8).map { number in
      "{ name: 'uci-\(number)', motion: { stand: [0, \(2 * number)] }, "
        + "facing: { device: 'uci-\(number == 1 ? 2 : 1)' } },"
    }
    let scenario = try folder.write("{ devices: [\(devices.joined(separator: "\n"))] }", to: "row.json")
    let (world, _) = try world([scenario, "--uci", "127.0.0.1:0", "--limit", "40"])
    let port = try #require(self.port(in: world, behind: "UCI on 127.0.0.1:"), "\(world.text)")
    let (status, text) = try ForeignHostTests.run("uci_host.py", [port, "2"])
    #expect(status == 0, "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.count > 20, "\(text)")
    #expect(lines.allSatisfy { $0.hasPrefix("ok") }, "\(text)")
    world.signal(SIGINT)
    #expect(world.end() == 0)
  }

  @Test("The demo's two processes range, and the demo ends by itself without leaving processes")
  func demo() throws {
    let demo = try ProgramRun(["demo", "world", "--seconds", "6", "--json"], in: folder)
    #expect(demo.end() == 0, "\(demo.text)")
    #expect(demo.text.contains("page: http://127.0.0.1:"))
    for name in ["Anna", "Ben"] {
      #expect(demo.all.contains { $0.contains(#""name":"\#(name)","state":"near""#) }, "\(demo.text)")
    }
    #expect(descendants.isEmpty)
  }

  @Test(
    "An interrupt ends the demo with 130, or 0 without a time limit, and leaves no processes",
    arguments: [true, false])
  func demoInterrupted(hasLength: Bool) throws {
    let demo = try ProgramRun(
      ["demo", "world", "--json"] + (hasLength ? ["--seconds", "100"] : []), in: folder)
    for name in ["Anna", "Ben"] {
      #expect(demo.line(with: #""name":"\#(name)","state":"near""#, "distance") != nil, "\(demo.text)")
    }
    demo.signal(SIGINT)
    #expect(demo.end() == (hasLength ? 130 : 0), "\(demo.text)")
    #expect(descendants.isEmpty)
  }

  @Test("--listen and --http on a port in use exit with 69 and say so", arguments: [false, true])
  func pageOnTakenPort(_ isWorldPort: Bool) throws {
    let (holder, taken) = try world()
    let words = isWorldPort ? ["--listen", "127.0.0.1:\(taken)"] : ["--listen", "127.0.0.1:0"]
    let run = try ProgramRun(
      ["world", "--token", "secret"] + words + (isWorldPort ? [] : ["--http", "127.0.0.1:\(taken)"]),
      in: folder)
    #expect(run.end() == 69)
    #expect(run.text.contains("127.0.0.1:\(taken) is in use by another program"), "\(run.text)")
    withExtendedLifetime(holder) {}
  }

  @Test(
    "Listening on an unusable address is an error with the reason",
    arguments: [
      (
        ["world", "--listen", "127.0.0.1:0", "--http", "192.0.2.1:8080"],
        "192.0.2.1 is not an address of this machine"
      ),
      (["world", "--listen", "127.0.0.1:0", "--http", "no-such-name.invalid:0"], "no address for host"),
      (["world", "--listen", "192.0.2.1:0"], "192.0.2.1 is not an address of this machine"),
      (
        ["world", "--listen", "127.0.0.1:0", "--uci", "192.0.2.1:0"],
        "192.0.2.1 is not an address of this machine"
      ),
      (["world", "--listen", "127.0.0.1:0", "--http", "0.0.0.0:0", "--token", ""], "a loopback address"),
      (["chip", "--listen", "192.0.2.1:0"], "192.0.2.1 is not an address of this machine"),
      (["chip", "--listen", "no-such-name.invalid:0"], "no address for host"),
    ])
  func foreignAddress(_ words: [String], _ sentence: String) throws {
    let run = try ProgramRun(words, in: folder)
    #expect(run.end() == 69)
    #expect(run.text.contains(sentence), "\(run.text)")
  }

  @Test(
    "Too little address space for threads is an error, not a hang",
    .enabled(if: !Sanitizers.isActive, "Sanitizers need more address space than this leaves."),
    arguments: ["world", "chip"])
  func addressSpace(_ command: String) throws {
    let run = try ProgramRun(
      [command, "--listen", "127.0.0.1:0"], in: folder,
      wrapper: ["/bin/sh", "-c", "ulimit -v 400000 && exec \"$0\" \"$@\""])
    #expect(run.end() == 69)
    #expect(run.text.contains("ulimit -v"), "\(run.text)")
  }
}
