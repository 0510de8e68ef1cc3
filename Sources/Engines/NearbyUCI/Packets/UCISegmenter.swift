/// Cuts messages into packets.
package struct UCISegmenter: Hashable, Sendable {
  /// The payload limit of data packets until the controller reports its own, in octets.
  package static let defaultDataPayload = 255
  /// The payload limit of control packets, in octets.
  package static let controlPayload = 255

  /// The payload limit of data packets, 1 to 65535 octets.
  package let maximumDataPayload: Int

  package init(maximumDataPayload: Int = UCISegmenter.defaultDataPayload) {
    self.maximumDataPayload = Swift.min(Swift.max(maximumDataPayload, 1), Int(UInt16.max))
  }

  /// Appends all packets of a message, one after the other.
  package func write(_ message: UCIRawMessage, to output: inout [UInt8]) {
    forEachSegment(message) { header, octets in
      header.write(to: &output)
      output.append(contentsOf: octets)
    }
  }

  /// Returns the packets of a message, each in its own array.
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
