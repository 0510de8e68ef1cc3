import NearbyBeacons
import NearbyEstimation

/// Statistics of an RSSI replay, with near and far distances scored separately.
package struct BeaconReplaySummary: Equatable, Sendable {
  /// Errors against the truth, metres.
  package struct Figures: Equatable, Sendable {
    package var count: Int
    package var rmse: Double
    /// Mean of |error|.
    package var mean: Double
    package var bias: Double
    /// Median of |error| / true distance, the latter taken as at least 0.2 m.
    package var relative: Double
    /// Root mean square of error / stated sigma; 1 if the stated uncertainty is right.
    package var normalisedError: Double
  }

  package var packets: Int
  package var beacons: Int
  /// From the first packet to the last.
  package var duration: Duration
  /// Scores of all estimates, of those with a true distance below `nearLimit`, and of the rest; `nil` if
  /// there are none.
  package var all: Figures?
  package var near: Figures?
  package var far: Figures?
  /// Share of packets whose zone matches the true zone.
  package var zonesRight: Double?
  /// Changes from one zone to another, not counting each beacon's first zone.
  package var zoneChanges: Int

  /// Boundary between near and far, metres.
  package static let nearLimit = 4.0

  /// - Parameter rows: Rows of one replay, or of several.
  package init(_ rows: [BeaconReplayRow]) {
    packets = rows.count
    beacons = Set(rows.map(\.beacon)).count
    let times = rows.map(\.time)
    duration = (times.max() ?? .zero) - (times.min() ?? .zero)
    all = Self.figures(rows) { _ in true }
    near = Self.figures(rows) { $0 < Self.nearLimit }
    far = Self.figures(rows) { $0 >= Self.nearLimit }
    let judged = rows.filter { $0.trueDistance != nil && $0.zone != .unknown }
    let right = judged.count { row in row.trueDistance.map { Proximity(distance: $0) } == row.zone }
    zonesRight = judged.isEmpty ? nil : Double(right) / Double(judged.count)
    zoneChanges = Self.changes(rows)
  }

  private static func changes(_ rows: [BeaconReplayRow]) -> Int {
    var latest: [String: Proximity] = [:]
    var changes = 0
    for row in rows.enumerated().sorted(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }) {
      let row = row.element
      guard row.zone != .unknown else { continue }
      if let before = latest[row.beacon], before != row.zone { changes += 1 }
      latest[row.beacon] = row.zone
    }
    return changes
  }

  private static func figures(_ rows: [BeaconReplayRow], where isMeant: (Double) -> Bool) -> Figures? {
    var (errors, relative, normalised) = ([Double](), [Double](), 0.0)
    for row in rows {
      guard let truth = row.trueDistance, isMeant(truth), let distance = row.distance, let sigma = row.sigma
      else { continue }
      let error = distance - truth
      errors.append(error)
      relative.append(error.magnitude / max(truth, 0.2))
      normalised += error * error / (sigma * sigma)
    }
    guard !errors.isEmpty else { return nil }
    let count = Double(errors.count)
    return Figures(
      count: errors.count, rmse: (errors.reduce(0) { $0 + $1 * $1 } / count).squareRoot(),
      mean: errors.reduce(0) { $0 + $1.magnitude } / count, bias: errors.reduce(0, +) / count,
      relative: RangeScore.median(relative),
      normalisedError: (normalised / count).squareRoot())
  }
}
