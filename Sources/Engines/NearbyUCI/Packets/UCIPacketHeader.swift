import NearbyOctets

/// The 4-octet header of every UCI packet.
///
/// Source: FiRa UCI Generic Specification 2.0, packet formats.
///
/// ```
///            octet 0         octet 1       octet 2   octet 3
/// bit       7 6 5 4 3 2 1 0 7 6 5 4 3 2 1 0
///          +-----+-+-------+---+-----------+---------+----------------+
/// control  | MT  |P|  GID  | 0 |    OID    |    0    | payload length |
///          +-----+-+-------+---+-----------+---------+----------------+
/// data     | MT  |P|  DPF  |       0       | payload length (u16, LE) |
///          +-----+-+-------+---------------+--------------------------+
/// ```
/// MT is the message type, P the packet boundary flag (PBF), GID the group, OID the opcode, and DPF the
/// data packet format. NXP's chips also send notifications of extended length: they set bit 7 of octet 1,
/// and octets 2 and 3 hold a little-endian length as in data packets.
package struct UCIPacketHeader: Hashable, Sendable {
  /// The message type (MT, 3 bits).
  package enum MessageType: UInt8, Hashable, Sendable {
    case data = 0
    case command = 1
    case response = 2
    case notification = 3
    case testA = 4
    case testB = 5

    /// Whether the header has a group, an opcode and an 8-bit length.
    package var isControl: Bool {
      switch self {
      case .command, .response, .notification: true
      case .data, .testA, .testB: false
      }
    }
  }

  package var type: MessageType
  /// The PBF: whether more segments of this message follow.
  package var hasMoreSegments: Bool
  /// Group and opcode. In data packets the group holds the data packet format and the opcode is 0.
  package var id: UCIMessageID
  /// The number of octets after the header: 0 to 255 in control packets; 0 to 65535 in data packets and in
  /// NXP's notifications of extended length.
  package var payloadLength: Int

  package static let size = 4

  package init(type: MessageType, id: UCIMessageID, payloadLength: Int, hasMoreSegments: Bool = false) {
    self.type = type
    self.hasMoreSegments = hasMoreSegments
    self.id = id
    self.payloadLength = payloadLength
  }

  /// Parses a header.
  ///
  /// - Throws: `truncated` if there are fewer than 4 octets; `implausible` if the message type is 6 or 7.
  package init(parsing packet: Span<UInt8>) throws(UCIError) {
    var input = UCICursor(packet)
    try self.init(parsing: &input)
  }

  @inline(__always)
  init(parsing input: inout UCICursor) throws(UCIError) {
    try input.require(Self.size, .header)
    let head = input.rest
    let (first, second) = (head[0], head[1])
    guard let type = MessageType(rawValue: first &>> 5) else { throw .implausible(octet: first) }
    self.type = type
    hasMoreSegments = first & 0x10 != 0
    let isExtended = type == .notification && second & 0x80 != 0
    if type.isControl && !isExtended {
      payloadLength = Int(head[3])
    } else {
      payloadLength = Int(head.littleEndian(UInt16.self, at: 2))
    }
    id = UCIMessageID(group: first & 0x0F, opcode: type.isControl ? second & 0x3F : 0)
    input.skip(Self.size)
  }

  package func write(to output: inout [UInt8]) {
    output.append(type.rawValue &<< 5 | (hasMoreSegments ? 0x10 : 0) | id.group)
    output.append(type.isControl ? id.opcode : 0)
    if type.isControl {
      output.append(0)
      output.append(UInt8(clamping: payloadLength))
    } else {
      output.append(littleEndian: UInt16(clamping: payloadLength))
    }
  }
}
