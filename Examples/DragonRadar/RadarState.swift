import Foundation

/// What the radar shows.
public struct RadarState: Equatable, Sendable {
  /// The progress of the hunt.
  public enum Phase: Equatable, Sendable {
    /// The user has not granted or denied permission yet.
    case asking
    /// Looking for a treasure.
    case hunting(Treasure)
    /// All treasures are found.
    case finished
    /// The app can't continue, for this reason.
    case stopped(String)
  }

  /// The progress of the hunt.
  public var phase = Phase.asking
  /// The treasures found so far, in order.
  public var found: [Treasure] = []
  /// Distance to the treasure in metres, or `nil` while its beacon is not received.
  public var distance: Double?
  /// Brightness of the radar, 0 to 1. It is 0 while the treasure's beacon is not received.
  public var brightness = 0.0
  /// Sweeps per second: 1 far away, up to 4 next to a treasure.
  public var sweepsPerSecond = 1.0
  /// Whether the treasure is getting closer; `nil` until that is known.
  public var trend: Trend?
  private var recent: [Double] = []

  /// The direction of the last few seconds.
  public enum Trend: String, Equatable, Sendable {
    /// The treasure is getting closer.
    case warmer
    /// The treasure is getting farther away.
    case colder
    /// No clear change.
    case steady
  }

  /// The distance in metres at which the radar begins to glow.
  static let reach = 20.0
  /// Number of readings that the trend compares, one per second.
  private static let memory = 4
  /// A smaller change of the brightness is noise: the signal's strength varies by about that much.
  private static let leastChange = 0.06
  private static let bars = 10

  /// Updates distance, brightness and sweep rate for the current treasure.
  ///
  /// - Parameter distance: Metres, or `nil` while the treasure's beacon is not received.
  mutating func heard(distance: Double?) {
    self.distance = distance
    // On a logarithmic scale, because hearing and signal strength are logarithmic too.
    let nearness = distance.map { 1 - log(max($0, 0.3) / 0.3) / log(Self.reach / 0.3) } ?? 0
    brightness = min(1, max(0, nearness))
    sweepsPerSecond = 1 + 3 * brightness
    guard distance != nil else {
      recent = []
      trend = nil
      return
    }
    recent = recent.suffix(Self.memory - 1) + [brightness]
    guard let first = recent.first, recent.count > 1 else { return trend = nil }
    let change = brightness - first
    trend = abs(change) < Self.leastChange ? .steady : change > 0 ? .warmer : .colder
  }

  /// The state as one line of text.
  public var line: String {
    switch phase {
    case .asking: "The radar needs permission to use your location."
    case .hunting(let treasure):
      "\(treasure.name): " + (distance == nil ? "no signal" : "\(meter)\(trend.map { " \($0)" } ?? "")")
    case .finished: "All \(found.count) treasures found."
    case .stopped(let reason): reason
    }
  }

  /// The brightness as ten bars.
  private var meter: String {
    let count = Int((brightness * Double(Self.bars)).rounded())
    return String(repeating: "▮", count: count) + String(repeating: "▯", count: Self.bars - count)
  }
}
