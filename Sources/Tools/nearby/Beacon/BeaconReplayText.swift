import NearbyBeacons
import NearbyRecordings
import NearbyTextForms

/// The output of `nearby beacon replay`.
enum BeaconReplayText {
  static let header = "       time  beacon          rssi   distance   sigma  zone"

  static func line(_ row: BeaconReplayRow) -> String {
    let time = NumberFormat.padded(NumberFormat.fixed(row.time / .seconds(1), 3), 9)
    let beacon = row.beacon + String(repeating: " ", count: max(0, 12 - row.beacon.count))
    let rssi = NumberFormat.padded(NumberFormat.fixed(row.rssi, 0), 6)
    let distance = NumberFormat.padded(row.distance.map { NumberFormat.fixed($0, 2) } ?? "-", 8)
    let sigma = NumberFormat.padded(row.sigma.map { NumberFormat.fixed($0, 2) } ?? "-", 7)
    return "\(time) s  \(beacon) \(rssi) \(distance) m \(sigma)  \(row.zone)"
  }

  static func json(_ row: BeaconReplayRow) -> String {
    var line = JSONLine()
    line.add("t", row.time / .seconds(1), decimals: 6)
    line.add("beacon", text: row.beacon)
    line.add("rssi", exactly: row.rssi)
    line.add("distance", row.distance, decimals: 4)
    line.add("sigma", row.sigma, decimals: 4)
    line.add("zone", text: "\(row.zone)")
    return line.closed()
  }

  // MARK: Summary

  static func summary(_ summary: BeaconReplaySummary, of replay: BeaconReplay) -> String {
    let seconds = NumberFormat.fixed(summary.duration / .seconds(1), 1)
    func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    let what = replay.recording.places == nil ? "beacon" : "receiver"
    let manner = replay.isJoint ? "evaluated together" : "evaluated separately"
    var out = "\(counted(summary.packets, "packet")) in \(seconds) s; "
    out += "\(counted(summary.beacons, what)), \(manner); \(power(replay.power))\n"
    guard let all = summary.all else { return out + "no ground truth in this recording\n" }
    let limit = NumberFormat.fixed(BeaconReplaySummary.nearLimit, 0)
    out += "\nerror against the truth, metres   packets     RMSE    mean    bias  relative  error/sigma\n"
    out += line("all", all)
    if let near = summary.near { out += line("truth below \(limit) m", near) }
    if let far = summary.far { out += line("truth from \(limit) m on", far) }
    if let right = summary.zonesRight {
      out += "correct zone: \(NumberFormat.fixed(100 * right, 1)) %; zone changes: \(summary.zoneChanges)\n"
    }
    return out
  }

  private static func line(_ name: String, _ figures: BeaconReplaySummary.Figures) -> String {
    let label = name + String(repeating: " ", count: max(0, 32 - name.count))
    func cell(_ value: Double, _ width: Int) -> String {
      NumberFormat.padded(NumberFormat.fixed(value, 2), width)
    }
    return label + NumberFormat.padded("\(figures.count)", 9) + cell(figures.rmse, 9) + cell(figures.mean, 8)
      + cell(figures.bias, 8)
      + cell(figures.relative, 10) + cell(figures.normalisedError, 13) + "\n"
  }

  private static func power(_ source: BeaconReplay.PowerSource) -> String {
    func dBm(_ power: Double) -> String { NumberFormat.fixed(power, 0) + " dBm" }
    return switch source {
    case .given(let power): "power at 1 m: \(dBm(power)), from --power"
    case .stated: "power at 1 m: from the frames"
    case .calibrated(let power, let packets):
      "power at 1 m: \(dBm(power)), the median of \(packets) packets at that distance"
    case .usual(let power): "power at 1 m: \(dBm(power)), assumed; set it with --power"
    }
  }

  static func summaryJSON(_ summary: BeaconReplaySummary, of replay: BeaconReplay) -> String {
    var line = JSONLine()
    line.add("packets", summary.packets)
    line.add("beacons", summary.beacons)
    line.add("seconds", summary.duration / .seconds(1), decimals: 3)
    line.add("together", replay.isJoint)
    line.add("power", replay.power.power, decimals: 1)
    line.add("all", json: json(summary.all))
    line.add("near", json: json(summary.near))
    line.add("far", json: json(summary.far))
    line.add("zones_right", summary.zonesRight, decimals: 4)
    line.add("zone_changes", summary.zoneChanges)
    return line.closed()
  }

  private static func json(_ figures: BeaconReplaySummary.Figures?) -> String {
    guard let figures else { return "null" }
    var line = JSONLine()
    line.add("count", figures.count)
    line.add("rmse", figures.rmse, decimals: 4)
    line.add("mean", figures.mean, decimals: 4)
    line.add("bias", figures.bias, decimals: 4)
    line.add("relative", figures.relative, decimals: 4)
    line.add("normalised_error", figures.normalisedError, decimals: 3)
    return line.closed()
  }
}
