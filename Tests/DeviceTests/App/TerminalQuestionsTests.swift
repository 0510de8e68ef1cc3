import Foundation
import NearbyDevice
import Synchronization
import TestSupport
import Testing

@Suite("Questions on a terminal", .ownThreads)
struct TerminalQuestionsTests {
  private static func questions(_ terminal: TestTerminal?, preset: Bool? = nil) -> TerminalQuestions {
    TerminalQuestions(preset: preset) { terminal.map { FileHandle(fileDescriptor: $0.program) } }
  }

  /// The answer to a question.
  private static func ask(_ questions: TerminalQuestions) async -> Bool {
    await withCheckedContinuation { continuation in
      questions.ask(PersonQuestion("Come in?") { continuation.resume(returning: $0) })
    }
  }

  @Test(
    "A line with yes or no, in full or short, answers the question",
    arguments: [("y\n", true), ("Yes\n", true), ("n\n", false), ("no\n", false), (" Y \n", true)])
  func lines(line: String, expected: Bool) async throws {
    let terminal = try #require(TestTerminal())
    terminal.write(line)
    #expect(await Self.ask(Self.questions(terminal)) == expected)
    #expect(await terminal.read(until: "[n]o? ") == "Come in? [y]es, [n]o? ")
  }

  @Test("Any other answer repeats the question")
  func again() async throws {
    let terminal = try #require(TestTerminal())
    async let answer = Self.ask(Self.questions(terminal))
    _ = await terminal.read(until: "[n]o? ")
    terminal.write("perhaps\n")
    _ = await terminal.read(until: "[n]o? ")
    terminal.write("y")
    terminal.write("es\n")
    #expect(await answer)
  }

  @Test("Without a terminal the answer is no, and a preset answer is used without asking")
  func nobody() async {
    #expect(await Self.ask(Self.questions(nil)) == false)
    #expect(await Self.ask(Self.questions(nil, preset: true)))
    #expect(await Self.ask(Self.questions(nil, preset: false)) == false)
    #expect(["accept", "decline", "", "x"].map(TerminalQuestions.answer) == [true, false, nil, nil])
  }

  @Test("Withdrawing a question lets the next one be asked")
  func withdrawn() async throws {
    let terminal = try #require(TestTerminal())
    let questions = Self.questions(terminal)
    let first = PersonQuestion("First?") { _ in Issue.record("a withdrawn question was answered") }
    questions.ask(first)
    _ = await terminal.read(until: "[n]o? ")
    async let second = Self.ask(questions)
    first.withdraw()
    #expect(!first.isOpen)
    #expect(await terminal.read(until: "Come in? ").contains("nobody waits"))
    terminal.write("y\n")
    #expect(await second)
  }

  /// The answer to a question for a line of text; the outer `nil` means that it was left without one.
  private static func askForLine(_ questions: TerminalQuestions) async -> String? {
    await withCheckedContinuation { continuation in
      questions.ask(PersonQuestion(forLine: "Name") { continuation.resume(returning: $0) })
    }
  }

  @Test(
    "A question for a line takes what was typed, also an empty line or yes",
    arguments: ["Desk lamp", "", "yes"])
  func text(line: String) async throws {
    let terminal = try #require(TestTerminal())
    terminal.write("  \(line) \n")
    #expect(await Self.askForLine(Self.questions(terminal)) == line)
    #expect(await terminal.read(until: ": ") == "Name: ")
  }

  @Test(
    "Without a terminal, or with a preset answer, a question for a line has no answer",
    arguments: [nil, true, false])
  func noText(preset: Bool?) async {
    #expect(await Self.askForLine(Self.questions(nil, preset: preset)) == nil)
  }

  @Test("A closed terminal means no")
  func hangUp() async throws {
    let terminal = try #require(TestTerminal())
    shutdown(terminal.person, Int32(SHUT_WR))
    #expect(await Self.ask(Self.questions(terminal)) == false)
  }
}
