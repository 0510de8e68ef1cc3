import NearbyOctets

/// A complete message, reassembled but with its payload not parsed yet.
package struct UCIRawMessage: Hashable, Sendable {
  package var type: UCIPacketHeader.MessageType
  /// Group and opcode. In data messages the group holds the data packet format.
  package var id: UCIMessageID
  package var payload: [UInt8]

  package init(type: UCIPacketHeader.MessageType, id: UCIMessageID, payload: [UInt8]) {
    self.type = type
    self.id = id
    self.payload = payload
  }

  /// Parses one unsegmented packet.
  ///
  /// - Throws: `truncated` if octets are missing, `leftover` if there are too many, `implausible` if the
  ///   message type is 6 or 7.
  package init(packet: [UInt8]) throws(UCIError) {
    var input = UCICursor(packet.span)
    let header = try UCIPacketHeader(parsing: &input)
    let payload = try input.takeOctets(header.payloadLength, .payload)
    try input.requireEnd()
    self.init(type: header.type, id: header.id, payload: payload)
  }
}
