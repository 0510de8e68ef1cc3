import Glibc
import NearbyEventLoop

/// Why something of the network does not come about, or ended.
package enum NetworkError: Error, Equatable, Sendable {
  /// The text is no address: what was found, what was expected in its place.
  case badAddress(found: String, expected: String)
  /// There is no address to connect to.
  case noAddress
  /// What was waited for did not happen within the time.
  case timedOut(Phase)
  /// The other side refused the channel and said why.
  case refusedByPeer(Refusal)
  /// This side refused the channel.
  case refused(Refusal)
  /// The other side ended the channel; not cleanly where it was cut off instead of closed.
  case closedByPeer(isClean: Bool)
  /// The TLS library gave up, with its own reason.
  case secureLayer(reason: String)
  /// A key, certificate or container cannot be used: what is wrong with it.
  case badIdentity(String)
  /// More octets wait than the channel may hold: the other side does not read.
  case congested(limit: Int)
  /// The channel is not open, or no longer.
  case notOpen
  /// A datagram is larger than the path carries.
  case tooLarge(limit: Int)
  /// The datagrams' association is not there yet, or not any more.
  case noDatagrams
  /// A service's name, type or text breaks a rule of DNS-SD: which.
  case badService(String)
  /// The DNS-SD library failed, with its own reason.
  case discovery(call: String, reason: String)
  /// A call of the system failed.
  case system(call: String, errno: Int32)

  /// An address was reached, and no program listens there.
  package static let nobodyListens = NetworkError.system(call: "connect", errno: ECONNREFUSED)

  /// What can take too long.
  package enum Phase: Equatable, Sendable { case connecting, handshake, decision, otherSide }

  /// Why a channel is refused; what is said on the wire.
  package enum Refusal: UInt8, Equatable, Sendable, CaseIterable {
    /// Whoever decides about certificates said no.
    case certificate = 1
    /// Nobody decided about the certificate in time.
    case undecided = 2
    /// This side takes encrypted channels only.
    case plainText = 3
    /// What came is no protocol of ours.
    case otherProtocol = 4
    /// The protocol is ours in a version that is not.
    case version = 5
    /// Too many channels, or too many attempts from that address.
    case crowded = 6
    /// The channel leads back to its own key.
    case ownKey = 7
  }
}

extension NetworkError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badAddress(let found, let expected): "found '\(found)', expected \(expected)"
    case .noAddress: "no address to connect to"
    case .timedOut(let phase): "took too long: \(phase)"
    case .refusedByPeer(let refusal): "the other side refused: \(refusal)"
    case .refused(let refusal): "refused: \(refusal)"
    case .closedByPeer(let isClean): isClean ? "the other side closed" : "the connection was cut"
    case .secureLayer(let reason): "TLS: \(reason)"
    case .badIdentity(let detail): "identity: \(detail)"
    case .congested(let limit): "the other side does not read; \(limit) octets wait"
    case .notOpen: "the channel is not open"
    case .tooLarge(let limit): "a datagram may have \(limit) octets"
    case .noDatagrams: "datagrams do not get through yet"
    case .badService(let detail): "service: \(detail)"
    case .discovery(let call, let reason): "\(call): \(reason)"
    case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
    }
  }
}

extension NetworkError {
  init(_ error: EventLoopError) { self = .system(call: error.call, errno: error.errno) }
}

extension EventLoop {
  /// `watch` with the network's own error.
  func watchSocket(
    _ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void
  ) throws(NetworkError) {
    do throws(EventLoopError) {
      try watch(descriptor, for: readiness, ready)
    } catch {
      throw NetworkError(error)
    }
  }
}
