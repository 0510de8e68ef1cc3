import Dispatch
import Foundation
import NearbyTextForms

/// Asks the user at a terminal, one question at a time.
package final class TerminalQuestions: Sendable {
  /// The terminal that the process was started from.
  package static let shared = TerminalQuestions(
    preset: ProcessInfo.processInfo.environment["NEARBY_INVITATIONS"].flatMap(TerminalQuestions.answer),
    terminal: { FileHandle(forUpdatingAtPath: "/dev/tty") })

  private let preset: Bool?
  private let terminal: @Sendable () -> FileHandle?
  private let queue = DispatchQueue(label: "swift-nearby.questions")
  /// Milliseconds between checks whether the open question was withdrawn.
  private static let pollMilliseconds: Int32 = 200

  /// - Parameters:
  ///   - preset: An answer to all questions, which are then not shown.
  ///   - terminal: Opens the terminal; returns `nil` if the process has no terminal.
  package init(preset: Bool?, terminal: @escaping @Sendable () -> FileHandle?) {
    self.preset = preset
    self.terminal = terminal
  }

  /// Parses `y`, `yes`, `n`, `no` and the values of `NEARBY_INVITATIONS`; `nil` for anything else.
  package static func answer(_ text: some StringProtocol) -> Bool? {
    switch text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
    case "y", "yes", "accept": true
    case "n", "no", "decline": false
    default: nil
    }
  }

  /// Asks once earlier questions are answered. Without a terminal, or if it closes, the answer is no.
  package func ask(_ question: PersonQuestion) {
    queue.async { [self] in
      guard question.isOpen else { return }
      if let preset { return question.answer(preset) }
      guard let terminal = terminal() else {
        Notice.write("nobody to ask: set NEARBY_INVITATIONS to accept or decline")
        return question.answer(false)
      }
      ask(question, on: terminal)
    }
  }

  /// Waits until every earlier question is answered or withdrawn.
  package func finish() { queue.sync {} }

  private func ask(_ question: PersonQuestion, on terminal: FileHandle) {
    let prompt = PrintableText.name(question.text, limit: 1024) + question.hint
    Self.write(prompt, to: terminal)
    var line: [UInt8] = []
    while question.isOpen {
      var poller = pollfd(fd: terminal.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, Self.pollMilliseconds) > 0 else { continue }
      guard let octets = Self.read(terminal) else { return question.answer(false) }
      line += octets
      guard line.contains(UInt8(ascii: "\n")) else { continue }
      if question.answer(line: String(decoding: line, as: UTF8.self)) { return }
      line = []
      Self.write(prompt, to: terminal)
    }
    Self.write("\n(nobody waits for the answer any more)\n", to: terminal)
  }

  // These use the descriptor, because Foundation's methods trap when a terminal hangs up.

  /// Reads what was typed; `nil` if the terminal closed.
  package static func read(_ terminal: FileHandle) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = Foundation.read(terminal.fileDescriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  package static func write(_ text: String, to terminal: FileHandle) {
    StandardStream.write(Array(text.utf8), to: terminal.fileDescriptor)
  }
}
