/// An invalid frame or message of the world's protocol: the field, its offset and the problem.
package struct WorldProtocolError: Error, Equatable, Sendable, CustomStringConvertible {
  package var field: String
  /// Octets from the start of the stream, or of the message.
  package var offset: Int
  package var problem: String

  package init(field: String, offset: Int, problem: String) {
    self.field = field
    self.offset = offset
    self.problem = problem
  }

  package var description: String { "octet \(offset), \(field): \(problem)" }
}
