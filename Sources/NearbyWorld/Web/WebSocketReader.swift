/// Reads the frames of a browser's WebSocket (RFC 6455 §5) and joins fragments into messages.
///
/// Frames must be masked, text, and within `longestMessage`; no extension is negotiated, so no reserved bit may be set.
/// It holds at most one message and one unfinished frame.
struct WebSocketReader: Sendable {
  /// Octets of the longest message from a browser.
  static let longestMessage = 16_384

  enum Frame: Equatable, Sendable {
    /// One fragment of a message that is not complete yet.
    case fragment
    case text(String)
    case ping([UInt8])
    case pong
    case close
  }

  /// Why a connection ends: a close code (RFC 6455 §7.4.1) and a sentence.
  struct Fault: Error, Equatable, Sendable {
    let code: UInt16
    let reason: String
  }

  private enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  private struct Header {
    let opcode: Opcode
    let isFinal: Bool
    /// Octets of the header, mask included.
    let size: Int
    let length: Int
    let mask: [UInt8]
  }

  private var buffer: [UInt8] = []
  /// Octets of `buffer` that are read already.
  private var used = 0
  /// The fragments of a message so far; `nil` between messages.
  private var message: [UInt8]?

  mutating func append(_ octets: some Collection<UInt8>) {
    buffer.removeFirst(used)
    used = 0
    buffer.append(contentsOf: octets)
  }

  /// The next whole frame; `nil` if more octets are needed.
  mutating func next() throws(Fault) -> Frame? {
    guard let header = try header() else { return nil }
    let start = used + header.size
    guard buffer.count - start >= header.length else { return nil }
    var payload = Array(buffer[start..<start + header.length])
    for index in payload.indices { payload[index] ^= header.mask[index & 3] }
    used = start + header.length
    switch header.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close: return .close
    case .continuation, .text, .binary: return try join(payload, isFinal: header.isFinal)
    }
  }

  private mutating func join(_ payload: [UInt8], isFinal: Bool) throws(Fault) -> Frame {
    message = (message ?? []) + payload
    guard isFinal else { return .fragment }
    let octets = message ?? []
    message = nil
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw Fault(code: 1007, reason: "a message that is not UTF-8")
    }
    return .text(text)
  }

  /// Reads a header as soon as it is complete; refuses it from its first wrong octet on.
  private func header() throws(Fault) -> Header? {
    let octets = buffer[used...]
    guard let first = octets.first else { return nil }
    guard first & 0x70 == 0 else { throw Fault(code: 1002, reason: "a reserved bit is set") }
    guard let opcode = Opcode(rawValue: first & 0x0F) else {
      throw Fault(code: 1002, reason: "an unknown kind of frame")
    }
    let isFinal = first & 0x80 != 0
    try check(opcode, isFinal: isFinal)
    guard let second = octets.dropFirst().first else { return nil }
    guard second & 0x80 != 0 else { throw Fault(code: 1002, reason: "a frame that is not masked") }
    let short = Int(second & 0x7F)
    guard !opcode.isControl || short < 126 else {
      throw Fault(code: 1002, reason: "a control frame too long")
    }
    guard short < 127 else { throw Self.tooLong }
    let lengthSize = short == 126 ? 2 : 0
    let rest = octets.dropFirst(2)
    guard rest.count >= lengthSize else { return nil }
    let length = lengthSize == 0 ? short : rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    guard lengthSize == 0 || length >= 126 else {
      throw Fault(code: 1002, reason: "a length that is not in its shortest form")
    }
    guard opcode.isControl || (message?.count ?? 0) + length <= Self.longestMessage else {
      throw Self.tooLong
    }
    let mask = Array(rest.dropFirst(lengthSize).prefix(4))
    guard mask.count == 4 else { return nil }
    return Header(opcode: opcode, isFinal: isFinal, size: 6 + lengthSize, length: length, mask: mask)
  }

  private func check(_ opcode: Opcode, isFinal: Bool) throws(Fault) {
    switch opcode {
    case .close, .ping, .pong:
      guard isFinal else { throw Fault(code: 1002, reason: "a control frame in fragments") }
    case .binary: throw Fault(code: 1003, reason: "a binary message; text expected")
    case .text:
      guard message == nil else { throw Fault(code: 1002, reason: "a message within a message") }
    case .continuation:
      guard message != nil else { throw Fault(code: 1002, reason: "a continuation of no message") }
    }
  }

  private static let tooLong = Fault(code: 1009, reason: "a message of more than \(longestMessage) octets")
}

/// One frame to a browser. Encoded once, it can be sent to any number of browsers.
package struct WebMessage: Sendable {
  let frame: [UInt8]

  package init(_ text: String) { frame = Self.frame(opcode: 1, Array(text.utf8)) }

  static let ping = frame(opcode: 9, [])

  static func pong(_ payload: [UInt8]) -> [UInt8] { frame(opcode: 10, payload) }

  static func close(code: UInt16) -> [UInt8] { frame(opcode: 8, [UInt8(code >> 8), UInt8(code & 0xFF)]) }

  private static func frame(opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var frame = [0x80 | opcode]
    frame.reserveCapacity(payload.count + 10)
    switch payload.count {
    case ..<126: frame.append(UInt8(payload.count))
    case ..<65_536: frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      frame.append(127)
      for shift in stride(from: 56, through: 0, by: -8) {
        frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    frame += payload
    return frame
  }
}
