import CNearbyWSlay

/// One message to browsers, encoded as a WebSocket frame. It is encoded once and can be sent to any number of
/// browsers.
package struct WebMessage: Sendable {
  /// Empty if encoding ran out of memory; nothing is sent then.
  let frame: [UInt8]

  package init(_ text: String) {
    var text = text
    frame = text.withUTF8 { Self.frame($0) }
  }

  private static func frame(_ payload: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + 10)
    withUnsafeMutablePointer(to: &frame) { pointer in
      var callbacks = wslay_frame_callbacks()
      callbacks.send_callback = { octets, count, _, frame in
        frame?.assumingMemoryBound(to: [UInt8].self).pointee
          .append(contentsOf: UnsafeBufferPointer(start: octets, count: count))
        return count
      }
      var context: wslay_frame_context_ptr?
      guard wslay_frame_context_init(&context, &callbacks, pointer) == 0, let context else { return }
      defer { wslay_frame_context_free(context) }
      var part = wslay_frame_iocb()
      part.fin = 1
      part.opcode = UInt8(WSLAY_TEXT_FRAME.rawValue)
      part.payload_length = UInt64(payload.count)
      part.data = payload.baseAddress
      part.data_length = payload.count
      wslay_frame_send(context, &part)
    }
    return frame
  }
}
