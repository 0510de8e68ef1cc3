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
  /// How far off the treasure is, metres; `nil` while it is not heard.
  public var distance: Double?
  /// How bright the radar glows, 0 to 1: 0 for a treasure that is not heard.
  public var brightness = 0.0
  /// Sweeps a second: one, and up to four beside a treasure.
  public var sweepsPerSecond = 1.0

  /// From here on the radar glows, metres.
  static let reach = 20.0

  /// Takes what was heard of the treasure that is hunted.
  ///
  /// - Parameter distance: Metres; `nil` while it is not heard.
  mutating func heard(distance: Double?) {
    self.distance = distance
    // On a scale of ratios, as the ear and the radio have it.
    let nearness = distance.map { 1 - log(max($0, 0.3) / 0.3) / log(Self.reach / 0.3) } ?? 0
    brightness = min(1, max(0, nearness))
    sweepsPerSecond = 1 + 3 * brightness
  }

  /// What a person reads.
  public var line: String {
    switch phase {
    case .asking: "May the radar know what is near?"
    case .hunting(let treasure):
      "\(treasure.name): " + (distance.map { "about \(Self.metres($0)) m" } ?? "nothing to be heard")
    case .finished: "All \(found.count) treasures are found."
    case .stopped(let reason): reason
    }
  }

  private static func metres(_ distance: Double) -> String {
    let tenths = Int((distance * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
