import NearbyMaths

/// Distance of one object from its ranges and from where a locator takes it to be.
///
/// The camera tells how the device moves, the locator where the object is: together they predict every change of
/// range, free of the noise, and of the errors that ranges from one place share. A `RangeFilter` is carried along by
/// the predicted changes, but follows the ranges. Where both agree, the place decides; where they do not, it is weighed
/// whether the path is blocked (the place holds) or the object has moved or was never there (the ranges hold). Without a place, or with
/// places that disagree, it is the plain filter. Constant cost, no allocation. Source: `Docs/range-filter.md`,
/// section 9.
package struct AssistedRangeFilter: Sendable {
  package private(set) var ranges: RangeFilter
  package var parameters = AssistedRangeParameters()
  /// What ranges exceed the places' distances by on average, metres, and how many ranges' worth it is known from.
  package private(set) var bias = 0.0
  private var biasWeight: Double
  /// Since when ranges have contradicted the place, and to which side.
  private var contradiction: (since: Duration, isTooLong: Bool)?
  private var time = Duration.zero
  /// Where the antenna was at the last range.
  private var antenna: SIMD3<Double>?

  package init(ranges: RangeFilterParameters = RangeFilterParameters()) {
    self.ranges = RangeFilter(parameters: ranges)
    biasWeight = AssistedRangeParameters().biasPriorCount
  }

  /// Takes one range, once the locator has taken it.
  ///
  /// - Parameters:
  ///   - reading: Also given to the locator that `hypotheses` are from.
  ///   - sigma: Stated standard deviation of the range, metres.
  ///   - hypotheses: Where the object may be, in the track's frame.
  /// - Returns: The distance from the antenna to the object; `nil` until ranges or places tell one.
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
      range: reading.range, sigma: sigma, isLikelyNonLineOfSight: reading.isObstructed, at: reading.time)
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

  /// The distance from a point of the track's frame to the object, at or after the last range.
  ///
  /// An antenna's place gives what a range there would be without error; the device's origin what apps are told.
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

  /// How far the object is by its possible places alone.
  private struct Place {
    var distance: Double
    /// Of what is known of the places, and of how they disagree, m².
    var variance: Double
    /// Of the place itself, in the level plane, m²: a ring of places has one distance.
    var levelVariance: Double
  }

  /// Beyond this, metres, a place is none.
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

  /// By how much the distance changes from one point to another, and how sure that is, m².
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
      // The distance's gradient is the direction; what the place's uncertainty does to the change is its turn.
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

  /// Moves the learnt bias by what a range exceeds it, within bounds that no outlier passes.
  private mutating func learn(_ excess: Double, _ place: Place, seconds: Double) {
    let limit = parameters.biasLearningSigma
    guard place.variance < limit * limit else { return }
    biasWeight = min(biasWeight + seconds, parameters.biasMemory)
    bias += max(-limit, min(limit, excess)) * min(1, seconds / biasWeight)
  }

  // MARK: Weighing

  /// The expectation over: the place holds; it holds and the path is blocked; the ranges hold.
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
    // Each case's own variance, and how far its mean is from the common one.
    func apart(_ mean: Double) -> Double { (mean - shift) * (mean - shift) }
    let spread =
      asHeld * (share * noise + apart(excess * share)) + asMoved * (noise + apart(excess))
      + (blocked / total) * (place.variance + apart(0))
    return RangeEstimate(
      distance: max(0, place.distance + shift), rate: plain.rate, sigma: spread.squareRoot())
  }

  /// Ranges that contradict the place mean a move the likelier the longer they do; those too short sooner.
  private func movedOdds() -> Double {
    guard let contradiction else { return parameters.movedOdds }
    let patience = contradiction.isTooLong ? parameters.blockedTime : parameters.wildTime
    return parameters.movedOdds * Maths.exp(min(20, (time - contradiction.since) / .seconds(1) / patience))
  }

  /// Of a normal variable with mean 0.
  private static func density(_ x: Double, _ variance: Double) -> Double {
    Maths.exp(-0.5 * x * x / variance) / (2 * Double.pi * variance).squareRoot()
  }
}

/// What `AssistedRangeFilter` takes for granted. Every default is a physical statement.
package struct AssistedRangeParameters: Equatable, Sendable {
  /// What a place is never known better than, metres: track, antenna's phase centre.
  static let placeSigma = 0.03
  /// What ranges from one place have in common beyond the radio's bias, metres (measured: 0.05 to 0.12).
  package var sharedSigma = 0.10
  /// Odds against the usual that a path is blocked, the mean length it adds, metres, and after how many seconds too
  /// long ranges become e times likelier to mean a move.
  package var blockedOdds = 0.05
  package var blockedLength = 0.7
  package var blockedTime = 1.5
  /// Odds of wild ranges, how far they reach, metres, and after how many seconds too short they become e times likelier
  /// to mean a move.
  package var wildOdds = 0.02
  package var wildLength = 10.0
  package var wildTime = 0.3
  /// A place known to this in the level plane, metres or a share of its distance, tells a blocked path; one known to
  /// twice that, not at all: that ranges fit a place says nothing before the device has walked.
  package var blockedKnownSigma = 0.4
  package var blockedKnownShare = 0.1
  /// Odds that the object isn't where it was, and how far it then is: half of the time within this, metres (Cauchy).
  package var movedOdds = 0.01
  package var awaySigma = 2.0
  /// Without any track of ranges a place alone is told if it is known to this, metres.
  package var largestFirstSigma = 0.5
  /// Places known better than this teach the bias, and no range moves it by more, metres.
  package var biasLearningSigma = 0.15
  /// Seconds of ranges that the expectation of no bias is worth, and after how many older ones are forgotten.
  package var biasPriorCount = 3.0
  package var biasMemory = 60.0

  package init() {}
}
