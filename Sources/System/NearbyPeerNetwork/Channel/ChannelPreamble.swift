import NearbyOctets

/// The first octets that each side sends on a channel, once it has decided about the other.
///
/// | octets | |
/// |---|---|
/// | 0–3 | `NRBY`; the first octet differs from TLS's, so that a listener can distinguish them |
/// | 4 | version, 1 |
/// | 5 | 0 accepts; otherwise the reason for the refusal (``NetworkError/Refusal``) |
/// | 6–7 | UDP port for datagrams, big-endian; 0 for none |
package struct ChannelPreamble: Equatable, Sendable {
  package static let magic: [UInt8] = Array("NRBY".utf8)
  package static let version: UInt8 = 1
  package static let count = 8

  package enum Verdict: Equatable, Sendable { case accepted, refused(NetworkError.Refusal) }

  package var verdict: Verdict
  package var datagramPort: UInt16

  package init(_ verdict: Verdict, datagramPort: UInt16 = 0) {
    self.verdict = verdict
    self.datagramPort = datagramPort
  }

  /// - Throws: `.refused(.otherProtocol)` if this is not a preamble, `.refused(.version)` for another
  ///   version.
  package init(parsing octets: Span<UInt8>) throws(NetworkError) {
    guard octets.count == Self.count, (0..<4).allSatisfy({ octets[$0] == Self.magic[$0] }) else {
      throw .refused(.otherProtocol)
    }
    guard octets[4] == Self.version else { throw .refused(.version) }
    if octets[5] == 0 {
      verdict = .accepted
    } else {
      // An unknown reason is a refusal all the same.
      verdict = .refused(NetworkError.Refusal(rawValue: octets[5]) ?? .otherProtocol)
    }
    datagramPort = octets.bigEndian(at: 6)
  }

  package func write(to octets: inout [UInt8]) {
    octets += Self.magic
    octets.append(Self.version)
    switch verdict {
    case .accepted: octets.append(0)
    case .refused(let reason): octets.append(reason.rawValue)
    }
    octets.append(bigEndian: datagramPort)
  }
}
