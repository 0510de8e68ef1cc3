/// One measurement between a tag and anchors.
public struct PositionMeasurement: Hashable, Sendable {
  /// What was measured.
  public enum Kind: Hashable, Sendable {
    /// A time difference of arrival as a distance: the tag's distance to `to` minus that to `from`.
    case difference(from: Int, to: Int)
    /// A two-way range: the tag's distance to the anchor.
    case range(to: Int)
  }

  /// Seconds on any clock that does not go backwards.
  public var time: Double
  /// The anchors, by their ids.
  public var kind: Kind
  /// Metres.
  public var metres: Double
  /// Standard deviation of the noise in metres; `nil` for the solver's default.
  public var sigma: Double?
  /// Probability, 0 to 1, that something stood in the direct path to `to`; `nil` if nothing is known about it. The
  /// measurement then counts less, and a range may be too long.
  public var blockedProbability: Double?

  /// Creates a measurement; a solver checks the numbers.
  public init(
    time: Double, kind: Kind, metres: Double, sigma: Double? = nil, blockedProbability: Double? = nil
  ) {
    self.time = time
    self.kind = kind
    self.metres = metres
    self.sigma = sigma
    self.blockedProbability = blockedProbability
  }
}

/// What a solver did with a measurement.
public enum MeasurementOutcome: Hashable, Sendable {
  /// It changed the position; `weight` is from 0 (it contradicts everything else) to 1.
  case used(weight: Double)
  /// The solver collects it until it finds a first position.
  case collected
  /// It was dropped.
  case rejected(MeasurementRejection)
}

/// The reason why a measurement was dropped.
public enum MeasurementRejection: Int, CaseIterable, Hashable, Sendable {
  /// A number is not finite, or a sigma is not positive.
  case notFinite
  /// No anchor has the id.
  case unknownAnchor
  /// A difference between an anchor and itself.
  case sameAnchor
  /// Earlier than a measurement before it.
  case outOfOrder
  /// A difference larger than the distance between its anchors, or a negative or enormous range. Wrapped
  /// time stamps cause it.
  case impossible
  /// It contradicts the position and the other measurements so much that it has practically no weight.
  case disagrees
  /// Its time stamps can't be brought to one clock.
  case clock
}

/// One reading of an accelerometer and a gyroscope.
public struct InertialReading: Hashable, Sendable {
  /// Seconds, on the measurements' clock.
  public var time: Double
  /// Body axes, rad/s.
  public var rotationRate: SIMD3<Double>
  /// Specific force in body axes, m/s²; at rest it is 9.81 upwards.
  public var acceleration: SIMD3<Double>

  /// Creates a reading; a solver checks the numbers.
  public init(time: Double, rotationRate: SIMD3<Double>, acceleration: SIMD3<Double>) {
    self.time = time
    self.rotationRate = rotationRate
    self.acceleration = acceleration
  }
}
