import Dispatch
import Foundation
import NearbyCommandLine
import NearbyRadioLinks
import NearbyUCI
import Synchronization
import TestSupport
import Testing

@testable import nearby

@Suite("nearby chip and nearby radio", .ownThreads)
struct RadioCommandTests {
  @Test("The chip command serves until it is interrupted, and exits with success")
  func chipEnds() throws {
    let (chip, _) = try chips()
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
    #expect(chip.output.all.isEmpty)
  }

  @Test("radio info prints a chip's identity and capabilities, as text and as JSON", arguments: ["1", "2"])
  func info(dialect: String) throws {
    let (chip, radio) = try chips(["--dialect", dialect])
    let human = RunningCommand(["radio", "info"], environment: ["NEARBY_RADIO": radio])
    #expect(human.end() == .success)
    #expect(human.output.all.hasPrefix("radio                 \(radio)\n"))
    #expect(human.output.all.contains(/uci +/))
    #expect(human.output.all.contains("channels              5, 6, 8, 9, 10, 12, 13, 14\n"))
    let json = RunningCommand(["radio", "info", "--radio", radio, "--json"])
    #expect(json.end() == .success)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.all.utf8)) as? [String: Any])
    #expect((object["uci"] as? String)?.hasPrefix("\(dialect).") == true)
    #expect(object["capability_numbering"] as? String == (dialect == "1" ? "1.x" : "2.0"))
    #expect(object["measures_azimuth"] as? Bool == true)
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test(
    "Two commands range with each other",
    arguments: [
      [], ["--key", "000102030405060708090a0b0c0d0e0f", "--channel", "5", "--preamble", "11"],
    ])
  func range(options: [String]) throws {
    let (chip, radio) = try chips(["--spacing", "3"])
    let common = ["radio", "range", "--radio", radio, "--interval", "60", "--json"] + options
    let responder = RunningCommand(common + ["--role", "responder", "--address", "2", "--peer", "1"])
    let initiator = RunningCommand(common + ["--peer", "2", "--address", "0x0001", "--count", "8"])
    #expect(initiator.end() == .success)
    responder.endAfterInitiator()
    let ranges = initiator.output.all.matches(of: /"status":"OK","range":(\d\.\d+)/).compactMap {
      Double($0.output.1)
    }
    #expect(ranges.count >= 5)
    #expect(ranges.allSatisfy { (2.5...3.5).contains($0) })
    let keys = [
      "azimuth", "distance", "elevation", "nlos", "peer", "range", "round", "rssi", "sigma", "status", "t",
    ]
    for line in initiator.output.all.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?.keys.sorted() == keys)
    }
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test(
    "A chip on a serial device is brought up like one on TCP",
    .enabled(if: PseudoTerminal.isAvailable, "no pseudo-terminals here: mount /dev/pts"),
    arguments: ["", "@3000000"])
  func serial(baud: String) throws {
    let (chip, radio) = try chips()
    guard case .tcp(let host, let port) = try RadioAddress(radio) else { return }
    let terminal = try PseudoTerminal()
    // Keep the device open, so that both sides of the pair exist from the first octet on.
    let holder = open(terminal.device, O_RDWR | O_NOCTTY)
    defer { close(holder) }
    let chipSide = DescriptorLink(
      descriptor: try TCPSockets.connect(host: host, port: port, timeout: .seconds(5)))
    let terminalSide = DescriptorLink(descriptor: terminal.controller)
    // Switch to raw mode before the chip's first octets arrive, because a cooked terminal would echo them.
    close(try SerialPort.open(device: terminal.device, baud: 115_200))
    chipSide.start(onReceive: { try? terminalSide.send($0) }, onClose: { _ in })
    terminalSide.start(onReceive: { try? chipSide.send($0) }, onClose: { _ in })
    let info = RunningCommand(["radio", "info", "--radio", "serial:\(terminal.device)\(baud)", "--json"])
    #expect(info.end() == .success)
    #expect(info.output.all.contains("\"radio\":\"serial:\(terminal.device)@"))
    #expect(info.output.all.contains("\"uci\":\"2.0.0\""))
    chipSide.close()
    terminalSide.close()
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("A scenario's chips are where its devices are, and there is one for each device")
  func scenarioPlaces() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("nearby-chip-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let text = """
      { devices: [ { name: "a", motion: { stand: [0, 0] } },
        { name: "b", motion: { stand: [0, 7] }, facing: { device: "a" } } ] }
      """
    try Data(text.utf8).write(to: file)
    let (chip, radio) = try chips(["--scenario", file.path])
    let common = ["radio", "range", "--radio", radio, "--interval", "60", "--json"]
    let responder = RunningCommand(common + ["--role", "responder", "--address", "2", "--peer", "1"])
    #expect(chip.errors.first(/chip 0 connected at place 0/) != nil)
    let initiator = RunningCommand(common + ["--peer", "2"])
    // A single range may be a reflection's; the median of nine is not.
    let ranges = initiator.output.first(9, /"status":"OK","range":(\d+\.\d+)/)
      .compactMap { Double($0.1) }.sorted()
    try #require(ranges.count == 9)
    #expect((6.5...7.5).contains(ranges[4]), "\(ranges)")
    let third = RunningCommand(["radio", "info", "--radio", radio])
    #expect(third.end() == .unavailable)
    #expect(chip.errors.first(/connection refused: all/) != nil)
    initiator.interrupt.raise()
    #expect(initiator.end() == .success, "\(initiator.errors.all)")
    responder.endAfterInitiator()
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("--record writes measurements and camera poses, which replay and locate read")
  func record() throws {
    let folder = try TemporaryFolder()
    // A device that walks past for four seconds.
    let poses = (0..<200).map { "\(Double($0) / 50) \(Double($0) / 50) 0 0 0 0 0 1" }.joined(separator: "\n")
    let camera = "file:" + (try folder.write(poses + "\n", to: "poses.tum"))
    let out = folder.url.appendingPathComponent("recording").path
    let (chip, radio) = try chips(["--spacing", "3"])
    let common = ["radio", "range", "--radio", radio, "--interval", "60"]
    let responder = RunningCommand(common + ["--role", "responder", "--address", "2", "--peer", "1"])
    let initiator = RunningCommand(
      common + ["--peer", "2", "--count", "25", "--record", out], environment: ["NEARBY_CAMERA": camera])
    #expect(initiator.end() == .success, "\(initiator.errors.all)")
    #expect(initiator.errors.all.contains("\(out): "), "\(initiator.errors.all)")
    let replay = RunningCommand(["replay", out, "--summary"])
    #expect(replay.end() == .success, "\(replay.errors.all)")
    let locate = RunningCommand(["locate", out, "--json"])
    #expect(locate.end() == .success, "\(locate.errors.all)")
    #expect(locate.output.all.contains(#""object":"0x0002""#), "\(locate.output.all)")
    let again = RunningCommand(common + ["--peer", "2", "--count", "1", "--record", out])
    #expect(again.end() == .inputOutput)
    responder.endAfterInitiator()
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("An initiator with two peers ranges with one, and names the status of the other, which is silent")
  func oneToMany() throws {
    let (chip, radio) = try chips()
    let common = ["radio", "range", "--radio", radio, "--interval", "100"]
    let second = RunningCommand(common + ["--role", "responder", "--address", "2", "--peer", "1"])
    let initiator = RunningCommand(common + ["--peer", "2", "--peer", "3"])
    #expect(initiator.output.first(/0x0003  RANGING_RX_TIMEOUT/) != nil)
    #expect(initiator.output.first(/0x0002 +\d\.\d\d m/) != nil)
    initiator.interrupt.raise()
    #expect(initiator.end() == .success)
    second.endAfterInitiator()
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("An interrupt before --count is reached ends with the code for interrupted")
  func interrupted() throws {
    let (chip, radio) = try chips()
    let ranging = RunningCommand(["radio", "range", "--radio", radio, "--peer", "2", "--count", "1000"])
    #expect(ranging.output.first(/RANGING_RX_TIMEOUT/) != nil)
    ranging.interrupt.raise()
    #expect(ranging.end() == .interrupted)
    #expect(ranging.errors.all.isEmpty)
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("It is an error if no round gives a distance", arguments: [["--count", "3"], ["--seconds", "1"]])
  func noDistance(limit: [String]) throws {
    let (chip, radio) = try chips()
    let ranging = RunningCommand(["radio", "range", "--radio", radio, "--peer", "2"] + limit)
    #expect(ranging.end() == .unavailable)
    #expect(ranging.errors.all.hasPrefix("nearby: \(radio): no round gave a distance"))
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("A session that the chip refuses is reported by one error")
  func refused() throws {
    let (chip, radio) = try chips()
    let ranging = RunningCommand(["radio", "range", "--radio", radio, "--peer", "2", "--interval", "1"])
    #expect(ranging.end() == .unavailable)
    #expect(ranging.output.all.isEmpty)
    #expect(ranging.errors.all.hasPrefix("nearby: \(radio): the session could not be started: it refused "))
    #expect(ranging.errors.all.split(separator: "\n").count == 1)
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("A chip that disconnects is reported by one error")
  func vanished() throws {
    let (chip, radio) = try chips()
    let ranging = RunningCommand(["radio", "range", "--radio", radio, "--peer", "2"])
    #expect(ranging.output.first(/RANGING_RX_TIMEOUT/) != nil)
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
    #expect(ranging.end() == .unavailable)
    #expect(ranging.errors.all == "nearby: \(radio): the other side closed the link\n")
  }

  @Test("A chip that floods its host delays neither --seconds nor the interrupt", arguments: [true, false])
  func flood(hasLimit: Bool) throws {
    let (chip, radio) = try chips()
    let proxy = try FloodingProxy(to: radio)
    let words = ["radio", "range", "--radio", proxy.radio, "--peer", "2"]
    let ranging = RunningCommand(words + (hasLimit ? ["--seconds", "3"] : []))
    if !hasLimit {
      // Measurements still arrive between the notifications of the flood.
      #expect(ranging.output.first(/RANGING_RX_TIMEOUT/) != nil, "\(ranging.errors.all)")
      ranging.interrupt.raise()
    }
    // With a limit, it is an error that no round gave a distance.
    #expect(ranging.end() == (hasLimit ? .unavailable : .success), "\(ranging.errors.all)")
    #expect(proxy.flooded > 0)
    proxy.close()
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test("A link that is reset while the chip sends is reported by one error")
  func resetLink() throws {
    let (chip, radio) = try chips()
    let proxy = try FloodingProxy(to: radio)
    let ranging = RunningCommand(["radio", "range", "--radio", proxy.radio, "--peer", "2"])
    #expect(ranging.output.first(/RANGING_RX_TIMEOUT/) != nil, "\(ranging.errors.all)")
    proxy.reset()
    #expect(ranging.end() == .unavailable)
    #expect(ranging.errors.all.hasSuffix(": the other side closed the link\n"))
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
  }

  @Test(
    "Invalid options are reported with the reason",
    arguments: [
      (["range", "--radio", "tcp:h:1"], "missing option: --peer ADDRESS"),
      (
        ["range", "--radio", "x", "--peer", "2"],
        "--radio: found 'x', expected tcp:HOST:PORT or serial:DEVICE[@BAUD]"
      ),
      (["range", "--peer", "2"], "missing option: --radio tcp:HOST:PORT or serial:DEVICE[@BAUD]"),
      (["range", "--peer", "1", "--address", "1"], "--peer and --address must differ"),
      (["range", "--peer", "2", "--peer", "2"], "--peer: expected up to 8 different addresses"),
      (
        ["range", "--role", "responder", "--peer", "2", "--peer", "3"],
        "a responder needs exactly one --peer, its initiator"
      ),
      (["range", "--peer", "70000"], "--peer: found '70000', expected a number from 0x0000 to 0xffff"),
      (["range", "--peer", "2", "--key", "00"], "--key: found '00', expected 32 or 64 hexadecimal digits"),
      (
        ["range", "--peer", "2", "--channel", "7"],
        "--channel: found '7', expected 5, 6, 8, 9, 10, 12, 13 or 14"
      ),
    ])
  func wrongOptions(words: [String], message: String) {
    let (context, _, errors) = CommandContext.recording()
    #expect(NearbyCommand.run(["radio"] + words, in: context) == .usage)
    #expect(errors.text.hasPrefix("nearby: \(message)\n"))
  }

  @Test("A port in use and a missing serial device are unavailable")
  func unavailable() throws {
    let (chip, radio) = try chips()
    let port = radio.split(separator: ":").last.map(String.init) ?? ""
    let second = RunningCommand(["chip", "--listen", "127.0.0.1:\(port)"])
    #expect(second.end() == .unavailable)
    #expect(
      second.errors.all
        == "nearby: can't listen: 127.0.0.1:\(port) is in use by another program; choose another port, or 0 for a free one\n"
    )
    chip.interrupt.raise()
    #expect(chip.end() == .success, "\(chip.errors.all)")
    let info = RunningCommand(["radio", "info", "--radio", "serial:/dev/no-such-radio"])
    #expect(info.end() == .unavailable)
    #expect(info.errors.all.hasSuffix("open: No such file or directory\n"))
  }
}
