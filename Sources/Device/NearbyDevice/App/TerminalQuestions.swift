import Dispatch
import Foundation
import NearbyTextForms

/// Asks the person at a terminal, one question at a time.
package final class TerminalQuestions: Sendable {
  /// The terminal that the process was started from.
  package static let shared = TerminalQuestions(
    preset: ProcessInfo.processInfo.environment["NEARBY_INVITATIONS"].flatMap(TerminalQuestions.answer),
    terminal: { FileHandle(forUpdatingAtPath: "/dev/tty") })

  private let preset: Bool?
  private let terminal: @Sendable () -> FileHandle?
  private let queue = DispatchQueue(label: "swift-nearby.questions")
  /// How often it is looked whether a question was withdrawn, milliseconds.
  private static let look: Int32 = 200

  /// - Parameters:
  ///   - preset: Answers everything, where it is known before.
  ///   - terminal: Opens the terminal; `nil` where there is none.
  package init(preset: Bool?, terminal: @escaping @Sendable () -> FileHandle?) {
    self.preset = preset
    self.terminal = terminal
  }

  /// `y` and `n`, the words and what `NEARBY_INVITATIONS` says; `nil` for anything else.
  package static func answer(_ text: some StringProtocol) -> Bool? {
    switch text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
    case "y", "yes", "accept": true
    case "n", "no", "decline": false
    default: nil
    }
  }

  /// Asks behind the questions that are open. Without a terminal, and where it ends, the answer is no.
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

  /// Waits until every question asked before is answered or withdrawn.
  package func finish() { queue.sync {} }

  private func ask(_ question: PersonQuestion, on terminal: FileHandle) {
    let prompt = "\(PrintableText.name(question.text, limit: 1024)) [y]es, [n]o? "
    Self.write(prompt, to: terminal)
    var line: [UInt8] = []
    while question.isOpen {
      var poller = pollfd(fd: terminal.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, Self.look) > 0 else { continue }
      guard let octets = Self.read(terminal) else { return question.answer(false) }
      line += octets
      guard line.contains(UInt8(ascii: "\n")) else { continue }
      if let answer = Self.answer(String(decoding: line, as: UTF8.self)) { return question.answer(answer) }
      line = []
      Self.write(prompt, to: terminal)
    }
    Self.write("\n(nobody waits for the answer any more)\n", to: terminal)
  }

  // By descriptor: Foundation's calls stop the process when a terminal hangs up.

  /// What was typed; `nil` when nobody is there any more.
  package static func read(_ terminal: FileHandle) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = Foundation.read(terminal.fileDescriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  package static func write(_ text: String, to terminal: FileHandle) {
    StandardStream.write(Array(text.utf8), to: terminal.fileDescriptor)
  }
}
