import NearbyOctets
import NearbyUCI

/// Divides a host's octets into messages.
///
/// It also reports each data packet that is not the last one of its message: every packet uses up a credit,
/// so a host waits for the next credit in the middle of a message too.
struct HostStream: Sendable {
  enum Item: Sendable {
    case message(UCIRawMessage)
    case dropped(UCIError)
    /// A data packet of a message to this session, with more packets to follow.
    case dataSegment(UCISessionToken?)
  }

  private var pending: [UInt8] = []
  private var reassembler: UCIReassembler
  private var hasPartialData = false
  private var partialToken: UCISessionToken?

  /// Whether every data packet is a complete message, whatever its segmentation bit says.
  private let hasWholeDataPackets: Bool

  init(maximumMessage: Int, dataTransfer: UCIDialect.DataTransfer) {
    hasWholeDataPackets = dataTransfer == .pica
    reassembler = UCIReassembler(maximumControlSize: maximumMessage, maximumDataSize: 65_552)
  }

  /// Processes a chunk of any size. Memory is bounded by one packet and the reassembler's limits.
  mutating func received(_ octets: [UInt8], _ items: inout [Item]) {
    // Almost every call contains exactly one packet.
    if pending.isEmpty, Self.packetLength(octets[...]) == octets.count {
      process(octets, &items)
      return
    }
    pending.append(contentsOf: octets)
    var start = 0
    while start < pending.count {
      guard let length = Self.packetLength(pending[start...]), start + length <= pending.count else { break }
      if pending[start] < 0xC0 { process(Array(pending[start..<(start + length)]), &items) }
      start += length
    }
    pending.removeFirst(start)
  }

  /// The length of the packet that starts here; 1 if no packet can start here, `nil` if the header is
  /// incomplete.
  private static func packetLength(_ octets: ArraySlice<UInt8>) -> Int? {
    guard let first = octets.first else { return nil }
    guard first < 0xC0 else { return 1 }
    var header = octets.prefix(UCIPacketHeader.size)
    guard header.count == UCIPacketHeader.size else { return nil }
    let high = header.popLast() ?? 0
    let low = header.popLast() ?? 0
    let second = header.popLast() ?? 0
    let type = first >> 5
    let isLong = type == 0 || type > 3 || (type == 3 && second & 0x80 != 0)
    return UCIPacketHeader.size + (isLong ? Int(high) << 8 | Int(low) : Int(high))
  }

  /// Processes one packet. Hosts only send commands and data; other packets are ignored.
  private mutating func process(_ packet: [UInt8], _ items: inout [Item]) {
    guard let type = packet.first.map({ $0 >> 5 }), type <= 1 else { return }
    if type == 0, hasWholeDataPackets {
      let id = UCIMessageID(group: packet[0], opcode: 0)
      let payload = Array(packet.dropFirst(UCIPacketHeader.size))
      items.append(.message(UCIRawMessage(type: .data, id: id, payload: payload)))
      return
    }
    for output in reassembler.received(packet) {
      switch output {
      case .message(let message): items.append(.message(message))
      case .dropped(let error): items.append(.dropped(error))
      }
    }
    guard type == 0 else { return }
    if packet[0] & 0x10 != 0 {
      // Only the first segment contains the session's token.
      if !hasPartialData { partialToken = Self.token(packet) }
      items.append(.dataSegment(partialToken))
      hasPartialData = true
    } else {
      hasPartialData = false
    }
  }

  private static func token(_ packet: [UInt8]) -> UCISessionToken? {
    guard packet.count >= 8 else { return nil }
    return UCISessionToken(packet.span.littleEndian(at: 4))
  }
}
