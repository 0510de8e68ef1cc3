/// Tells from the last distances how well an object can be followed.
///
/// After Apple's finding sample: `facts/samples.md`, section 2.
struct QualityEstimator {
  /// How well an object can be followed.
  enum Quality: Equatable {
    /// Too few distances, or too far away.
    case unknown
    /// Far, but there.
    case good
    /// Near enough to look for its place.
    case close
  }

  /// How long a distance counts, seconds.
  static let memory = 2.0
  /// Distances needed for any word.
  static let least = 8
  /// Metres.
  static let closeDistance: Float = 10
  static let goodDistance: Float = 50

  private var samples: [(seconds: Double, distance: Float)] = []

  /// Takes a distance, metres; one that is the same as the last tells nothing new.
  mutating func add(_ distance: Float, at seconds: Double) {
    samples.removeAll { $0.seconds < seconds - Self.memory }
    if samples.last?.distance != distance { samples.append((seconds, distance)) }
  }

  /// What the last two seconds say.
  func quality(at seconds: Double) -> Quality {
    let recent = samples.filter { $0.seconds >= seconds - Self.memory }
    guard recent.count > Self.least, let last = recent.last?.distance else { return .unknown }
    if last <= Self.closeDistance { return .close }
    return last < Self.goodDistance ? .good : .unknown
  }
}
