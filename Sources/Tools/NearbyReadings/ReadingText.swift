import NearbyTextForms

/// Writes readings as JSON. Keys are short, since a gateway sends thousands a second.
package enum ReadingText {
  package static func text(_ reading: GatewayReading) -> String {
    var line = JSONLine()
    line.add("t", reading.time, decimals: 6)
    if let uncertainty = reading.uncertainty { line.add("u", uncertainty, decimals: 6) }
    if let number = reading.number { line.add("n", json: "\(number)") }
    line.add("peer", text: reading.peer)
    switch reading.value {
    case .range(let metres, let sigma, let blocked, let rssi):
      line.add("d", metres, decimals: 4)
      if let sigma { line.add("s", sigma, decimals: 4) }
      if let blocked { line.add("nlos", blocked, decimals: 3) }
      if let rssi { line.add("rssi", rssi, decimals: 1) }
    case .difference(let from, let metres, let sigma):
      line.add("from", text: from)
      line.add("d", metres, decimals: 4)
      if let sigma { line.add("s", sigma, decimals: 4) }
    case .advertisement(let rssi, let power):
      line.add("rssi", rssi, decimals: 1)
      if let power { line.add("power", power, decimals: 1) }
    }
    return line.closed()
  }

  /// One reading as an object, several as a list.
  package static func text(_ readings: [GatewayReading]) -> String {
    if readings.count == 1 { return text(readings[0]) }
    return "[" + readings.map { text($0) }.joined(separator: ",") + "]"
  }
}
