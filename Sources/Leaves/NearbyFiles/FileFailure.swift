import Foundation

/// A system call about a file that failed.
package struct FileFailure: Error, Equatable, Sendable {
  package let call: String
  package let path: String
  /// As `errno`.
  package let number: Int32

  package init(call: String, path: String, number: Int32) {
    self.call = call
    self.path = path
    self.number = number
  }

  /// The system's words for `number`.
  package var reason: String { String(cString: strerror(number)) }

  /// Why something with a file failed, in words.
  package static func reason(_ error: any Error) -> String {
    guard let failure = error as? FileFailure else { return error.localizedDescription }
    return "\(failure.path): \(failure.call): \(failure.reason)"
  }
}
