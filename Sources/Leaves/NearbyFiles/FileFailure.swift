import Foundation

/// A failed system call on a file.
package struct FileFailure: Error, Equatable, Sendable {
  package let call: String
  package let path: String
  /// The value of `errno`.
  package let number: Int32

  package init(call: String, path: String, number: Int32) {
    self.call = call
    self.path = path
    self.number = number
  }

  /// The system's message for `number`.
  package var reason: String { String(cString: strerror(number)) }

  /// A description of any error from a file operation.
  package static func reason(_ error: any Error) -> String {
    guard let failure = error as? FileFailure else { return error.localizedDescription }
    return "\(failure.path): \(failure.call): \(failure.reason)"
  }
}
