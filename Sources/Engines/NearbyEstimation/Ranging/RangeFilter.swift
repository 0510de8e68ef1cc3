/// Estimates distance and rate of one peer from its ranges, as they come, with an honest standard deviation.
///
/// Ranges of ultra-wideband radios are good to centimetres until a body or a wall blocks the path: then they are up to
/// metres too long for seconds at a time. A filter that trusts them follows the blockage; one that distrusts them does
/// not notice when the peer really moves. This one keeps several explanations and lets the ranges decide.
///
/// **Input:** a range with its stated sigma, the receiver's opinion on whether the path was blocked, and its time
/// (`update`). Impossible ranges and those older than the last are ignored.
///
/// **Output:** a `RangeEstimate` at any time from the last range on (`predicted`), `nil` until there is a track; and
/// `lastInnovation`, what the last range did.
///
/// **States:** without a track, the two newest ranges that agreed with none are kept, and the track starts from the
/// first two that agree. With a `track` (a Kalman filter on distance and rate), each range is fused with a weight that
/// falls with its deviation, or rejected. Rejected ranges that agree with each other are a `challenger`, which takes the
/// track's place once it has enough witnesses for long enough. While ranges are too long, the track from before them is
/// `remembered`, and a range that agrees with it brings it back. A track whose sigma has grown too large is given up.
///
/// **Invariants:** time never runs backwards. All variances are positive and finite. Cost and memory per range are
/// constant; it allocates only while there is a challenger.
///
/// Derivation, figures and measured results: `Docs/range-filter.md`.
package struct RangeFilter: Sendable {
  private struct Sighting: Equatable, Sendable {
    var range: Double
    var variance: Double
    var time: Duration
  }
  /// A track that rejected ranges would make.
  private struct Challenger: Sendable {
    var track: RangeTrack
    var witnesses: Int
    var since: Duration
    var latest: Duration
  }
  /// The track as it was before ranges that were too long, carried on without them.
  private struct Remembered: Sendable {
    var track: RangeTrack
    var since: Duration
    /// Whether a range since was so much too long that it was no motion; and calm ranges in a row.
    var sawLeap = false
    var calm = 0
  }
  /// Ranges after which a track that was unsure is one to be defended.
  private static let firm: UInt8 = 3
  /// Whether the last range fused was suspicious, and to which side.
  private enum Suspect: Sendable { case none, tooLong, tooShort }

  // What every range needs comes first and is kept small: among thousands of peers it is memory that costs.
  /// Shared by all filters that take the same for granted: 200 octets that many peers need not hold each.
  private let constants: ImmutableBox<RangeFilterParameters>
  /// Learnt noise variance over the stated one.
  package private(set) var noiseScale = 1.0
  /// Learnt density of the acceleration over the one taken for granted.
  package private(set) var motionScale = 1.0
  private var track: RangeTrack?
  private var lastSuspect = Suspect.none
  /// Ranges that entered the track since it was last unsure.
  private var firmness: UInt8 = 0
  /// Time of the last range taken, and of the last that entered the track.
  private var time: Duration = .zero
  private var lastFused: Duration = .zero
  /// Rare, so it is kept elsewhere.
  private var challenger: ImmutableBox<Challenger>?
  /// What the last `update` made of its range; `nil` before the first.
  package private(set) var lastInnovation: RangeInnovation?
  /// The newest two ranges that nothing agreed with yet.
  private var newest: Sighting?
  private var older: Sighting?
  private var remembered: Remembered?

  private static let usual = ImmutableBox(RangeFilterParameters())

  package init(parameters: RangeFilterParameters = RangeFilterParameters()) {
    constants = parameters == Self.usual.value ? Self.usual : ImmutableBox(parameters)
  }

  /// Takes one range.
  ///
  /// - Parameters:
  ///   - range: Metres, antenna delay removed. Impossible values (not finite, far below zero) are ignored.
  ///   - sigma: Stated standard deviation, metres; where it is no positive number the usual one is taken.
  ///   - isLikelyNonLineOfSight: The receiver's judgement that the direct path was blocked.
  ///   - at: Time of the measurement. One before the last taken is ignored.
  /// - Returns: The estimate after it; `nil` until two ranges agreed.
  @discardableResult
  package mutating func update(
    range: Double, sigma: Double, isLikelyNonLineOfSight: Bool, at now: Duration
  ) -> RangeEstimate? {
    absorb(range: range, sigma: sigma, isLikelyNonLineOfSight: isLikelyNonLineOfSight, at: now)
    return predicted(at: now)
  }

  /// As `update`, for who asks for the estimate later.
  mutating func absorb(range: Double, sigma: Double, isLikelyNonLineOfSight: Bool, at now: Duration) {
    let isLate = (track != nil || newest != nil) && now < time
    guard range >= constants.value.smallestRange, range <= constants.value.largestRange, !isLate else {
      lastInnovation = RangeInnovation(verdict: .ignored)
      return
    }
    let variance = noiseVariance(sigma: sigma, isBlocked: isLikelyNonLineOfSight)
    let sighting = Sighting(range: range, variance: variance, time: now)
    let gap = (now - time) / .seconds(1)
    if var track {
      track.predict(over: gap, motion: motion)
      let lost = constants.value.sigmaWhenLost
      if track.distanceVariance <= lost * lost {
        time = now
        self.track = weigh(sighting, track, gap: gap)
        return
      }
    }
    time = now
    start(with: sighting)
  }

  /// Moves all that is held by a change of the distance since the last range that is known from elsewhere.
  ///
  /// - Parameters:
  ///   - change: Metres. What is not finite moves nothing.
  ///   - variance: Of the change, m².
  mutating func carry(by change: Double, variance: Double) {
    guard change.isFinite, variance.isFinite else { return }
    func carry(_ track: inout RangeTrack) {
      track.distance += change
      track.distanceVariance += variance
    }
    if var moved = track {
      carry(&moved)
      track = moved
    }
    if var moved = challenger?.value {
      carry(&moved.track)
      challenger = ImmutableBox(moved)
    }
    if var moved = remembered {
      carry(&moved.track)
      remembered = moved
    }
    newest?.range += change
    older?.range += change
  }

  /// The distance's variance by the filter's own covariance, m², without echoes; `nil` without a track.
  package var trackVariance: Double? { track?.distanceVariance }

  /// The estimate at a time, carried past the last range; `nil` before the filter has a track.
  ///
  /// For a time before the last range the estimate is the one at that range.
  package func predicted(at now: Duration) -> RangeEstimate? {
    guard var track else { return nil }
    if now > time { track.predict(over: (now - time) / .seconds(1), motion: motion) }
    // What a place's echoes add to all ranges alike stays in the estimate: no number of ranges averages it
    // away.
    let echoes = constants.value.echoSigma * constants.value.echoSigma
    return RangeEstimate(
      distance: max(0, track.distance), rate: track.rate,
      sigma: (track.distanceVariance + echoes).squareRoot())
  }

  /// Stated and learnt noise of one range, m². Source: `Docs/range-filter.md`, equation 8.
  private func noiseVariance(sigma: Double, isBlocked: Bool) -> Double {
    let stated = sigma > 0 && sigma < 1000 ? sigma : constants.value.usualSigma
    let own = max(stated, constants.value.smallestSigma)
    let blocked = isBlocked ? constants.value.blockedSigma : 0
    return own * own * noiseScale + blocked * blocked
  }

  /// Fuses, rejects, or gives way to a challenger.
  private mutating func weigh(
    _ sighting: Sighting, _ predicted: RangeTrack, gap: Double
  ) -> RangeTrack {
    var track = predicted
    let residual = sighting.range - track.distance
    let variance = track.distanceVariance + sighting.variance
    let deviation = residual.magnitude / variance.squareRoot()
    if let direct = recall(sighting, track, deviation: residual < 0 ? deviation : 0, gap: gap) {
      lastInnovation = RangeInnovation(verdict: .reacquired, residual: residual, variance: variance)
      return direct
    }
    let unsure = constants.value.sigmaWhenUnsure
    if track.distanceVariance > unsure * unsure { firmness = 0 }
    let isJump = deviation > constants.value.sigmasOfJump && isJump(residual, sighting, gap: gap)
    guard !isJump, residual.magnitude <= gate(track, sighting.variance, gap: gap) else {
      return reject(sighting, track, residual: residual, variance: variance)
    }
    learn(deviation, share: sighting.variance / variance, gap: gap)
    let weight = weight(of: residual, deviation: deviation)
    if deviation < 3 { challenger = nil }
    if residual > 0, deviation > constants.value.kneeTooLong, remembered == nil {
      remembered = Remembered(track: track, since: sighting.time)
    }
    if remembered != nil { doubtMemory(deviation: deviation, isTooLong: residual > 0) }
    track.fuse(residual: residual, variance: sighting.variance / weight)
    firmness = min(firmness + 1, Self.firm)
    lastFused = sighting.time
    lastInnovation = RangeInnovation(
      verdict: .fused(weight: weight), residual: residual, variance: variance)
    return track
  }

  /// The remembered track, if a range that is too short for the present one agrees with it.
  ///
  /// Forgets it after a while, and when both have become one. Source: `Docs/range-filter.md`, section 5.
  private mutating func recall(
    _ sighting: Sighting, _ track: RangeTrack, deviation: Double, gap: Double
  ) -> RangeTrack? {
    guard var memory = remembered else { return nil }
    guard (sighting.time - memory.since) / .seconds(1) <= constants.value.longestBurst else {
      remembered = nil
      return nil
    }
    memory.track.predict(over: gap, motion: motion)
    remembered = memory
    let residual = sighting.range - memory.track.distance
    let sigma = (memory.track.distanceVariance + sighting.variance).squareRoot()
    let apart = track.distance - memory.track.distance
    if deviation > constants.value.sigmasOfJump {
      let nearer = max(apart / 2, constants.value.leastReturn)
      let limit = min(constants.value.gateOfReturn * sigma, constants.value.largestReturn, nearer)
      guard residual.magnitude < limit else { return nil }
      memory.track.fuse(residual: residual, variance: sighting.variance)
      remembered = nil
      // Should the next range say that it was wrong to come back, this one was a wild one.
      challenger = ImmutableBox(
        Challenger(
          track: track, witnesses: constants.value.witnesses - 1, since: memory.since,
          latest: sighting.time))
      lastFused = sighting.time
      lastSuspect = .none
      return memory.track
    }
    let present = (track.distanceVariance + sighting.variance).squareRoot()
    let isCalm = (sighting.range - track.distance).magnitude < constants.value.kneeTooLong * present
    let areOne = isCalm && residual.magnitude < 2 * sigma && apart.magnitude < 2 * present
    if areOne { remembered = nil }
    return nil
  }

  /// Forgets the remembered track where the present one came about by motion: no leap, then calm ranges.
  private mutating func doubtMemory(deviation: Double, isTooLong: Bool) {
    guard var memory = remembered, !memory.sawLeap else { return }
    memory.sawLeap = isTooLong && deviation > constants.value.sigmasOfLeap
    memory.calm = deviation < constants.value.kneeTooLong ? memory.calm + 1 : 0
    remembered = memory.calm < constants.value.calmRanges ? memory : nil
  }

  /// Whether a range is farther than anything that moves could have got since the last one that entered.
  ///
  /// After a longer gap a jump can't be told from motion; and behind a range that was too short the track may be what
  /// is wrong. Source: `Docs/range-filter.md`, equation 10a.
  private func isJump(_ residual: Double, _ sighting: Sighting, gap: Double) -> Bool {
    let seconds = (sighting.time - lastFused) / .seconds(1)
    let motion = 0.5 * constants.value.largestAcceleration * seconds * seconds
    let noise = constants.value.sigmasOfJump * sighting.variance.squareRoot()
    let isAlone = gap > constants.value.longestStep || lastSuspect == .tooShort || firmness < Self.firm
    return !isAlone && residual > noise + motion
  }

  /// How much a range counts, over 0 to 1. Source: `Docs/range-filter.md`, equation 9.
  private mutating func weight(of residual: Double, deviation: Double) -> Double {
    let isTooLong = residual > 0
    let isSecond = lastSuspect == (isTooLong ? .tooLong : .tooShort)
    let isSuspicious = deviation > constants.value.kneeTooLong
    lastSuspect = isSuspicious ? (isTooLong ? .tooLong : .tooShort) : .none
    let knee = isTooLong ? constants.value.kneeTooLong : constants.value.kneeTooShort
    guard deviation > knee else { return 1 }
    let ratio = knee / deviation
    let weight = ratio * ratio * ratio * ratio
    return isSecond ? max(weight, constants.value.leastWeightOfSecond) : weight
  }

  /// The largest residual that can belong to a track `gap` seconds after the range before, metres.
  ///
  /// Source: `Docs/range-filter.md`, equation 10.
  private func gate(_ track: RangeTrack, _ noiseVariance: Double, gap: Double) -> Double {
    let dash = constants.value.fastest * min(gap, constants.value.longestDoubt)
    return constants.value.gateOfNoise * noiseVariance.squareRoot()
      + max(constants.value.gateOfMotion * track.distanceVariance.squareRoot(), dash)
  }

  /// Moves the learnt noise so that half of the deviations stay under the median of a normal one; and the learnt
  /// motion, where ranges are so seldom that the deviations are of motion.
  ///
  /// The median, as no outlier moves it far. Source: `Docs/range-filter.md`, equations 11 and 11a.
  private mutating func learn(_ deviation: Double, share: Double, gap: Double) {
    let parameters = constants.value
    // Φ⁻¹(¾): half of a normal variable's magnitudes are below.
    let side = deviation > 0.6745 ? 0.5 : -0.5
    let step = 1 + parameters.learningRate * share * side
    noiseScale = min(max(noiseScale * step, parameters.smallestNoiseScale), parameters.largestNoiseScale)
    guard gap > parameters.longestStep else { return }
    let push = 1 + parameters.motionLearningRate * (1 - share) * side
    motionScale = min(max(motionScale * push, parameters.smallestMotionScale), 1)
  }

  private var motion: RangeMotion {
    var motion = constants.value.motion
    motion.accelerationDensity *= motionScale
    return motion
  }

  /// Leaves a range out of the track, and lets it speak for another one.
  private mutating func reject(
    _ sighting: Sighting, _ track: RangeTrack, residual: Double, variance: Double
  ) -> RangeTrack {
    let successor = challenge(sighting, track)
    lastInnovation = RangeInnovation(
      verdict: successor == nil ? .rejected : .reacquired, residual: residual, variance: variance)
    return successor ?? track
  }

  /// Adds a rejected range to the challenger; returns the challenger's track once it convinces.
  private mutating func challenge(_ sighting: Sighting, _ track: RangeTrack) -> RangeTrack? {
    guard var rival = challenger?.value else {
      challenger = ImmutableBox(newChallenger(sighting))
      return nil
    }
    let gap = (sighting.time - rival.latest) / .seconds(1)
    rival.track.predict(over: gap, motion: motion)
    rival.latest = sighting.time
    let residual = sighting.range - rival.track.distance
    guard residual.magnitude <= gate(rival.track, sighting.variance, gap: gap) else {
      rival.witnesses -= 1
      challenger = ImmutableBox(rival.witnesses > 0 ? rival : newChallenger(sighting))
      return nil
    }
    rival.track.fuse(residual: residual, variance: sighting.variance)
    rival.witnesses += 1
    guard convinces(rival, track) else {
      challenger = ImmutableBox(rival)
      return nil
    }
    challenger = nil
    if rival.track.distance <= track.distance {
      remembered = nil
    } else {
      var memory = remembered ?? Remembered(track: track, since: sighting.time)
      memory.sawLeap = true
      remembered = memory
    }
    firmness = UInt8(min(rival.witnesses, Int(Self.firm)))
    lastFused = sighting.time
    return rival.track
  }

  private func newChallenger(_ sighting: Sighting) -> Challenger {
    Challenger(
      track: firstTrack(sighting), witnesses: 1, since: sighting.time, latest: sighting.time)
  }

  private func firstTrack(_ sighting: Sighting) -> RangeTrack {
    RangeTrack(
      distance: sighting.range, rate: 0, distanceVariance: sighting.variance,
      rateVariance: constants.value.firstRateSigma * constants.value.firstRateSigma)
  }

  /// Whether the ranges against a track outweigh it. Source: `Docs/range-filter.md`, section 5.
  private func convinces(_ rival: Challenger, _ track: RangeTrack) -> Bool {
    let unsure = constants.value.sigmaWhenUnsure
    if track.distanceVariance > unsure * unsure { return rival.witnesses >= 2 }
    // What rests on one range behind a gap gives way to two.
    if firmness < Self.firm, rival.witnesses >= 2, rival.witnesses > firmness { return true }
    let isBehindGap = (rival.since - lastFused) / .seconds(1) > constants.value.longestDoubt
    if isBehindGap { return rival.witnesses >= 3 }
    let jump = rival.track.distance - track.distance
    let isFarther = jump > 0
    let doubt = max(
      min(jump.magnitude / constants.value.fastest, constants.value.longestDoubt),
      isFarther ? constants.value.shortestDoubtFarther : constants.value.shortestDoubtNearer)
    let lasted = (rival.latest - (isFarther ? rival.since : lastFused)) / .seconds(1)
    return rival.witnesses >= constants.value.witnesses && lasted >= doubt
  }

  /// Starts from this range and an earlier one that agrees with it, or keeps it for a later one.
  ///
  /// Two agree when a peer no faster than the fastest gets from one to the other.
  private mutating func start(with sighting: Sighting) {
    track = nil
    challenger = nil
    remembered = nil
    lastInnovation = RangeInnovation(verdict: .pending)
    guard let earlier = agreeing(newest, sighting) ?? agreeing(older, sighting) else {
      older = newest
      newest = sighting
      return
    }
    var track = firstTrack(earlier)
    track.predict(over: (sighting.time - earlier.time) / .seconds(1), motion: motion)
    track.fuse(residual: sighting.range - track.distance, variance: sighting.variance)
    self.track = track
    firmness = 2
    lastFused = sighting.time
    newest = nil
    older = nil
  }

  private func agreeing(_ candidate: Sighting?, _ later: Sighting) -> Sighting? {
    guard let earlier = candidate, agree(earlier, later) else { return nil }
    return earlier
  }

  private func agree(_ earlier: Sighting, _ later: Sighting) -> Bool {
    // Without a bound on the time any two ranges agree after a long silence.
    let seconds = min((later.time - earlier.time) / .seconds(1), constants.value.longestMemory)
    let noise = (earlier.variance + later.variance).squareRoot()
    return (later.range - earlier.range).magnitude <= 4 * noise + constants.value.fastest * seconds
  }
}
