import NearbyBeacons
import NearbyCommandLine
import NearbyTextForms

/// The output for beacons that are currently received.
enum BeaconText {
  static let header =
    "       time  beacon                                          rssi  distance   sigma  zone       age"

  static func line(_ beacon: RangedBeacon, at time: Duration, by listener: String? = nil) -> String {
    line("\(beacon.identity)", beacon.reading, at: time) + (listener.map { "  received by \($0)" } ?? "")
  }

  static func line(_ beacon: RangedEddystone, at time: Duration) -> String {
    var line = line("\(beacon.identity)", beacon.reading, at: time)
    if let volts = volts(beacon.telemetry) { line += "  \(NumberFormat.fixed(volts, 2)) V" }
    if let warmth = beacon.telemetry?.temperatureCelsius { line += "  \(NumberFormat.fixed(warmth, 1)) °C" }
    return line
  }

  private static func line(_ who: String, _ reading: LoudnessReading, at time: Duration) -> String {
    let name = who + String(repeating: " ", count: max(0, 46 - who.count))
    let rssi = NumberFormat.padded(reading.rssi == 0 ? "-" : "\(reading.rssi)", 5)
    let distance = NumberFormat.padded(reading.distance.map { NumberFormat.fixed($0, 2) } ?? "-", 7)
    let sigma = NumberFormat.padded(reading.accuracy.map { NumberFormat.fixed($0, 2) } ?? "-", 6)
    let zone = "\(reading.proximity)"
    let age = NumberFormat.padded(NumberFormat.fixed((time - reading.time) / .seconds(1), 1), 5)
    let clock = NumberFormat.padded(NumberFormat.fixed(time / .seconds(1), 2), 9)
    return "\(clock) s  \(name)\(rssi) \(distance) m\(sigma)  "
      + zone + String(repeating: " ", count: max(0, 9 - zone.count)) + "\(age) s"
  }

  static func json(_ beacon: RangedBeacon, at time: Duration, by listener: String? = nil) -> String {
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    if let listener { line.add("by", text: listener) }
    line.add("uuid", text: "\(beacon.identity.uuid)")
    line.add("major", Int(beacon.identity.major))
    line.add("minor", Int(beacon.identity.minor))
    add(beacon.reading, at: time, to: &line)
    return line.closed()
  }

  static func json(_ beacon: RangedEddystone, at time: Duration) -> String {
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    switch beacon.identity {
    case .uid:
      line.add("namespace", text: beacon.identity.namespace ?? "")
      line.add("instance", text: beacon.identity.instance ?? "")
    case .url(let link): line.add("url", text: link)
    case .ephemeral: line.add("ephemeral", text: beacon.identity.ephemeral ?? "")
    }
    add(beacon.reading, at: time, to: &line)
    if let volts = volts(beacon.telemetry) { line.add("battery", volts, decimals: 3) }
    if let warmth = beacon.telemetry?.temperatureCelsius { line.add("temperature", warmth, decimals: 2) }
    return line.closed()
  }

  private static func add(_ reading: LoudnessReading, at time: Duration, to line: inout JSONLine) {
    line.add("rssi", reading.rssi == 0 ? nil : reading.rssi)
    line.add("distance", reading.distance, decimals: 4)
    line.add("sigma", reading.accuracy, decimals: 4)
    line.add("zone", text: "\(reading.proximity)")
    line.add("age", (time - reading.time) / .seconds(1), decimals: 3)
  }

  /// `nil` for a beacon without a battery.
  private static func volts(_ telemetry: Eddystone.PlainTelemetry?) -> Double? {
    guard let telemetry, telemetry.batteryMillivolts > 0 else { return nil }
    return Double(telemetry.batteryMillivolts) / 1000
  }

  /// The table on a terminal: iBeacons and AltBeacons, then Eddystones.
  static func canvas(
    _ beacons: [RangedBeacon], _ eddystones: [RangedEddystone] = [], at time: Duration, columns: Int,
    rows: Int
  ) -> TextCanvas {
    var canvas = TextCanvas(columns: columns, rows: rows)
    canvas.put(header, column: 0, row: 0, .strong)
    let lines =
      beacons.map { (line($0, at: time), $0.proximity) }
      + eddystones.map { (line($0, at: time), $0.reading.proximity) }
    for (index, (line, proximity)) in lines.prefix(max(0, rows - 2)).enumerated() {
      let style: CellStyle =
        switch proximity {
        case .immediate: .near
        case .near: .strong
        case .far: .plain
        case .unknown: .faint
        }
      canvas.put(line, column: 0, row: index + 1, style)
    }
    let count = "\(lines.count) beacon\(lines.count == 1 ? "" : "s") · Ctrl-C quits"
    canvas.put(count, column: 1, row: rows - 1, .faint)
    return canvas
  }
}
