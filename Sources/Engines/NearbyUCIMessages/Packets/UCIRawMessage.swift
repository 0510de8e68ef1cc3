import NearbyOctets

/// A whole message after reassembly and before its payload is read.
package struct UCIRawMessage: Hashable, Sendable {
  package var type: UCIPacketHeader.MessageType
  /// Group and opcode; in data messages the group is the data packet format.
  package var id: UCIMessageID
  package var payload: [UInt8]

  package init(type: UCIPacketHeader.MessageType, id: UCIMessageID, payload: [UInt8]) {
    self.type = type
    self.id = id
    self.payload = payload
  }

  /// Reads one unsegmented packet.
  /// - Throws: `truncated` when octets are missing, `leftover` when there are too many.
  package init(packet: [UInt8]) throws(UCIError) {
    var input = UCICursor(packet.span)
    let header = try UCIPacketHeader(parsing: &input)
    let payload = try input.takeOctets(header.payloadLength, .payload)
    try input.requireEnd()
    self.init(type: header.type, id: header.id, payload: payload)
  }
}
