import Foundation

/// What the radar shows.
public struct RadarState: Equatable, Sendable {
  /// How far the hunt is.
  public enum Phase: Equatable, Sendable {
    /// The user has not said yet whether the app may know what is near.
    case asking
    /// On the way to a treasure.
    case hunting(Treasure)
    /// Everything is found.
    case finished
    /// It cannot go on, for this reason.
    case stopped(String)
  }

  /// How far the hunt is.
  public var phase = Phase.asking
  /// What was found, in order.
  public var found: [Treasure] = []
  /// The beacon's own distance estimate, metres; `nil` without a signal.
  ///
  /// It is not shown: the treasures understate their power on purpose, so it is too small.
  public var distance: Double?
  /// How bright the radar glows, 0 to 1; 0 without a signal.
  public var brightness = 0.0
  /// Sweeps per second, 1 to 4: the closer, the faster.
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

  /// The radar glows within this distance, metres.
  static let reach = 20.0
  /// Number of readings that the trend compares, one per second.
  private static let memory = 4
  /// A smaller change of the brightness is noise: the signal's strength varies by about that much.
  private static let leastChange = 0.06
  private static let bars = 10

  /// Handles a reading of the hunted treasure.
  ///
  /// - Parameter distance: Metres; `nil` without a signal.
  mutating func heard(distance: Double?) {
    self.distance = distance
    // On a logarithmic scale, as signal strength falls.
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

  /// The text for the user.
  public var line: String {
    switch phase {
    case .asking: "May the radar know what is near?"
    case .hunting(let treasure):
      "\(treasure.name): " + (distance == nil ? "no signal" : "\(meter)\(trend.map { " \($0)" } ?? "")")
    case .finished: "All \(found.count) treasures are found."
    case .stopped(let reason): reason
    }
  }

  /// The brightness as ten bars.
  private var meter: String {
    let count = Int((brightness * Double(Self.bars)).rounded())
    return String(repeating: "▮", count: count) + String(repeating: "▯", count: Self.bars - count)
  }
}
