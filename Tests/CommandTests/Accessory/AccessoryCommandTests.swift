import Foundation
import NearbyAccessory
import NearbyCommandLine
import NearbyDevice
import Synchronization
import Testing

@testable import nearby

@Suite("nearby accessory")
struct AccessoryCommandTests {
  @Test("A phone that comes near is told once, and again when it has been away")
  func trigger() {
    var trigger = NearTrigger(within: 1.5)
    let (one, two) = (AccessoryPhone(number: 1), AccessoryPhone(number: 2))
    let course: [(Double?, Bool)] = [
      (3, false), (1.6, false), (1.5, true), (1.2, false), (nil, false), (1.7, false), (1.4, false),
      (2, false),
      (1.4, true),
    ]
    for (step, (distance, isNear)) in course.enumerated() {
      #expect(trigger.take(one, distance: distance) == isNear, "step \(step)")
    }
    let isSecondNear = trigger.take(two, distance: 1)
    #expect(isSecondNear)
    trigger.forget(one)
    let isNearAgain = trigger.take(one, distance: 1)
    #expect(isNearAgain)
  }

  @Test("Events are lines, or JSON with the same words")
  func text() {
    let phone = AccessoryPhone(number: 3)
    let reading = AccessoryReading(
      phone: phone, time: .seconds(1), distance: 1.234, sigma: 0.05, direction: nil)
    let events: [(Accessory.Event, String, String)] = [
      (
        .ready(configurationData: Data([1, 0xAB])), "ready: phones are told 01ab",
        #"{"event":"ready","data":"01ab"}"#
      ),
      (.connected(phone), "phone 3: connected", #"{"event":"connected","phone":"phone 3"}"#),
      (
        .measured(reading), "phone 3: 1.23 m",
        #"{"event":"measured","phone":"phone 3","distance":1.234,"sigma":0.050,"authorized":false}"#
      ),
      (
        .stopped(phone, .silence), "phone 3: stopped, silence",
        #"{"event":"stopped","phone":"phone 3","reason":"silence"}"#
      ),
      (
        .refused(phone, .notInitialised), "phone 3: refused, notInitialised",
        #"{"event":"refused","phone":"phone 3","reason":"notInitialised"}"#
      ),
    ]
    for (event, plain, json) in events {
      #expect(AccessoryText(isJSON: false).line(event) == plain)
      #expect(AccessoryText(isJSON: true).line(event) == json)
    }
  }

  @Test("What cannot be meant is said, with the usage code")
  func usage() {
    for words in [
      ["accessory", "--within", "2"], ["accessory", "--on-near", "true", "--within", "0"],
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

  @Test("A command runs for paired phones only, unless the call says for whom else")
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

  @Test("Lines say of whom nothing may be done, and by what a phone is listed")
  func strangers() {
    let text = AccessoryText(isJSON: false, marksStrangers: true) { _ in "ID" }
    #expect(text.line(.measured(reading(isAuthorized: false))) == "phone 1: 1.00 m, not authorized")
    #expect(text.line(.measured(reading(isAuthorized: true))) == "phone 1: 1.00 m")
    #expect(text.line(.connected(AccessoryPhone(number: 1))) == "phone 1: connected, ID")
  }

  @Test("The person at the terminal is asked once about a phone that is near, and no longer once it is gone")
  func asking() {
    let asked = Mutex(0)
    let questions = TerminalQuestions(preset: nil) {
      asked.withLock { $0 += 1 }
      return nil
    }
    let admitted = Mutex<[AccessoryPhone]>([])
    var doorman = AccessoryDoorman(isAsking: true, questions: questions)
    for distance in [3.0, 1, 1, 0.5] {
      doorman.meet(reading(isAuthorized: false, at: distance), within: 1.5) { phone in
        admitted.withLock { $0.append(phone) }
      }
    }
    questions.finish()
    #expect(asked.withLock { $0 } == 1)
    // Without a terminal the answer is no.
    #expect(admitted.withLock { $0 } == [])
    let yes = TerminalQuestions(preset: true) { nil }
    var open = AccessoryDoorman(isAsking: true, questions: yes)
    open.meet(reading(isAuthorized: false), within: 1.5) { phone in admitted.withLock { $0.append(phone) } }
    yes.finish()
    #expect(admitted.withLock { $0 } == [AccessoryPhone(number: 1)])
    open.follow(.disconnected(AccessoryPhone(number: 1)))
    var nobody = AccessoryDoorman(isAsking: false, questions: yes)
    nobody.meet(reading(isAuthorized: false), within: 1.5) { phone in admitted.withLock { $0.append(phone) } }
    yes.finish()
    #expect(admitted.withLock { $0.count } == 1)
  }
}
