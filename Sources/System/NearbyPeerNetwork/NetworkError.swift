import Glibc
import NearbyEventLoop

/// Why something on the network failed or ended.
package enum NetworkError: Error, Equatable, Sendable {
  /// The text is not an address; with what was found, and what was expected instead.
  case badAddress(found: String, expected: String)
  /// There is no address to connect to.
  case noAddress
  /// A phase took longer than allowed.
  case timedOut(Phase)
  /// The other side refused the channel, for this reason.
  case refusedByPeer(Refusal)
  /// This side refused the channel.
  case refused(Refusal)
  /// The other side ended the channel; not cleanly if the connection was cut instead of closed.
  case closedByPeer(isClean: Bool)
  /// The TLS library failed, with its own reason.
  case secureLayer(reason: String)
  /// A key, certificate or container is unusable, for this reason.
  case badIdentity(String)
  /// More octets are queued than allowed, because the other side does not read.
  case congested(limit: Int)
  /// The channel is not open yet, or no longer.
  case notOpen
  /// A datagram is larger than the path allows.
  case tooLarge(limit: Int)
  /// The association for datagrams is not established, or has ended.
  case noDatagrams
  /// A service's name, type or text breaks this rule of DNS-SD.
  case badService(String)
  /// The DNS-SD library failed, with its own reason.
  case discovery(call: String, reason: String)
  /// A system call failed.
  case system(call: String, errno: Int32)

  /// The address was reached, but nothing listens on the port.
  package static let nobodyListens = NetworkError.system(call: "connect", errno: ECONNREFUSED)

  /// Phases that can time out.
  package enum Phase: Equatable, Sendable { case connecting, handshake, decision, otherSide }

  /// Why a channel is refused; the raw value is sent to the other side.
  package enum Refusal: UInt8, Equatable, Sendable, CaseIterable {
    /// The decision about the certificate was negative.
    case certificate = 1
    /// The decision about the certificate took too long.
    case undecided = 2
    /// This side accepts only encrypted channels.
    case plainText = 3
    /// The octets belong to another protocol.
    case otherProtocol = 4
    /// The protocol has an unknown version.
    case version = 5
    /// Too many channels, or too many attempts from that address.
    case crowded = 6
    /// The other side has this side's own key.
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
  /// Does what `watch` does, but throws `NetworkError`.
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
