import NearbyMaths

/// Estimates the distance of one object from its ranges and from where a locator believes it to be.
///
/// The camera says how the device moves and the locator says where the object is. Together they predict every
/// change of range, without the noise and the errors that ranges from one place share. A `RangeFilter` is
/// shifted by the predicted changes and follows the ranges. Where range and place agree, the place decides.
/// Where they do not, the filter weighs whether the path is blocked (then the place is right) or the object
/// has moved or was never there (then the ranges are right). Without a place, or with places that disagree,
/// it acts like the plain filter. Its cost is constant, and it does not allocate. Source:
/// `Docs/range-filter.md`, section 9.
package struct AssistedRangeFilter: Sendable {
  package private(set) var ranges: RangeFilter
  package var parameters = AssistedRangeParameters()
  /// Average excess of ranges over the places' distances, metres. `biasWeight` is the seconds of ranges it
  /// rests on.
  package private(set) var bias = 0.0
  private var biasWeight: Double
  /// When ranges began to contradict the place, and in which direction.
  private var contradiction: (since: Duration, isTooLong: Bool)?
  private var time = Duration.zero
  /// Position of the antenna at the last range.
  private var antenna: SIMD3<Double>?

  package init(ranges: RangeFilterParameters = RangeFilterParameters()) {
    self.ranges = RangeFilter(parameters: ranges)
    biasWeight = AssistedRangeParameters().biasPriorCount
  }

  /// Adds one range, after the locator has received it.
  ///
  /// - Parameters:
  ///   - reading: The reading that the locator received.
  ///   - sigma: Stated standard deviation of the range in metres.
  ///   - hypotheses: The locator's places for the object, in the track's frame.
  /// - Returns: The distance from the antenna to the object; `nil` until ranges or places determine one.
  @discardableResult
  package mutating func update(
    _ reading: AssistanceReading, sigma: Double = 0.1, hypotheses: [ObjectHypothesis]
  ) -> RangeEstimate? {
    let here = reading.pose.inWorld(reading.antennaInDevice)
    if let antenna {
      let change = Self.change(hypotheses, from: antenna, to: here)
      ranges.carry(by: change.mean, variance: change.variance)
    }
    antenna = here
    ranges.absorb(
      range: reading.range, sigma: sigma, isLikelyNonLineOfSight: reading.isObstructed,
      blockedProbability: reading.blockedProbability, at: reading.time)
    let interval = max(0, min((reading.time - time) / .seconds(1), 1))
    time = max(time, reading.time)
    guard let plain = ranges.predicted(at: reading.time), let place = Self.place(hypotheses, from: here)
    else { return estimate(at: reading.time, from: here, hypotheses: hypotheses) }
    let excess = plain.distance - place.distance - bias
    let deviation = (place.variance + plain.sigma * plain.sigma).squareRoot()
    if excess.magnitude < 3 * deviation {
      contradiction = nil
    } else if contradiction?.isTooLong != (excess > 0) {
      contradiction = (since: reading.time, isTooLong: excess > 0)
    }
    learn(excess, place, seconds: interval)
    return fused(plain, place)
  }

  /// Variance of the error that recent ranges share because their paths were probably blocked, m².
  package var sharedVariance: Double { ranges.sharedVariance }

  /// Returns the distance from a point of the track's frame to the object, at or after the last range.
  ///
  /// For an antenna's position this is what an error-free range would be there; apps are given it for the
  /// device's origin.
  package func estimate(
    at now: Duration, from point: SIMD3<Double>, hypotheses: [ObjectHypothesis]
  ) -> RangeEstimate? {
    let place = Self.place(hypotheses, from: point)
    guard var plain = ranges.predicted(at: now) else {
      guard let place, place.variance < parameters.largestFirstSigma * parameters.largestFirstSigma else {
        return nil
      }
      return RangeEstimate(distance: place.distance, rate: 0, sigma: place.variance.squareRoot())
    }
    guard let place, let antenna else { return plain }
    let change = Self.change(hypotheses, from: antenna, to: point)
    plain.distance += change.mean
    plain.sigma = (plain.sigma * plain.sigma + change.variance).squareRoot()
    return fused(plain, place)
  }

  // MARK: Places

  /// How far away the object is, judging by its possible places alone.
  private struct Place {
    var distance: Double
    /// Variance of the distance, from the uncertainty of each place and their disagreement, m².
    var variance: Double
    /// Variance of the place itself in the level plane, m². A ring of places has one distance but a large
    /// variance.
    var levelVariance: Double
  }

  /// Distance in metres beyond which a place is ignored.
  private static let farthest = 1e5

  /// Mean and variance of the distance over all hypotheses. Mirror images agree on it.
  private static func place(_ hypotheses: [ObjectHypothesis], from point: SIMD3<Double>) -> Place? {
    var (total, mean, square, spread) = (0.0, 0.0, 0.0, 0.0)
    var (centre, level) = (SIMD2<Double>.zero, 0.0)
    for hypothesis in hypotheses {
      let across = hypothesis.position - point
      let length = (across * across).sum().squareRoot()
      guard length > 1e-6, length < farthest, hypothesis.weight > 0, hypothesis.weight <= 1 else { continue }
      total += hypothesis.weight
      mean += hypothesis.weight * length
      square += hypothesis.weight * length * length
      spread += hypothesis.weight * max(0, hypothesis.variance(along: across / length))
      let offset = SIMD2(across.x, across.y)
      centre += hypothesis.weight * offset
      level += hypothesis.weight * ((offset * offset).sum() + max(0, hypothesis.horizontalVariance))
    }
    guard total > 0.5 else { return nil }
    mean /= total
    let variance = max(0, square / total - mean * mean) + spread / total
    guard variance < farthest * farthest else { return nil }
    let echo = AssistedRangeParameters.placeSigma
    centre /= total
    return Place(
      distance: mean, variance: variance + echo * echo,
      levelVariance: max(0, level / total - (centre * centre).sum()))
  }

  /// By how much the distance changes between two points, metres, and the variance of that change, m².
  private static func change(
    _ hypotheses: [ObjectHypothesis], from start: SIMD3<Double>, to end: SIMD3<Double>
  ) -> (mean: Double, variance: Double) {
    var (total, mean, square) = (0.0, 0.0, 0.0)
    for hypothesis in hypotheses {
      let (before, after) = (hypothesis.position - start, hypothesis.position - end)
      let lengths = SIMD2((before * before).sum().squareRoot(), (after * after).sum().squareRoot())
      guard lengths.min() > 1e-6, lengths.max() < farthest, hypothesis.weight > 0, hypothesis.weight <= 1
      else { continue }
      let change = lengths.y - lengths.x
      // The change varies with the place along the difference of both unit vectors.
      let own = hypothesis.variance(along: after / lengths.y - before / lengths.x)
      total += hypothesis.weight
      mean += hypothesis.weight * change
      square += hypothesis.weight * (change * change + max(0, own))
    }
    guard total > 0.5 else { return (0, 0) }
    mean /= total
    let variance = max(0, square / total - mean * mean)
    return variance < farthest * farthest ? (mean, variance) : (0, 0)
  }

  /// Moves the learnt bias towards a range's excess, clipped so that no outlier moves it far.
  private mutating func learn(_ excess: Double, _ place: Place, seconds: Double) {
    let limit = parameters.biasLearningSigma
    guard place.variance < limit * limit else { return }
    biasWeight = min(biasWeight + seconds, parameters.biasMemory)
    bias += max(-limit, min(limit, excess)) * min(1, seconds / biasWeight)
  }

  // MARK: Weighing

  /// Averages three cases: the place holds; it holds and the path is blocked or the range wild; the ranges
  /// hold.
  ///
  /// Source: `Docs/range-filter.md`, equations 18 and 19.
  private func fused(_ plain: RangeEstimate, _ place: Place) -> RangeEstimate {
    let excess = plain.distance - bias - place.distance
    let noise = plain.sigma * plain.sigma + parameters.sharedSigma * parameters.sharedSigma
    let variance = place.variance + noise
    let share = place.variance / variance
    let deviation = variance.squareRoot()
    let known = max(parameters.blockedKnownSigma, parameters.blockedKnownShare * place.distance)
    let isPlaced = max(0, min(1, 2 - place.levelVariance.squareRoot() / known))
    let held = Self.density(excess, variance)
    let burst = parameters.blockedLength
    let isNear = excess.magnitude < parameters.wildLength
    let wild = isNear ? parameters.wildOdds / (2 * parameters.wildLength) : 0
    let blocked =
      isPlaced * (wild + (excess > 0 ? parameters.blockedOdds * Maths.exp(-excess / burst) / burst : 0))
    let away = excess / (parameters.awaySigma + deviation)
    let moved =
      movedOdds() / (Double.pi * (parameters.awaySigma + deviation) * (1 + away * away))
    let total = held + blocked + moved
    guard total > 1e-300 else { return plain }
    let (asHeld, asMoved) = (held / total, moved / total)
    let shift = excess * (asHeld * share + asMoved)
    // The mixture's variance: each case's own, plus its mean's squared distance from the common mean.
    func apart(_ mean: Double) -> Double { (mean - shift) * (mean - shift) }
    let spread =
      asHeld * (share * noise + apart(excess * share)) + asMoved * (noise + apart(excess))
      + (blocked / total) * (place.variance + apart(0))
    return RangeEstimate(
      distance: max(0, place.distance + shift), rate: plain.rate, sigma: spread.squareRoot())
  }

  /// Odds that the object has moved. They grow while ranges contradict the place, faster if these are too
  /// short.
  private func movedOdds() -> Double {
    guard let contradiction else { return parameters.movedOdds }
    let patience = contradiction.isTooLong ? parameters.blockedTime : parameters.wildTime
    return parameters.movedOdds * Maths.exp(min(20, (time - contradiction.since) / .seconds(1) / patience))
  }

  /// Density of a normal variable with mean 0.
  private static func density(_ x: Double, _ variance: Double) -> Double {
    Maths.exp(-0.5 * x * x / variance) / (2 * Double.pi * variance).squareRoot()
  }
}

/// What `AssistedRangeFilter` assumes. Every default is a physical statement.
package struct AssistedRangeParameters: Equatable, Sendable {
  /// Smallest standard deviation of a place's distance, metres: limits of the track and the antenna's phase
  /// centre.
  static let placeSigma = 0.03
  /// Error that ranges from one place share beyond the radio's bias, metres (measured: 0.05 to 0.12).
  package var sharedSigma = 0.10
  /// Odds that a path is blocked, the mean length this adds in metres, and after how many seconds of too-long
  /// ranges a move becomes e times likelier.
  package var blockedOdds = 0.05
  package var blockedLength = 0.7
  package var blockedTime = 1.5
  /// Odds of wild ranges, how far off they are at most in metres, and after how many seconds of too-short
  /// ranges a move becomes e times likelier.
  package var wildOdds = 0.02
  package var wildLength = 10.0
  package var wildTime = 0.3
  /// A blocked path can be recognised if the place is known in the level plane to `blockedKnownSigma` metres
  /// or to `blockedKnownShare` of its distance, and not at all at twice that uncertainty. Before the device
  /// has walked, ranges fit a whole ring of places, so that their agreement says nothing.
  package var blockedKnownSigma = 0.4
  package var blockedKnownShare = 0.1
  /// Odds that the object is elsewhere, and the median distance from its place if so, metres (Cauchy).
  package var movedOdds = 0.01
  package var awaySigma = 2.0
  /// Largest standard deviation with which a place alone is reported as long as there is no track of ranges,
  /// metres.
  package var largestFirstSigma = 0.5
  /// Places known better than this update the bias, and each range's excess is clipped to it, metres.
  package var biasLearningSigma = 0.15
  /// Seconds of ranges that the initial assumption of zero bias counts for, and the memory of the mean in
  /// seconds.
  package var biasPriorCount = 3.0
  package var biasMemory = 60.0

  package init() {}
}
