/// Why a request to the bus failed.
package enum BusError: Error, Equatable, Sendable {
  /// The connection was closed or never established.
  case closed
  /// No reply before the deadline.
  case timedOut
  /// The other side replied with an error.
  case refused(name: String, text: String)
  /// A message is unreadable or does not have its documented type.
  case malformed
  /// A value of ours is not valid on the bus.
  case unencodable
  case system(call: String, errno: Int32)

  /// The name of the error that the other side replied with.
  package var name: String? {
    if case .refused(let name, _) = self { name } else { nil }
  }
}
