import Foundation
import NearbyDevice
import Synchronization
import TestSupport
import Testing

@Suite("Questions on a terminal", .ownThreads)
struct TerminalQuestionsTests {
  /// A terminal at which the test plays the user.
  private final class Terminal: Sendable {
    let program: Int32
    let person: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      (program, person) = (ends[0], ends[1])
    }

    deinit {
      close(program)
      close(person)
    }

    func write(_ text: String) {
      let octets = Array(text.utf8)
      _ = octets.withUnsafeBytes { Foundation.write(person, $0.baseAddress, $0.count) }
    }

    /// The terminal's output up to a text. Waits for it on another thread.
    func read(until end: String) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [person] in
          var text: [UInt8] = []
          var octet: UInt8 = 0
          while Foundation.read(person, &octet, 1) == 1 {
            text.append(octet)
            if text.suffix(end.utf8.count).elementsEqual(end.utf8) { break }
          }
          continuation.resume(returning: String(decoding: text, as: UTF8.self))
        }
      }
    }
  }

  private static func questions(_ terminal: Terminal?, preset: Bool? = nil) -> TerminalQuestions {
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
    let terminal = try Terminal()
    terminal.write(line)
    #expect(await Self.ask(Self.questions(terminal)) == expected)
    #expect(await terminal.read(until: "[n]o? ") == "Come in? [y]es, [n]o? ")
  }

  @Test("Any other answer repeats the question")
  func again() async throws {
    let terminal = try Terminal()
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
    let terminal = try Terminal()
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

  @Test("A closed terminal means no")
  func hangUp() async throws {
    let terminal = try Terminal()
    shutdown(terminal.person, Int32(SHUT_WR))
    #expect(await Self.ask(Self.questions(terminal)) == false)
  }
}
