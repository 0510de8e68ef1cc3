import NearbyMaths

/// Estimates the distance and rate of one peer from its ranges as they arrive, with an honest standard
/// deviation.
///
/// Ultra-wideband ranges are good to centimetres until a body or a wall blocks the path. Then they are up to
/// metres too long for seconds at a time. A filter that trusts them follows the blockage; one that distrusts
/// them does not notice when the peer really moves. This filter keeps several explanations and lets the
/// ranges decide between them.
///
/// **Input:** `update` takes a range with its stated sigma, the receiver's judgement on whether the path was
/// blocked, and the time of the measurement. Impossible ranges and those older than the last one are ignored.
///
/// **Output:** `predicted` returns a `RangeEstimate` for any time from the last range on, or `nil` while
/// there is no track. `lastInnovation` says what the filter did with the last range.
///
/// **States:** without a track, the filter keeps the two newest ranges that agreed with no other, and starts
/// a track from the first pair that agrees. With a `track` (a Kalman filter on distance and rate), it rejects
/// a range or fuses it with a weight that falls with its deviation. Rejected ranges that agree with each
/// other form a `challenger`, which replaces the track once it has enough witnesses over enough time. While
/// ranges are too long, the track from before them is `remembered`, and a range that agrees with it brings it
/// back. A track whose sigma has grown too large is dropped.
///
/// **Invariants:** time never runs backwards. All variances are positive and finite. Cost and memory per
/// range are constant; the filter allocates only while there is a challenger.
///
/// `Docs/range-filter.md` has the derivation, the reasons for each figure and the measured results.
package struct RangeFilter: Sendable {
  private struct Sighting: Equatable, Sendable {
    var range: Double
    var variance: Double
    var time: Duration
  }
  /// The track that rejected ranges would make.
  private struct Challenger: Sendable {
    var track: RangeTrack
    var witnesses: Int
    var since: Duration
    var latest: Duration
  }
  /// The track from before ranges that were too long, predicted onwards without them.
  private struct Remembered: Sendable {
    var track: RangeTrack
    var since: Duration
    /// Whether a later range was too long by more than motion explains, and how many calm ranges have
    /// followed in a row.
    var sawLeap = false
    var calm = 0
  }
  private struct Anchor: Sendable {
    var distance: Double
    var time: Duration
  }
  /// Number of fused ranges after which an unsure track counts as firm and resists challengers.
  private static let firm: UInt8 = 3
  /// Whether the last fused range was suspicious, and in which direction.
  private enum Suspect: Sendable { case none, tooLong, tooShort }

  // Fields that every range needs come first and stay small: with thousands of peers, memory is what costs.
  /// All filters with default parameters share one box, which saves 200 octets per peer.
  private let constants: ImmutableBox<RangeFilterParameters>
  /// Learnt noise variance, relative to the stated one.
  package private(set) var noiseScale = 1.0
  /// Learnt acceleration density, relative to the assumed one.
  package private(set) var motionScale = 1.0
  /// Variance of the error that recent ranges share because their paths were probably blocked, m².
  private(set) var sharedVariance = 0.0
  private var track: RangeTrack?
  private var lastSuspect = Suspect.none
  /// Ranges fused since the track was last unsure, counted up to `firm`.
  private var firmness: UInt8 = 0
  /// Where the peer was when the track was last firm; `nil` since the track started.
  private var anchor: Anchor?
  /// Times of the last accepted range and of the last one that entered the track.
  private var time: Duration = .zero
  private var lastFused: Duration = .zero
  /// Boxed because it is rarely present.
  private var challenger: ImmutableBox<Challenger>?
  /// What the last `update` did with its range; `nil` before the first.
  package private(set) var lastInnovation: RangeInnovation?
  /// The two newest ranges that no other has agreed with yet.
  private var newest: Sighting?
  private var older: Sighting?
  private var remembered: Remembered?

  private static let usual = ImmutableBox(RangeFilterParameters())

  package init(parameters: RangeFilterParameters = RangeFilterParameters()) {
    constants = parameters == Self.usual.value ? Self.usual : ImmutableBox(parameters)
  }

  /// Adds one range.
  ///
  /// - Parameters:
  ///   - range: In metres, with the antenna delay removed. Impossible values (not finite, far below zero) are
  ///     ignored.
  ///   - sigma: Stated standard deviation in metres; a value that is not positive is replaced by the usual
  ///     one.
  ///   - isLikelyNonLineOfSight: The receiver's judgement that the direct path was blocked; `nil` if it makes none.
  ///   - at: Time of the measurement. A range older than the last one is ignored.
  /// - Returns: The estimate after this range; `nil` until two ranges have agreed.
  @discardableResult
  package mutating func update(
    range: Double, sigma: Double, isLikelyNonLineOfSight: Bool?, at now: Duration
  ) -> RangeEstimate? {
    absorb(range: range, sigma: sigma, isLikelyNonLineOfSight: isLikelyNonLineOfSight, at: now)
    return predicted(at: now)
  }

  /// Does what `update` does, without computing the estimate.
  ///
  /// - Parameter blockedProbability: Probability that the direct path was blocked; replaces the receiver's judgement.
  mutating func absorb(
    range: Double, sigma: Double, isLikelyNonLineOfSight: Bool?, blockedProbability: Double? = nil,
    at now: Duration
  ) {
    let blocked = BlockedPathError.checked(blockedProbability)
    let isLate = (track != nil || newest != nil) && now < time
    guard range >= constants.value.smallestRange, range <= constants.value.largestRange, !isLate else {
      lastInnovation = RangeInnovation(verdict: .ignored)
      return
    }
    let excess = blocked.map(BlockedPathError.variance)
    // A receiver's mere mark is too coarse to correct a range by, but its user has to know what it may hide.
    let shared = (blocked ?? isLikelyNonLineOfSight.map(BlockedPathModel.probability(isMarked:)))
      .map(BlockedPathError.sharedVariance)
    let isMarked = isLikelyNonLineOfSight == true && blocked == nil
    let variance = noiseVariance(sigma: sigma, isBlocked: isMarked) + (excess ?? 0)
    let longest = blocked.map(BlockedPathError.lengthening) ?? 0
    var sighting = Sighting(range: range, variance: variance, time: now)
    let gap = (now - time).dividedBySecond
    if var track {
      track.predict(over: gap, motion: motion)
      let lost = constants.value.sigmaWhenLost
      if track.distanceVariance <= lost * lost {
        time = now
        // An obstacle only lengthens: at most the part of the range beyond the track is put down to it.
        sighting.range = range - min(longest, max(0, range - track.distance))
        shareBlockedError(shared, seconds: gap)
        self.track = weigh(sighting, track, gap: gap)
        return
      }
    }
    time = now
    sharedVariance = shared ?? 0
    start(with: sighting)
  }

  /// Follows how much the error of recent ranges is the obstacle's, which no number of ranges averages away.
  private mutating func shareBlockedError(_ shared: Double?, seconds: Double) {
    guard let shared else { return sharedVariance = 0 }
    let share = min(1, seconds / constants.value.blockedMemory)
    sharedVariance += max(share, constants.value.leastBlockedShare) * (shared - sharedVariance)
  }

  /// Shifts everything the filter holds by a change of distance since the last range that is known from
  /// elsewhere, for example from the device's own motion.
  ///
  /// - Parameters:
  ///   - change: In metres; ignored unless finite.
  ///   - variance: Variance of the change, m²; the whole call is ignored unless this is finite.
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
    anchor?.distance += change
    newest?.range += change
    older?.range += change
  }

  /// Distance variance of the filter's own covariance, m², without the echo term; `nil` without a track.
  package var trackVariance: Double? { track?.distanceVariance }

  /// Returns the estimate at a time, predicted past the last range; `nil` before the filter has a track.
  ///
  /// For a time before the last range it returns the estimate at that range.
  package func predicted(at now: Duration) -> RangeEstimate? {
    guard var track else { return nil }
    if now > time { track.predict(over: (now - time).dividedBySecond, motion: motion) }
    // A place's echoes add the same error to all its ranges, so no number of ranges averages it away.
    let echoes = constants.value.echoSigma * constants.value.echoSigma
    return RangeEstimate(
      distance: max(0, track.distance), rate: track.rate,
      sigma: (track.distanceVariance + echoes + sharedVariance).squareRoot())
  }

  /// Combines stated and learnt noise of one range, m². Source: `Docs/range-filter.md`, equation 8.
  private func noiseVariance(sigma: Double, isBlocked: Bool) -> Double {
    let stated = sigma > 0 && sigma < 1000 ? sigma : constants.value.usualSigma
    let own = max(stated, constants.value.smallestSigma)
    let blocked = isBlocked ? constants.value.blockedSigma : 0
    return own * own * noiseScale + blocked * blocked
  }

  /// Fuses a range, rejects it, or replaces the track by a remembered one or a challenger.
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
    if firmness == Self.firm { anchor = Anchor(distance: track.distance, time: sighting.time) }
    lastFused = sighting.time
    lastInnovation = RangeInnovation(
      verdict: .fused(weight: weight), residual: residual, variance: variance)
    return track
  }

  /// Returns the remembered track if a range that is too short for the present one agrees with it.
  ///
  /// Drops the remembered track when it is too old or has become the same as the present one. Source:
  /// `Docs/range-filter.md`, section 5.
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
      // One witness short: if the next range contradicts this return, this range was the wild one.
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

  /// Drops the remembered track if motion explains the present one: no leap, then several calm ranges.
  private mutating func doubtMemory(deviation: Double, isTooLong: Bool) {
    guard var memory = remembered, !memory.sawLeap else { return }
    memory.sawLeap = isTooLong && deviation > constants.value.sigmasOfLeap
    memory.calm = deviation < constants.value.kneeTooLong ? memory.calm + 1 : 0
    remembered = memory.calm < constants.value.calmRanges ? memory : nil
  }

  /// Whether a range is longer than any motion since the last fused range explains.
  ///
  /// After a longer gap, a jump cannot be told from motion. After a range that was too short, the track
  /// itself may be wrong. Source: `Docs/range-filter.md`, equation 10a.
  private func isJump(_ residual: Double, _ sighting: Sighting, gap: Double) -> Bool {
    let seconds = (sighting.time - lastFused).dividedBySecond
    let motion = 0.5 * constants.value.largestAcceleration * seconds * seconds
    let noise = constants.value.sigmasOfJump * sighting.variance.squareRoot()
    let isAlone = gap > constants.value.longestStep || lastSuspect == .tooShort || firmness < Self.firm
    return !isAlone && residual > noise + motion
  }

  /// Returns the weight of a range, above 0 and at most 1. Source: `Docs/range-filter.md`, equation 9.
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

  /// Largest residual that can belong to a track `gap` seconds after the previous range, metres.
  ///
  /// Source: `Docs/range-filter.md`, equation 10.
  private func gate(_ track: RangeTrack, _ noiseVariance: Double, gap: Double) -> Double {
    let dash = constants.value.fastest * min(gap, constants.value.longestDoubt)
    return constants.value.gateOfNoise * noiseVariance.squareRoot()
      + max(constants.value.gateOfMotion * track.distanceVariance.squareRoot(), dash)
  }

  /// Adapts the noise scale so that half of the deviations stay below the median of a normal variable, and
  /// the motion scale where ranges are so sparse that deviations come from motion.
  ///
  /// It aims at the median because no outlier moves it far. Source: `Docs/range-filter.md`, equations 11 and
  /// 11a.
  private mutating func learn(_ deviation: Double, share: Double, gap: Double) {
    let parameters = constants.value
    // Φ⁻¹(¾): half of a normal variable's magnitudes are below it.
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

  /// Leaves a range out of the track and counts it for the challenger.
  private mutating func reject(
    _ sighting: Sighting, _ track: RangeTrack, residual: Double, variance: Double
  ) -> RangeTrack {
    let successor = challenge(sighting, track)
    lastInnovation = RangeInnovation(
      verdict: successor == nil ? .rejected : .reacquired, residual: residual, variance: variance)
    return successor ?? track
  }

  /// Adds a rejected range to the challenger and returns the challenger's track once it convinces.
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
    if firmness == Self.firm { anchor = Anchor(distance: rival.track.distance, time: sighting.time) }
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

  /// Whether the evidence for a challenger outweighs the track. Source: `Docs/range-filter.md`, section 5.
  private func convinces(_ rival: Challenger, _ track: RangeTrack) -> Bool {
    if isWithinReach(rival) {
      let unsure = constants.value.sigmaWhenUnsure
      if track.distanceVariance > unsure * unsure { return rival.witnesses >= 2 }
      // A track that rests on one range after a gap yields to two.
      if firmness < Self.firm, rival.witnesses >= 2, rival.witnesses > firmness { return true }
      let isBehindGap = (rival.since - lastFused) / .seconds(1) > constants.value.longestDoubt
      if isBehindGap { return rival.witnesses >= 3 }
    }
    let jump = rival.track.distance - track.distance
    let isFarther = jump > 0
    let doubt = max(
      min(jump.magnitude / constants.value.fastest, constants.value.longestDoubt),
      isFarther ? constants.value.shortestDoubtFarther : constants.value.shortestDoubtNearer)
    let lasted = (rival.latest - (isFarther ? rival.since : lastFused)) / .seconds(1)
    return rival.witnesses >= constants.value.witnesses && lasted >= doubt
  }

  /// Whether the peer can have moved to a challenger since the track was last firm: on foot, or at the speed that the
  /// challenger itself shows. A silence must not let a short burst of wild ranges move it further.
  private func isWithinReach(_ rival: Challenger) -> Bool {
    guard let anchor else { return true }
    let seconds = (rival.latest - anchor.time) / .seconds(1)
    let speed = max(constants.value.fastest, rival.track.rate.magnitude)
    let noise = constants.value.gateOfNoise * rival.track.distanceVariance.squareRoot()
    return (rival.track.distance - anchor.distance).magnitude <= speed * seconds + noise
  }

  /// Starts a track from this range and an earlier one that agrees with it, or keeps the range for a later
  /// one.
  ///
  /// Two ranges agree if a peer at the fastest assumed speed can get from one to the other.
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
    anchor = nil
    lastFused = sighting.time
    newest = nil
    older = nil
  }

  private func agreeing(_ candidate: Sighting?, _ later: Sighting) -> Sighting? {
    guard let earlier = candidate, agree(earlier, later) else { return nil }
    return earlier
  }

  private func agree(_ earlier: Sighting, _ later: Sighting) -> Bool {
    // Without this bound, any two ranges would agree after a long silence.
    let seconds = min((later.time - earlier.time) / .seconds(1), constants.value.longestMemory)
    let noise = (earlier.variance + later.variance).squareRoot()
    return (later.range - earlier.range).magnitude <= 4 * noise + constants.value.fastest * seconds
  }
}
