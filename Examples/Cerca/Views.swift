import simd

/// Cerca's screens as text for a terminal.
public enum CercaView {
  /// The lines of the screen for a state.
  public static func lines(_ state: CercaState) -> [String] {
    switch state {
    case .near(let sighting): NearView(sighting: sighting).lines
    case .searching: ["Looking for someone nearby …"]
    case .meeting(let peer): [peer, "Connected; waiting for the first measurement …"]
    case .unsupported, .lost, .suspended, .refused, .noNetwork, .failed: ErrorView(state: state).lines
    }
  }
}

/// The screen for a measured peer: name, arrow and distance, hint.
public struct NearView: Equatable, Sendable {
  /// The measurement to show.
  public var sighting: Sighting

  /// Creates the view.
  public init(sighting: Sighting) { self.sighting = sighting }

  /// Three lines: the name, the arrow with the distance, and a hint where to point.
  public var lines: [String] {
    [sighting.peer, "\(arrow)  \(distance)", hint]
  }

  /// Points towards the peer; a dot while the direction is unknown.
  public var arrow: Character {
    guard let azimuth = sighting.azimuth else { return "·" }
    let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
    let eighths = Int((azimuth / (.pi / 4)).rounded())
    return arrows[((eighths % 8) + 8) % 8]
  }

  private var distance: String { sighting.distance.map { "\(Self.fixed($0)) m" } ?? "--.-- m" }

  private var hint: String {
    if sighting.isCloseUp { return "right here" }
    guard let azimuth = sighting.azimuth, let elevation = sighting.elevation else {
      return "turn to bring it into the field of view"
    }
    if sighting.isPointedAt { return "straight ahead" }
    let across = "\(Self.degrees(azimuth))° to the \(azimuth < 0 ? "left" : "right")"
    return abs(elevation) < 0.1
      ? across : across + ", \(Self.degrees(elevation))° \(elevation < 0 ? "down" : "up")"
  }

  private static func degrees(_ angle: Float) -> Int { Int((abs(angle) * 180 / .pi).rounded()) }

  /// The distance with two decimals.
  private static func fixed(_ distance: Float) -> String {
    let centimetres = Int((min(max(distance, 0), 1e6) * 100).rounded())
    let rest = centimetres % 100
    return "\(centimetres / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// The screen for states without a measurement: the reason, and what helps.
public struct ErrorView: Equatable, Sendable {
  /// The state to explain.
  public var state: CercaState

  /// Creates the view.
  public init(state: CercaState) { self.state = state }

  /// Two lines: the problem, and what helps.
  public var lines: [String] {
    switch state {
    case .unsupported:
      ["This device can't measure distances.", "It has no ultra-wideband radio; see NEARBY_RADIO."]
    case .lost(let peer): ["\(peer) is lost.", "Move closer; Cerca keeps searching."]
    case .suspended: ["Suspended.", "Ranging continues when the app returns to the foreground."]
    case .refused:
      ["Cerca isn't allowed to find nearby devices.", "Allow it in Settings, then start Cerca again."]
    case .noNetwork: ["The network can't be used.", "Cerca will try again."]
    case .failed(let reason): ["Something went wrong: \(reason)", "Start Cerca again."]
    case .searching, .meeting, .near: []
    }
  }
}
