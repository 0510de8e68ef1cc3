import Dispatch
import Foundation

/// Keeps the user's answer for a program between its runs, and asks where there is none.
///
/// The answers stand in one JSON file, an object of program name to answer.
package struct PermissionStore: Sendable {
  private let file: URL
  private let program: String
  private let asker: @Sendable (_ program: String) -> Permission
  private static let queue = DispatchQueue(label: "swift-nearby.permission")

  /// - Parameter asker: Asks the user, blocking; called on a queue of its own.
  package init(
    file: URL, program: String, asker: @escaping @Sendable (_ program: String) -> Permission
  ) {
    self.file = file
    self.program = program
    self.asker = asker
  }

  /// The stored answer; `notDetermined` where there is none, or the file cannot be read.
  package var answer: Permission { answers[program] ?? .notDetermined }

  private var answers: [String: Permission] {
    guard let data = try? Data(contentsOf: file) else { return [:] }
    return (try? JSONDecoder().decode([String: Permission].self, from: data)) ?? [:]
  }

  func ask(_ completion: @escaping @Sendable (Permission) -> Void) {
    Self.queue.async { completion(asker(program)) }
  }

  /// Stores an answer; one that holds until the next launch only, and none, are forgotten.
  package func store(_ permission: Permission) {
    Self.queue.async {
      var answers = answers
      answers[program] = permission == .allowed || permission == .denied ? permission : nil
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      do {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try encoder.encode(answers).write(to: file, options: .atomic)
      } catch {
        Notice.write("cannot store the answer in \(file.path): \(error.localizedDescription)")
      }
    }
  }

  /// Waits until what was stored is on disk.
  package static func flush() { queue.sync {} }
}

/// What the library tells a person, on standard error.
enum Notice {
  static func write(_ text: String) {
    FileHandle.standardError.write(Data("swift-nearby: \(text)\n".utf8))
  }
}
