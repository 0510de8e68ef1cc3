import NearbyOctets

/// Reassembles complete messages from a stream of octets that arrives in chunks of any size.
///
/// Control and data messages are reassembled separately because their segments may interleave. Memory use
/// is bounded by one packet plus the two size limits for segmented messages. The results do not depend on
/// how the stream is divided into chunks.
package struct UCIReassembler: Sendable {
  /// One result, in stream order.
  package enum Output: Equatable, Sendable {
    case message(UCIRawMessage)
    /// Octets or a partial message that had to be dropped.
    case dropped(UCIError)
  }

  /// The state of one segmented message.
  private enum Partial: Sendable {
    case none
    case gathering(UCIRawMessage)
    /// The message exceeded its size limit; its remaining segments are dropped.
    case discarding(UCIPacketHeader.MessageType, UCIMessageID)
  }

  /// The largest payload, in octets, of a segmented control message.
  package let maximumControlSize: Int
  /// The largest payload, in octets, of a segmented data message.
  package let maximumDataSize: Int

  /// The largest buffer capacity kept for the next packet. A larger buffer is freed after its packet.
  private static let keptCapacity = 4096

  /// The octets of an incomplete packet.
  private var pending: [UInt8] = []
  private var control = Partial.none
  private var data = Partial.none
  /// Whether octets are being skipped until one can start a packet.
  private var isSearching = false

  /// The default limits are not from the specification: they are many times what any message needs, and
  /// small enough to cost little memory.
  package init(maximumControlSize: Int = 16_384, maximumDataSize: Int = 131_072) {
    self.maximumControlSize = maximumControlSize
    self.maximumDataSize = maximumDataSize
  }

  /// Processes the next octets of the stream and returns what they complete.
  package mutating func received(_ octets: [UInt8]) -> [Output] { received(octets.span) }

  /// Processes the next octets of the stream and returns what they complete.
  package mutating func received(_ octets: Span<UInt8>) -> [Output] {
    var output: [Output] = []
    received(octets) { output.append($0) }
    return output
  }

  /// Processes the next octets of the stream and passes each result to `body`, without allocating an array.
  @inline(__always)
  package mutating func received(_ octets: Span<UInt8>, _ body: (Output) -> Void) {
    var input = octets
    while !input.isEmpty {
      if pending.isEmpty, consumeWhole(&input, body) { continue }
      gather(&input, body)
    }
  }

  /// Discards all partial packets and messages, because a new link starts a new stream.
  package mutating func reset() {
    pending = []
    control = .none
    data = .none
    isSearching = false
  }

  /// Consumes one packet that lies entirely in `input`, or skips one octet that cannot start a packet.
  ///
  /// - Returns: `false` if `input` holds only part of a packet.
  private mutating func consumeWhole(_ input: inout Span<UInt8>, _ body: (Output) -> Void) -> Bool {
    guard input[0] < 0xC0 else {
      // The length of types 6 and 7 is unknown. Report each run of skipped octets only once, so that the
      // division into chunks makes no difference.
      if !isSearching { body(.dropped(.implausible(octet: input[0]))) }
      isSearching = true
      input = input.extracting(droppingFirst: 1)
      return true
    }
    isSearching = false
    var cursor = UCICursor(input)
    guard let header = try? UCIPacketHeader(parsing: &cursor),
      let payload = try? cursor.takeOctets(header.payloadLength, .payload)
    else { return false }
    input = input.extracting(droppingFirst: UCIPacketHeader.size &+ payload.count)
    packet(header, payload, body)
    return true
  }

  /// Moves octets to `pending` until it holds a header, and then until it holds the whole packet.
  private mutating func gather(_ input: inout Span<UInt8>, _ body: (Output) -> Void) {
    var wanted = UCIPacketHeader.size
    if pending.count >= UCIPacketHeader.size {
      var cursor = UCICursor(pending.span)
      guard let header = try? UCIPacketHeader(parsing: &cursor) else { return pending = [] }
      wanted += header.payloadLength
    }
    let count = Swift.min(Swift.max(wanted - pending.count, 0), input.count)
    pending.append(copying: input.extracting(first: count))
    input = input.extracting(droppingFirst: count)
    var cursor = UCICursor(pending.span)
    guard let header = try? UCIPacketHeader(parsing: &cursor), cursor.left == header.payloadLength else {
      return
    }
    let payload = cursor.takeRest()
    pending.removeAll(keepingCapacity: pending.capacity <= Self.keptCapacity)
    packet(header, payload, body)
  }

  private mutating func packet(
    _ header: UCIPacketHeader, _ payload: [UInt8], _ body: (Output) -> Void
  ) {
    guard header.type.isControl else {
      Self.add(header, payload, to: &data, maximum: maximumDataSize, body)
      return
    }
    // A controller that reports ERROR will not finish the message it was sending.
    if header.type == .notification, header.id == .deviceStatus, !header.hasMoreSegments,
      payload == [UCIDeviceState.error.rawValue]
    {
      control = .none
      body(.message(UCIRawMessage(type: .notification, id: header.id, payload: payload)))
      return
    }
    Self.add(header, payload, to: &control, maximum: maximumControlSize, body)
  }

  private static func add(
    _ header: UCIPacketHeader, _ payload: [UInt8], to partial: inout Partial, maximum: Int,
    _ body: (Output) -> Void
  ) {
    switch partial {
    case .gathering(var message) where message.type == header.type && message.id == header.id:
      partial = .none
      guard message.payload.count + payload.count <= maximum else {
        body(.dropped(.tooLarge(header.id, maximum: maximum)))
        if header.hasMoreSegments { partial = .discarding(header.type, header.id) }
        return
      }
      message.payload.append(contentsOf: payload)
      if header.hasMoreSegments { partial = .gathering(message) } else { body(.message(message)) }
      return
    case .discarding(let type, let id) where type == header.type && id == header.id:
      if !header.hasMoreSegments { partial = .none }
      return
    case .gathering(let message): body(.dropped(.interrupted(message.id)))
    case .discarding, .none: break
    }
    let message = UCIRawMessage(type: header.type, id: header.id, payload: payload)
    partial = header.hasMoreSegments ? .gathering(message) : .none
    if !header.hasMoreSegments { body(.message(message)) }
  }
}
