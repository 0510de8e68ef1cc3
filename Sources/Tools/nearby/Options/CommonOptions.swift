import NearbyCommandLine

/// Options shared by many commands.
enum CommonOptions {
  static let json = CommandOption<Bool>.flag("json", "Print one JSON object per line")
  static let plain = CommandOption<Bool>.flag("plain", "Print lines even on a terminal")
  static let force = CommandOption<Bool>.flag("force", "Write into the folder even if it has files")
  static let seconds = CommandOption<Duration?>.optional(
    "seconds", "TIME", "Stop after this long (default: run until interrupted)", as: .duration)
  static let seed = CommandOption<UInt64>.value(
    "seed", "N", "Random seed; the same seed gives the same output", as: .seed, default: "1")
  static let jsonAndPlain = UsageError.conflict("\(json) and \(plain) exclude each other")
  static let speed = CommandOption<PlaybackSpeed>.value(
    "speed", "FACTOR", "Simulated seconds per second, or max", as: .speed, default: "1")
}

/// How fast simulated time passes.
enum PlaybackSpeed: Equatable, Sendable {
  /// Simulated seconds per second, greater than 0.
  case times(Double)
  /// As fast as the machine allows.
  case max
}

extension OptionReader where Value == PlaybackSpeed {
  /// "1", "2.5x", "max".
  static var speed: Self {
    Self(expected: "a factor greater than 0 and up to 1000 such as 1 or 2.5x, or max") { text in
      if text == "max" { return .max }
      let number = NumberText.plain(text.hasSuffix("x") ? String(text.dropLast()) : text)
      return number.flatMap { $0 > 0 && $0 <= 1000 ? .times($0) : nil }
    }
  }
}
