/// Why a request to the bus came to nothing.
package enum BusError: Error, Equatable, Sendable {
  /// The connection is gone, or was never there.
  case closed
  /// No answer within the time that we give one.
  case timedOut
  /// The other side answered with an error.
  case refused(name: String, text: String)
  /// A message that can't be read, or isn't typed as its documentation says.
  case malformed
  /// A value of ours that the bus doesn't take.
  case unencodable
  case system(call: String, errno: Int32)

  /// Name of the error that the other side answered with.
  package var name: String? {
    if case .refused(let name, _) = self { name } else { nil }
  }
}
