import NearbyOctets

/// One message of a stream between two peers, without its payload.
///
/// | octets | |
/// |---|---|
/// | 0 | the kind |
/// | 1 to 8 | number of the message in its direction, from 0, big-endian |
/// | 9 to 16 | octets that the sender has consumed of the other direction, big-endian |
/// | 17 and on | the payload, of `data` only |
package struct RelayFrame: Equatable, Sendable {
  package enum Kind: UInt8, Equatable, Sendable, CaseIterable {
    /// Asks for a stream; its reply subject is the asking side's.
    case open = 1
    /// The answer to `open`.
    case accept = 2
    case data = 3
    /// Only tells what was consumed.
    case credit = 4
    /// The last one: nothing follows, and nothing is read any more.
    case end = 5
  }

  package static let headerOctets = 17

  package let kind: Kind
  package let number: UInt64
  package let consumed: UInt64

  package init(_ kind: Kind, number: UInt64, consumed: UInt64) {
    self.kind = kind
    self.number = number
    self.consumed = consumed
  }

  package func write(to octets: inout [UInt8]) {
    octets.append(kind.rawValue)
    octets.append(bigEndian: number)
    octets.append(bigEndian: consumed)
  }

  package var octets: [UInt8] {
    var octets: [UInt8] = []
    write(to: &octets)
    return octets
  }

  /// Parses a message; its payload follows the header.
  ///
  /// - Throws: `.short`, `.kind`, or `.payload` if one follows that the kind does not have.
  package init(parsing octets: some RandomAccessCollection<UInt8>) throws(RelayFailure) {
    guard octets.count >= Self.headerOctets else { throw .short(count: octets.count) }
    let header = [UInt8](octets.prefix(Self.headerOctets))
    guard let kind = Kind(rawValue: header[0]) else { throw .kind(header[0]) }
    guard kind == .data || octets.count == Self.headerOctets else { throw .payload(kind) }
    self.kind = kind
    number = UInt64(bigEndianOctets: header[1..<9])
    consumed = UInt64(bigEndianOctets: header[9..<17])
  }
}

/// Why a stream broke.
package enum RelayFailure: Error, Equatable, Sendable {
  /// A message has fewer octets than a header.
  case short(count: Int)
  case kind(UInt8)
  case payload(RelayFrame.Kind)
  /// Messages were lost, or somebody else wrote into the stream.
  case gap(expected: UInt64, found: UInt64)
  /// The other side sent more than it was allowed, or confirms what was not sent.
  case window
  /// Nobody listens on the other side.
  case nobodyListens
  /// The message cannot be sent.
  case unreachable
}
