/// Cuts messages into packets.
package struct UCISegmenter: Hashable, Sendable {
  /// What a data packet takes until the controller's capabilities are known.
  package static let defaultDataPayload = 255
  /// What a control packet takes.
  package static let controlPayload = 255

  /// Octets of payload in one data packet, 1 to 65535.
  package let maximumDataPayload: Int

  package init(maximumDataPayload: Int = UCISegmenter.defaultDataPayload) {
    self.maximumDataPayload = Swift.min(Swift.max(maximumDataPayload, 1), Int(UInt16.max))
  }

  /// Appends the packets of a message, one behind the other.
  package func write(_ message: UCIRawMessage, to output: inout [UInt8]) {
    forEachSegment(message) { header, octets in
      header.write(to: &output)
      output.append(contentsOf: octets)
    }
  }

  /// The packets of a message, each an array of its own.
  package func packets(_ message: UCIRawMessage) -> [[UInt8]] {
    var result: [[UInt8]] = []
    forEachSegment(message) { header, octets in
      var packet: [UInt8] = []
      packet.reserveCapacity(UCIPacketHeader.size + octets.count)
      header.write(to: &packet)
      packet.append(contentsOf: octets)
      result.append(packet)
    }
    return result
  }

  private func forEachSegment(
    _ message: UCIRawMessage, _ body: (UCIPacketHeader, ArraySlice<UInt8>) -> Void
  ) {
    let limit = message.type.isControl ? Self.controlPayload : maximumDataPayload
    var rest = message.payload[...]
    // An empty payload is still one packet.
    repeat {
      let octets = rest.prefix(limit)
      rest = rest.dropFirst(limit)
      let header = UCIPacketHeader(
        type: message.type, id: message.id, payloadLength: octets.count, hasMoreSegments: !rest.isEmpty)
      body(header, octets)
    } while !rest.isEmpty
  }
}
