import Beacons
import TextForms

/// How beacons that are heard now are shown.
enum BeaconText {
  static let header =
    "       time  beacon                                          rssi  distance   sigma  zone       age"

  static func line(_ beacon: RangedBeacon, at time: Duration, by listener: String? = nil) -> String {
    let who = "\(beacon.identity)"
    let name = who + String(repeating: " ", count: max(0, 46 - who.count))
    let rssi = NumberFormat.padded(beacon.rssi == 0 ? "-" : "\(beacon.rssi)", 5)
    let distance = NumberFormat.padded(beacon.distance.map { NumberFormat.fixed($0, 2) } ?? "-", 7)
    let sigma = NumberFormat.padded(beacon.accuracy.map { NumberFormat.fixed($0, 2) } ?? "-", 6)
    let zone = "\(beacon.proximity)"
    let age = NumberFormat.padded(NumberFormat.fixed((time - beacon.time) / .seconds(1), 1), 5)
    let clock = NumberFormat.padded(NumberFormat.fixed(time / .seconds(1), 2), 9)
    let end = listener.map { "  heard by \($0)" } ?? ""
    return "\(clock) s  \(name)\(rssi) \(distance) m\(sigma)  "
      + zone + String(repeating: " ", count: max(0, 9 - zone.count)) + "\(age) s\(end)"
  }

  static func json(_ beacon: RangedBeacon, at time: Duration, by listener: String? = nil) -> String {
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    if let listener { line.add("by", text: listener) }
    line.add("uuid", text: "\(beacon.identity.uuid)")
    line.add("major", Int(beacon.identity.major))
    line.add("minor", Int(beacon.identity.minor))
    line.add("rssi", beacon.rssi == 0 ? nil : beacon.rssi)
    line.add("distance", beacon.distance, decimals: 4)
    line.add("sigma", beacon.accuracy, decimals: 4)
    line.add("zone", text: "\(beacon.proximity)")
    line.add("age", (time - beacon.time) / .seconds(1), decimals: 3)
    return line.closed()
  }

  /// The table on a terminal.
  static func canvas(_ beacons: [RangedBeacon], at time: Duration, columns: Int, rows: Int) -> TextCanvas {
    var canvas = TextCanvas(columns: columns, rows: rows)
    canvas.put(header, column: 0, row: 0, .strong)
    for (index, beacon) in beacons.prefix(max(0, rows - 2)).enumerated() {
      let style: CellStyle =
        switch beacon.proximity {
        case .immediate: .near
        case .near: .strong
        case .far: .plain
        case .unknown: .faint
        }
      canvas.put(line(beacon, at: time), column: 0, row: index + 1, style)
    }
    let count = "\(beacons.count) beacon\(beacons.count == 1 ? "" : "s") · Ctrl-C ends"
    canvas.put(count, column: 1, row: rows - 1, .faint)
    return canvas
  }
}
