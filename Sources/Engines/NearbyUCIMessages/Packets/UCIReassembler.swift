import NearbyOctets

/// Turns a stream of octets, in any chunks, into whole messages.
///
/// Control and data messages have partial messages of their own, for they may interleave.
/// Memory is bounded by one packet and the two bounds on segmented messages.
package struct UCIReassembler: Sendable {
  /// What the stream gave, in order.
  package enum Output: Equatable, Sendable {
    case message(UCIRawMessage)
    /// Octets or a partial message that were dropped, and why.
    case dropped(UCIError)
  }

  /// What was gathered of one segmented message.
  private enum Partial: Sendable {
    case none
    case gathering(UCIRawMessage)
    /// The message passed the bound; its other segments are dropped too.
    case discarding(UCIPacketHeader.MessageType, UCIMessageID)
  }

  /// The largest payload a segmented control message may reach.
  package let maximumControlSize: Int
  /// The largest payload a segmented data message may reach.
  package let maximumDataSize: Int

  /// Room that is kept for the next packet; that of a larger one is given back.
  private static let keptCapacity = 4096

  /// The octets of a packet that is not all there yet.
  private var pending: [UInt8] = []
  private var control = Partial.none
  private var data = Partial.none
  /// Octets are dropped until one starts a packet.
  private var isSearching = false

  /// The largest sizes are ours: many times what any message needs, and little enough to be no burden.
  package init(maximumControlSize: Int = 16_384, maximumDataSize: Int = 131_072) {
    self.maximumControlSize = maximumControlSize
    self.maximumDataSize = maximumDataSize
  }

  /// Takes the next octets of the stream.
  package mutating func received(_ octets: [UInt8]) -> [Output] { received(octets.span) }

  /// Takes the next octets of the stream.
  package mutating func received(_ octets: Span<UInt8>) -> [Output] {
    var output: [Output] = []
    received(octets) { output.append($0) }
    return output
  }

  /// Takes the next octets of the stream, without an array for what comes out.
  @inline(__always)
  package mutating func received(_ octets: Span<UInt8>, _ body: (Output) -> Void) {
    var input = octets
    while !input.isEmpty {
      if pending.isEmpty, takeWhole(&input, body) { continue }
      gather(&input, body)
    }
  }

  /// Forgets everything partial, for a new link.
  package mutating func reset() {
    pending = []
    control = .none
    data = .none
    isSearching = false
  }

  /// Reads one packet that is all in `input`; or drops an octet that starts none. False: not all is there.
  private mutating func takeWhole(_ input: inout Span<UInt8>, _ body: (Output) -> Void) -> Bool {
    guard input[0] < 0xC0 else {
      // Types 6 and 7 have no known length. One report a run, so that chunks make no difference.
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

  /// Moves octets to `pending` until it holds a header, then until it holds the packet.
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
    // A controller that died in the middle of a message will not finish it.
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
