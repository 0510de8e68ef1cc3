import NearbyCommandLine

/// Options that mean the same for many commands.
enum CommonOptions {
  static let json = CommandOption<Bool>.flag("json", "Print one JSON object a line")
  static let plain = CommandOption<Bool>.flag("plain", "Print lines even on a terminal")
  static let force = CommandOption<Bool>.flag("force", "Write into a folder that has files")
  static let seconds = CommandOption<Duration?>.optional(
    "seconds", "TIME", "End after this time (default: when told)", as: .duration)
  static let seed = CommandOption<UInt64>.value(
    "seed", "N", "Start of the randomness; same seed, same output", as: .seed, default: "1")
  static let jsonAndPlain = UsageError.conflict("\(json) and \(plain) exclude each other")
  static let speed = CommandOption<PlaybackSpeed>.value(
    "speed", "FACTOR", "Simulated seconds a second, or max", as: .speed, default: "1")
}

/// How fast simulated time passes.
enum PlaybackSpeed: Equatable, Sendable {
  /// Simulated seconds a second, > 0.
  case times(Double)
  /// As fast as the machine can.
  case max
}

extension OptionReader where Value == PlaybackSpeed {
  /// "1", "2.5x", "max".
  static var speed: Self {
    Self(expected: "a factor over 0 and up to 1000 such as 1 or 2.5x, or max") { text in
      if text == "max" { return .max }
      let number = NumberText.plain(text.hasSuffix("x") ? String(text.dropLast()) : text)
      return number.flatMap { $0 > 0 && $0 <= 1000 ? .times($0) : nil }
    }
  }
}
