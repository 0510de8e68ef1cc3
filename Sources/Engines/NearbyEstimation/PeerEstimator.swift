/// One measurement of a peer.
package struct PeerReading: Equatable, Sendable {
  package var time: Duration
  /// In metres, with the antenna delay removed; `nil` if the exchange produced no range.
  package var range: Double?
  /// Standard deviation of `range` in metres.
  package var rangeSigma: Double
  /// The receiver's judgement that the direct path was blocked; `nil` if it makes none.
  package var isLikelyNonLineOfSight: Bool?
  /// Probability that the direct path was blocked, from `BlockedPathModel`; replaces `isLikelyNonLineOfSight`.
  package var blockedProbability: Double?
  package var angle: PeerAngle?
  package init(
    time: Duration, range: Double?, rangeSigma: Double = 0.1, isLikelyNonLineOfSight: Bool? = nil,
    blockedProbability: Double? = nil, angle: PeerAngle? = nil
  ) {
    self.time = time
    self.range = range
    self.rangeSigma = rangeSigma
    self.isLikelyNonLineOfSight = isLikelyNonLineOfSight
    self.blockedProbability = blockedProbability
    self.angle = angle
  }
}

/// A measured angle in the device's frame: direction = (sin az·cos el, sin el, −cos az·cos el).
package struct PeerAngle: Equatable, Sendable {
  /// In radians, positive to the right.
  package var azimuth: Double
  /// In radians, positive up.
  package var elevation: Double
  /// Standard deviations in radians.
  package var azimuthSigma: Double
  package var elevationSigma: Double
  package init(azimuth: Double, elevation: Double, azimuthSigma: Double, elevationSigma: Double) {
    self.azimuth = azimuth
    self.elevation = elevation
    self.azimuthSigma = azimuthSigma
    self.elevationSigma = elevationSigma
  }
}

/// What is known of a peer at one time; a part is `nil` if its covariance is too large to be useful.
package struct PeerEstimate: Equatable, Sendable {
  package var distance: RangeEstimate?
  package var direction: DirectionEstimate?
  package init(distance: RangeEstimate?, direction: DirectionEstimate?) {
    self.distance = distance
    self.direction = direction
  }
}

/// Estimates distance and direction of one peer from its readings.
package struct PeerEstimator: Sendable {
  /// Largest standard deviation with which a distance is reported, metres, apart from the error of blocked paths.
  ///
  /// One metre is the space a person stands in: beyond it the number no longer says where the peer is. For
  /// people who walk, it is reached 1.5 to 2 s after the last range.
  package static let largestDistanceSigma = 1.0
  /// Largest standard deviation with which a direction is reported, radians (20°), apart from the error of echoes.
  ///
  /// Beyond it, an arrow points past a peer at arm's length as often as at it. For a hand that scans, it is
  /// reached about half a second after the last angle.
  package static let largestDirectionSigma = 0.35

  /// Whether a distance with this sigma, metres, is no longer known, apart from the variance that blocked paths share,
  /// m².
  package static func isLost(_ sigma: Double, shared: Double) -> Bool {
    sigma * sigma - shared > largestDistanceSigma * largestDistanceSigma
  }

  /// Whether a direction with this sigma, radians, is no longer known, apart from the variance that echoes share,
  /// radians².
  private static func isDirectionLost(_ sigma: Double, shared: Double) -> Bool {
    sigma * sigma - shared > largestDirectionSigma * largestDirectionSigma
  }

  package private(set) var ranges: RangeFilter
  package private(set) var directions: DirectionFilter

  package init(
    ranges: RangeFilterParameters = RangeFilterParameters(),
    directions: DirectionFilterParameters = DirectionFilterParameters()
  ) {
    self.ranges = RangeFilter(parameters: ranges)
    self.directions = DirectionFilter(parameters: directions)
  }

  package mutating func update(_ reading: PeerReading) {
    if let range = reading.range {
      ranges.absorb(
        range: range, sigma: reading.rangeSigma,
        isLikelyNonLineOfSight: reading.isLikelyNonLineOfSight,
        blockedProbability: reading.blockedProbability, at: reading.time)
    }
    if let angle = reading.angle {
      directions.absorb(
        azimuth: angle.azimuth, elevation: angle.elevation, azimuthSigma: angle.azimuthSigma,
        elevationSigma: angle.elevationSigma, at: reading.time)
    }
  }

  /// Returns the estimate at a time, at or after the last reading.
  package func estimate(at time: Duration) -> PeerEstimate {
    var distance = ranges.predicted(at: time)
    var direction = directions.predicted(at: time)
    // A distance through an obstacle stays useful although its error is large: it is the last that is known.
    if let sigma = distance?.sigma, Self.isLost(sigma, shared: ranges.sharedVariance) { distance = nil }
    if let sigma = direction?.sigma, Self.isDirectionLost(sigma, shared: directions.sharedVariance) {
      direction = nil
    }
    return PeerEstimate(distance: distance, direction: direction)
  }
}
