/// Why a payload is no list of readings.
package enum ReadingError: Error, Equatable, Sendable, CustomStringConvertible {
  case tooLarge(octets: Int)
  case tooMany
  /// What was expected, and the octet at which it was not there.
  case syntax(expected: String, at: Int)
  /// A key is missing or its value has the wrong type.
  case key(String, expected: String)

  package var description: String {
    switch self {
    case .tooLarge(let octets): "\(octets) octets; expected at most \(ReadingParser.largest)"
    case .tooMany: "more than \(ReadingParser.mostReadings) readings in one message"
    case .syntax(let expected, let at): "octet \(at): expected \(expected)"
    case .key(let key, let expected): "\(key): expected \(expected)"
    }
  }
}

/// Parses the payload of a reading's topic. Unknown keys are skipped, so that later versions can add some.
package struct ReadingParser: ~Copyable {
  package static let largest = 256 << 10
  package static let mostReadings = 1000

  private var cursor: JSONCursor
  private let kind: GatewayReading.Kind

  /// - Parameter kind: The topic's kind, which says what keys are needed.
  package static func parse(
    _ octets: [UInt8], _ kind: GatewayReading.Kind
  ) throws(ReadingError) -> [GatewayReading] {
    guard octets.count <= largest else { throw .tooLarge(octets: octets.count) }
    var parser = ReadingParser(cursor: JSONCursor(octets), kind: kind)
    return try parser.readings()
  }

  private mutating func readings() throws(ReadingError) -> [GatewayReading] {
    guard cursor.take(0x5B) else {
      let reading = try reading()
      try cursor.end()
      return [reading]
    }
    var readings: [GatewayReading] = []
    if cursor.take(0x5D) { return readings }
    repeat {
      guard readings.count < Self.mostReadings else { throw .tooMany }
      readings.append(try reading())
    } while cursor.take(0x2C)
    try cursor.need(0x5D, "',' or ']'")
    try cursor.end()
    return readings
  }

  private struct Fields {
    var time: Double?
    var uncertainty: Double?
    var number: UInt64?
    var peer: String?
    var from: String?
    var metres: Double?
    var sigma: Double?
    var blocked: Double?
    var rssi: Double?
    var power: Double?
  }

  private mutating func reading() throws(ReadingError) -> GatewayReading {
    var fields = Fields()
    try cursor.need(0x7B, "an object or a list of objects")
    if !cursor.take(0x7D) {
      repeat {
        let key = try cursor.string()
        try cursor.need(0x3A, "':'")
        try readValue(of: key, into: &fields)
      } while cursor.take(0x2C)
      try cursor.need(0x7D, "',' or '}'")
    }
    return try Self.reading(fields, kind)
  }

  private mutating func readValue(of key: String, into fields: inout Fields) throws(ReadingError) {
    switch key {
    case "t": fields.time = try cursor.number()
    case "u": fields.uncertainty = try cursor.number()
    case "n": fields.number = try cursor.number().flatMap { UInt64(exactly: $0) }
    case "peer": fields.peer = try cursor.string()
    case "from": fields.from = try cursor.string()
    case "d": fields.metres = try cursor.number()
    case "s": fields.sigma = try cursor.number()
    case "nlos": fields.blocked = try cursor.number()
    case "rssi": fields.rssi = try cursor.number()
    case "power": fields.power = try cursor.number()
    default: try cursor.skipValue()
    }
  }

  private static func reading(
    _ fields: Fields, _ kind: GatewayReading.Kind
  ) throws(ReadingError) -> GatewayReading {
    guard let time = fields.time else { throw .key("t", expected: "the time, Unix seconds") }
    guard let peer = fields.peer, (1...100).contains(peer.utf8.count) else {
      throw .key("peer", expected: "an id of 1 to 100 octets")
    }
    let value: GatewayReading.Value
    switch kind {
    case .range:
      guard let metres = fields.metres else { throw .key("d", expected: "metres") }
      value = .range(metres: metres, sigma: fields.sigma, blocked: fields.blocked, rssi: fields.rssi)
    case .difference:
      guard let metres = fields.metres else { throw .key("d", expected: "metres") }
      guard let from = fields.from, (1...100).contains(from.utf8.count) else {
        throw .key("from", expected: "an id of 1 to 100 octets")
      }
      value = .difference(from: from, metres: metres, sigma: fields.sigma)
    case .advertisement:
      guard let rssi = fields.rssi else { throw .key("rssi", expected: "dBm") }
      value = .advertisement(rssi: rssi, power: fields.power)
    }
    return GatewayReading(
      time: time, uncertainty: fields.uncertainty, number: fields.number, peer: peer, value: value)
  }
}
