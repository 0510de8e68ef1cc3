import Dispatch
import Foundation
import NearbyDevice
import NearbyDeviceMachine
import NearbyFiles
import NearbyTextForms

/// Stores the user's answer for a program between its runs, and asks the user if no answer is stored.
///
/// All answers are in one JSON file, an object from program name to answer.
package struct PermissionStore: PermissionKeeper {
  private let file: URL
  private let program: String
  private let asker: @Sendable (_ program: String) -> Permission
  private let notice: @Sendable (_ text: String) -> Void
  private static let queue = DispatchQueue(label: "swift-nearby.permission")

  /// - Parameters:
  ///   - asker: Asks the user, blocking; called on a queue of its own.
  ///   - notice: Called with messages for the person who started the program.
  package init(
    file: URL, program: String, asker: @escaping @Sendable (_ program: String) -> Permission,
    notice: @escaping @Sendable (_ text: String) -> Void = Notice.write
  ) {
    self.file = file
    self.program = program
    self.asker = asker
    self.notice = notice
  }

  /// The stored answer, or `notDetermined` if no answer is stored or its text is unknown.
  package var answer: Permission {
    switch answers[program].flatMap(Permission.init) {
    case .allowed: .allowed
    case .denied: .denied
    case .allowedOnce, .notDetermined, nil: .notDetermined
    }
  }

  /// As text, so that another version's answers for other programs are preserved.
  private var answers: [String: String] {
    do {
      return try readAnswers()
    } catch {
      notice("cannot read \(FileFailure.reason(error))")
      return [:]
    }
  }

  /// Throws if the file exists and cannot be read, so that it is not replaced.
  private func readAnswers() throws(FileFailure) -> [String: String] {
    guard let data = try DurableFile.read(file.path) else { return [:] }
    do {
      return try JSONDecoder().decode([String: String].self, from: data)
    } catch {
      notice("\(file.path) must be a JSON object from program name to answer; the next answer replaces it")
      return [:]
    }
  }

  package func ask(_ completion: @escaping @Sendable (Permission) -> Void) {
    Self.queue.async { completion(asker(program)) }
  }

  /// Stores an answer; removes the stored one if the new one ends with the launch or is undetermined.
  package func store(_ permission: Permission) {
    Self.queue.async {
      do {
        try DurableFile.makeFolder(file.deletingLastPathComponent().path)
        // Another program may store its answer at the same time.
        try DurableFile.withLock(on: file.path) {
          var answers = try readAnswers()
          answers[program] = permission == .allowed || permission == .denied ? permission.rawValue : nil
          try DurableFile.replace(file.path, with: DurableFile.json(answers), mode: 0o600)
        }
      } catch {
        notice("cannot store the answer in \(file.path): \(FileFailure.reason(error))")
      }
    }
  }

  /// Waits until everything stored is on disk.
  package static func flush() { queue.sync {} }
}
