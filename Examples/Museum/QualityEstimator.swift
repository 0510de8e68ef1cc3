/// Estimates from recent distances how well the app can guide a visitor to an object.
///
/// Modelled on Apple's sample "Finding devices with precision".
struct QualityEstimator {
  /// How well the app can guide the visitor.
  enum Quality: Equatable {
    /// Too few distances, or too far away.
    case unknown
    /// In range, but not close.
    case good
    /// Close enough to search for the exact place.
    case close
  }

  /// How long a distance counts, in seconds.
  static let memory = 2.0
  /// The quality is unknown until there are more distances than this.
  static let least = 8
  /// Metres.
  static let closeDistance: Float = 10
  static let goodDistance: Float = 50

  private var samples: [(seconds: Double, distance: Float)] = []

  /// Adds a distance in metres. Ignores one that equals the previous distance.
  mutating func add(_ distance: Float, at seconds: Double) {
    samples.removeAll { $0.seconds < seconds - Self.memory }
    if samples.last?.distance != distance { samples.append((seconds, distance)) }
  }

  /// The quality according to the last two seconds.
  func quality(at seconds: Double) -> Quality {
    let recent = samples.filter { $0.seconds >= seconds - Self.memory }
    guard recent.count > Self.least, let last = recent.last?.distance else { return .unknown }
    if last <= Self.closeDistance { return .close }
    return last < Self.goodDistance ? .good : .unknown
  }
}
