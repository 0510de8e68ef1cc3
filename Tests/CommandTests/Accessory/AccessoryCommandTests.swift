import Foundation
import NearbyAccessory
import NearbyCommandLine
import NearbyDevice
import Synchronization
import Testing

@testable import nearby

@Suite("nearby accessory")
struct AccessoryCommandTests {
  @Test("Near and far are each reported once per crossing, with hysteresis, and again for a forgotten phone")
  func trigger() {
    var trigger = NearTrigger(within: 1.5)
    let (one, two) = (AccessoryPhone(number: 1), AccessoryPhone(number: 2))
    let course: [(Double?, NearTrigger.Change?)] = [
      (3, nil), (1.6, nil), (1.5, .near), (1.2, nil), (nil, nil), (1.7, nil), (1.85, nil), (1.4, nil),
      (1.95, .far), (1.6, nil), (1.4, .near), (4, .far),
    ]
    for (step, (distance, change)) in course.enumerated() {
      let got = trigger.measured(one, distance: distance)
      #expect(got == change, "step \(step)")
    }
    let second = trigger.measured(two, distance: 1)
    #expect(second == .near)
    let ends = [one, one, AccessoryPhone(number: 3)].map { trigger.forget($0) }
    #expect(ends == [true, false, false])
    let again = trigger.measured(one, distance: 1)
    #expect(again == .near)
  }

  @Test("Events are printed as lines, or as JSON with time, phone and identifier")
  func text() {
    let phone = AccessoryPhone(number: 3)
    let reading = AccessoryReading(
      phone: phone, time: .seconds(1), distance: 1.234, sigma: 0.05, direction: nil)
    let who = #""phone":"phone 3","id":"ID""#
    let events: [(Accessory.Event, String, String)] = [
      (
        .ready(configurationData: Data([1, 0xAB])), "ready, configuration data 01ab",
        #"{"t":1.500,"event":"ready","data":"01ab"}"#
      ),
      (.connected(phone), "phone 3: connected, ID", #"{"t":1.500,"event":"connected",\#(who)}"#),
      (
        .measured(reading), "phone 3: 1.23 m",
        #"{"t":1.500,"event":"measured",\#(who),"distance":1.234,"sigma":0.050,"authorized":false}"#
      ),
      (
        .stopped(phone, .silence), "phone 3: stopped, silence",
        #"{"t":1.500,"event":"stopped",\#(who),"reason":"silence"}"#
      ),
      (
        .refused(phone, .notInitialised), "phone 3: refused, notInitialised",
        #"{"t":1.500,"event":"refused",\#(who),"reason":"notInitialised"}"#
      ),
    ]
    let time = Duration.milliseconds(1500)
    let (plain, json) = (text(isJSON: false), text(isJSON: true))
    for (event, line, object) in events {
      #expect(plain.line(event, at: time) == line)
      #expect(json.line(event, at: time) == object)
    }
    #expect(plain.line(.near, reading, at: time) == "phone 3: near, 1.23 m")
    #expect(
      json.line(.far, reading, at: time)
        == #"{"t":1.500,"event":"far",\#(who),"distance":1.234,"authorized":false}"#)
    #expect(plain.goneLine(phone, at: time) == "phone 3: gone")
    #expect(json.goneLine(phone, at: time) == #"{"t":1.500,"event":"gone",\#(who)}"#)
  }

  private func text(isJSON: Bool, marksStrangers: Bool = false) -> AccessoryText {
    var text = AccessoryText(isJSON: isJSON, marksStrangers: marksStrangers)
    text.identifier = { _ in "ID" }
    return text
  }

  @Test("Invalid options end with the usage code and a message")
  func usage() {
    for words in [
      ["accessory", "--on-near", "true", "--within", "0"],
      ["accessory", "--role", "boss"], ["accessory", "extra"], ["accessory", "--ask"],
      ["accessory", "--anyone"],
      ["accessory", "--on-near", "true", "--ask", "--anyone"], ["accessory", "--allow", "nobody"],
      ["accessory", "--on-near", "true", "--pair", "0"],
    ] {
      let (context, _, errors) = CommandContext.recording()
      #expect(NearbyCommand.run(words, in: context) == .usage, "\(words)")
      #expect(!errors.text.isEmpty)
    }
  }

  private func access(_ words: [String]) throws -> AccessoryAccess {
    guard
      case .run(_, let arguments) = try ArgumentParser(root: CommandTable.root).parse(["accessory"] + words)
    else { throw CommandError.badData("no call") }
    return try AccessoryAccess(arguments)
  }

  private func reading(isAuthorized: Bool, at distance: Double = 1) -> AccessoryReading {
    AccessoryReading(
      phone: AccessoryPhone(number: 1), time: .zero, distance: distance, sigma: nil, direction: nil,
      isAuthorized: isAuthorized)
  }

  @Test("Commands run for paired phones only, unless the options admit others")
  func rules() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("allow-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let (one, two) = (UUID(), UUID())
    try Data("# the family\n\(one.uuidString)  # Ann\n\n".utf8).write(to: file)
    let near = ["--on-near", "true"]
    #expect(try access([]).ofProfile == .everyone)
    #expect(try access(near).ofProfile == .paired)
    #expect(try access(near + ["--pair", "60"]).pairingTime == .seconds(60))
    #expect(
      try access(near + ["--allow", file.path, "--allow", two.uuidString]).ofProfile == .listed([one, two]))
    #expect(try access(near + ["--ask"]).rule == .asked)
    #expect(try access(["--on-far", "true"]).ofProfile == .paired)
    #expect(try access(["--on-gone", "true", "--anyone"]).ofProfile == .everyone)
    for words in [near, near + ["--ask"], near + ["--allow", file.path]] {
      let access = try access(words)
      #expect(
        access.covers(reading(isAuthorized: true)), "\(words)"
      )
      #expect(
        !access.covers(reading(isAuthorized: false)), "\(words)"
      )
    }
    let anyone = try access(near + ["--anyone"])
    #expect(anyone.ofProfile == .everyone)
    #expect(anyone.covers(reading(isAuthorized: false)))
    try Data("\(one.uuidString)\nAnn\u{1B}[2J\n".utf8).write(to: file)
    #expect(throws: UsageError.self) { try access(near + ["--allow", file.path]) }
  }

  @Test("Lines mark phones that are not authorized")
  func strangers() {
    let text = text(isJSON: false, marksStrangers: true)
    let (stranger, friend) = (reading(isAuthorized: false), reading(isAuthorized: true))
    #expect(text.line(.measured(stranger), at: .zero) == "phone 1: 1.00 m, not authorized")
    #expect(text.line(.near, stranger, at: .zero) == "phone 1: near, 1.00 m, not authorized")
    #expect(text.line(.measured(friend), at: .zero) == "phone 1: 1.00 m")
  }

  @Test("The user is asked once about a near phone that is not authorized, and only with --ask")
  func asking() {
    let asked = Mutex(0)
    let questions = TerminalQuestions(preset: nil) {
      asked.withLock { $0 += 1 }
      return nil
    }
    let admitted = Mutex<[AccessoryPhone]>([])
    var doorman = AccessoryDoorman(isAsking: true, questions: questions)
    for distance in [3.0, 1, 1, 0.5] {
      doorman.ask(reading(isAuthorized: false, at: distance), within: 1.5) { phone in
        admitted.withLock { $0.append(phone) }
      }
    }
    questions.finish()
    #expect(asked.withLock { $0 } == 1)
    // Without a terminal the answer is no.
    #expect(admitted.withLock { $0 } == [])
    let yes = TerminalQuestions(preset: true) { nil }
    var open = AccessoryDoorman(isAsking: true, questions: yes)
    open.ask(reading(isAuthorized: false), within: 1.5) { phone in admitted.withLock { $0.append(phone) } }
    yes.finish()
    #expect(admitted.withLock { $0 } == [AccessoryPhone(number: 1)])
    open.withdraw(.disconnected(AccessoryPhone(number: 1)))
    var nobody = AccessoryDoorman(isAsking: false, questions: yes)
    nobody.ask(reading(isAuthorized: false), within: 1.5) { phone in admitted.withLock { $0.append(phone) } }
    yes.finish()
    #expect(admitted.withLock { $0.count } == 1)
  }
}
