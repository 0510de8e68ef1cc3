import simd

/// Cerca's screens as text for a terminal.
public enum CercaView {
  /// The lines of the screen for a state.
  public static func lines(_ state: CercaState) -> [String] {
    switch state {
    case .near(let sighting): NearView(sighting: sighting).lines
    case .searching: ["Looking for somebody nearby …"]
    case .meeting(let peer): [peer, "Connected; waiting for the first measurement …"]
    case .unsupported, .lost, .suspended, .refused, .noNetwork, .failed: ErrorView(state: state).lines
    }
  }
}

/// The other one: name, distance, arrow.
public struct NearView: Equatable, Sendable {
  /// What was measured.
  public var sighting: Sighting

  /// Makes the view.
  public init(sighting: Sighting) { self.sighting = sighting }

  /// Name; arrow and distance; where to look.
  public var lines: [String] {
    [sighting.peer, "\(arrow)  \(distance)", hint]
  }

  /// Towards the other one; a dot where the direction is not known.
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
      return "turn, to bring it into the field of view"
    }
    if sighting.isPointedAt { return "straight ahead" }
    let across = "\(Self.degrees(azimuth))° to the \(azimuth < 0 ? "left" : "right")"
    return abs(elevation) < 0.1
      ? across : across + ", \(Self.degrees(elevation))° \(elevation < 0 ? "down" : "up")"
  }

  private static func degrees(_ angle: Float) -> Int { Int((abs(angle) * 180 / .pi).rounded()) }

  /// Two digits behind the point.
  private static func fixed(_ distance: Float) -> String {
    let centimetres = Int((min(max(distance, 0), 1e6) * 100).rounded())
    let rest = centimetres % 100
    return "\(centimetres / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// Why nothing is shown, and what to do about it.
public struct ErrorView: Equatable, Sendable {
  /// One of the states without a measurement.
  public var state: CercaState

  /// Makes the view.
  public init(state: CercaState) { self.state = state }

  /// What is the matter; what helps.
  public var lines: [String] {
    switch state {
    case .unsupported:
      ["This device can't measure distances.", "It takes an ultra-wideband radio: see NEARBY_RADIO."]
    case .lost(let peer): ["\(peer) is lost.", "Move closer; the search goes on."]
    case .suspended: ["Suspended.", "It goes on when the app is back in front."]
    case .refused:
      ["Cerca may not find devices nearby.", "Allow it in the settings, then start it again."]
    case .noNetwork: ["The network can't be used.", "It is tried again."]
    case .failed(let reason): ["Something went wrong: \(reason)", "Start Cerca again."]
    case .searching, .meeting, .near: []
    }
  }
}
