import NearbyChipTools
import NearbyCommandLine
import NearbyTextForms
import NearbyUCI

/// The output of `nearby radio range`.
enum RadioRangeText {
  static let header = "      time  round  peer       range  estimate   sigma  azimuth  elevation      RSSI"

  static func line(_ range: RadioRange) -> String {
    let time = NumberFormat.padded(NumberFormat.fixed(range.time / .seconds(1), 3), 8)
    let round = NumberFormat.padded("\(range.sequence)", 5)
    let start = "\(time) s  \(round)  \(UCIWords.address(range.peer))"
    guard let measured = range.range else { return start + "  \(range.status)" }
    func column(_ value: Double?, _ decimals: Int, _ width: Int) -> String {
      NumberFormat.padded(value.map { NumberFormat.fixed($0, decimals) } ?? "-", width)
    }
    var text = start + column(measured, 2, 8) + " m" + column(range.distance, 2, 8) + " m"
    text +=
      column(range.sigma, 2, 8) + column(range.azimuth, 1, 8) + "°" + column(range.elevation, 1, 10) + "°"
    text += column(range.rssiDBm, 1, 7) + " dBm"
    return range.looksNonLineOfSight == true ? text + "  blocked" : text
  }

  static func json(_ range: RadioRange) -> String {
    var line = JSONLine()
    line.add("t", range.time / .seconds(1), decimals: 6)
    line.add("round", Int(range.sequence))
    line.add("peer", text: UCIWords.address(range.peer))
    line.add("status", text: range.status.description)
    line.add("range", exactly: range.range)
    line.add("distance", range.distance, decimals: 4)
    line.add("sigma", range.sigma, decimals: 4)
    line.add("azimuth", range.azimuth, decimals: 3)
    line.add("elevation", range.elevation, decimals: 3)
    line.add("nlos", range.looksNonLineOfSight)
    line.add("rssi", range.rssiDBm, decimals: 1)
    return line.closed()
  }
}
