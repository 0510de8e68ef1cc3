import NearbyUCI

/// Splits a stream of octets into UCI packets. Octets that cannot start a packet are skipped.
struct PacketCutter: Sendable {
  /// Twice the longest packet: a data packet has a 16-bit length (`UCIPacketHeader`). A stream that leaves
  /// more than this is not UCI and is discarded.
  private static let limit = 1 << 17
  private var pending: [UInt8] = []

  /// Returns the packets that `octets` complete.
  mutating func packets(_ octets: [UInt8]) -> [[UInt8]] {
    pending += octets
    var packets: [[UInt8]] = []
    var start = 0
    while pending.count - start >= UCIPacketHeader.size {
      let header = pending[start..<start + UCIPacketHeader.size].span
      guard let read = try? UCIPacketHeader(parsing: header) else {
        start += 1
        continue
      }
      let end = start + UCIPacketHeader.size + read.payloadLength
      guard end <= pending.count else { break }
      packets.append(Array(pending[start..<end]))
      start = end
    }
    pending.removeFirst(start)
    if pending.count > Self.limit { pending = [] }
    return packets
  }
}
