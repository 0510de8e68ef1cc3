extension ObjectLocator {
  /// Returns what is known now.
  ///
  /// - Parameters:
  ///   - forwardInDevice: Unit vector of the axis from which `horizontalAngle` counts.
  ///   - previous: The vertical estimate reported last, for hysteresis.
  /// - Returns: `nil` before the first range, or if the pose is unusable.
  package func estimate(
    at time: Duration, pose: DevicePose, forwardInDevice: SIMD3<Double> = SIMD3(0, 0, -1),
    previous: VerticalEstimate = .unknown, conditions: AssistanceConditions = AssistanceConditions()
  ) -> AssistanceEstimate? {
    guard let best = hypotheses.first, let last = frames.last else { return nil }
    var pose = pose
    guard pose.normalise() else { return nil }
    let summary = summarise(around: best)
    let across = summary.position - pose.positionInWorld
    let distance = HypothesisSolver.length(across)
    let horizontalDistance = (across.x * across.x + across.y * across.y).squareRoot()
    // Chosen: half a metre, or 0.3 rad as seen from the device.
    let isPlace = summary.horizontalSigma < max(0.5, 0.3 * distance)
    var estimate = AssistanceEstimate(
      time: time, distance: last.range, distanceSigma: best.rangeSigma, positionInWorld: nil,
      horizontalSigma: summary.horizontalSigma, verticalSigma: summary.verticalSigma, horizontalAngle: nil,
      isDirectionSeen: isDirectionSeen, vertical: .unknown,
      reasons: reasons(summary, distance: distance, conditions))
    guard isPlace, distance > 1e-6 else { return estimate }
    estimate.positionInWorld = summary.position
    estimate.distance = distance
    estimate.distanceSigma =
      (best.variance(along: across / distance) + parameters.echoSigma * parameters.echoSigma).squareRoot()
    estimate.covariance = summary.covariance
    estimate.velocityInWorld = best.velocity
    if horizontalDistance > max(0.2, 2 * summary.horizontalSigma) {
      estimate.horizontalAngle = DevicePose.levelAngle(
        from: pose.turned(forwardInDevice), to: across)
      let side = SIMD2(-across.y, across.x) / horizontalDistance
      let c = summary.covariance
      let variance = side.x * side.x * c[0] + 2 * side.x * side.y * c[1] + side.y * side.y * c[3]
      estimate.horizontalAngleSigma = variance.squareRoot() / horizontalDistance
    }
    let upright = summary.verticalSigma * horizontalDistance / distance
    if max(summary.horizontalSigma, upright) < 0.3 * distance {
      estimate.directionInDevice = pose.inDevice(across / distance)
    }
    estimate.vertical = vertical(summary, across: across, distance: distance, previous: previous)
    return estimate
  }

  /// All hypotheses condensed to one place.
  struct Summary {
    var position: SIMD3<Double>
    var horizontalSigma: Double
    var verticalSigma: Double
    var covariance: SIMD8<Double>
    /// Total weight of the hypotheses above and below the antenna.
    var above = 0.0
    var below = 0.0
  }

  /// Averages the hypotheses horizontally near the best one for the position, and all of them for its
  /// covariance.
  private func summarise(around best: ObjectHypothesis) -> Summary {
    // Two standard deviations; 0.3 m is the error up to which a place counts as right in `Docs/assistance.md`.
    let near = max(0.3, 2 * best.horizontalVariance.squareRoot())
    func isNear(_ h: ObjectHypothesis) -> Bool {
      let d = h.position - best.position
      return d.x * d.x + d.y * d.y < near * near
    }
    var mean = SIMD3<Double>.zero
    var total = 0.0
    for h in hypotheses where isNear(h) {
      mean += h.weight * h.position
      total += h.weight
    }
    let position = total > 0 ? mean / total : best.position
    let echo = parameters.echoSigma * parameters.echoSigma
    var c = SIMD8(echo, 0, 0, echo, 0, echo, 0, 0)
    for h in hypotheses {
      let d = h.position - position
      let apart = SIMD8(d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z, 0, 0)
      c += h.weight * (h.covariance + apart)
    }
    // The jackknife sees errors that residuals hide, so the covariance is never smaller than that.
    if observed[0].isFinite {
      let excess = max(1, (observed[0] + observed[2]) / (c[0] + c[3]))
      c *= SIMD8(excess, excess, 1, excess, 1, max(1, observed[3] / c[5]), 1, 1)
    }
    var summary = Summary(
      position: position, horizontalSigma: (c[0] + c[3]).squareRoot(), verticalSigma: c[5].squareRoot(),
      covariance: c)
    for h in hypotheses {
      let height = h.position.z - (now?.antenna.z ?? 0)
      if height > 0 { summary.above += h.weight } else { summary.below += h.weight }
    }
    return summary
  }

  /// Reports above or below from a step's height on, and until half of it (`Docs/assistance.md`, section 7).
  private func vertical(
    _ summary: Summary, across: SIMD3<Double>, distance: Double, previous: VerticalEstimate
  ) -> VerticalEstimate {
    let height = across.z
    // `Docs/assistance.md`, section 7: a tenth of the weight on each side. The half metre of spread was chosen.
    let isSplit = min(summary.above, summary.below) > 0.1 && summary.verticalSigma > 0.5
    if isSplit { return .aboveOrBelow }
    if summary.verticalSigma > max(parameters.verticalSigma, 0.3 * distance) { return .unknown }
    let wasAway = previous == .above || previous == .below
    let threshold = wasAway ? 0.4 : 0.8
    if height > threshold { return .above }
    if height < -threshold { return .below }
    return .same
  }

  /// What still keeps the place from counting as found. Source: `Docs/assistance.md`, section 7.
  private func reasons(
    _ summary: Summary, distance: Double, _ conditions: AssistanceConditions
  ) -> ConvergenceReasons {
    var reasons: ConvergenceReasons = []
    // `Docs/assistance.md`, section 7: 1 m of way and three measurements. The 0.15 m of spread was chosen.
    let hasWalked = path > 1 && spread.length > 0.15 && frames.isWorth(moreThan: 3)
    if !hasWalked { reasons.insert(.insufficientMovement) }
    let limit = parameters.horizontalSigma * (isHeld ? 1.5 : 1)
    if !isWide || !(isHeld || hasStayed(summary)) || isDoubtful || surprise.isDoubt
      || summary.horizontalSigma > limit
    {
      reasons.insert(.insufficientHorizontalSweep)
    }
    if summary.verticalSigma > max(parameters.verticalSigma, 0.4 * distance) {
      reasons.insert(.insufficientVerticalSweep)
    }
    if !conditions.isLightSufficient { reasons.insert(.insufficientLighting) }
    if !conditions.isSignalSufficient { reasons.insert(.insufficientSignalStrength) }
    return reasons
  }

  /// Turn of the track beyond which it cannot make a line look wider, radians: a line that is bent evenly by 1 rad is
  /// 0.13 of its length wide, in standard deviations.
  private static let largestTurn = 0.15

  /// Whether the device left the line of its motion by more than drift may have bent the track. A place that is marked
  /// as found needs two thirds of it, because the drift's share grows even while the device is at rest.
  private var isWide: Bool {
    let (track, seconds) = (parameters.track, now?.time ?? 0)
    let turn =
      (track.yawRateSigma * track.yawRateSigma * seconds * seconds + track.yawWalk * track.yawWalk * seconds)
      .squareRoot()
    let needed = max(0.1, 2 * min(turn, Self.largestTurn) * spread.length)
    return spread.horizontalWidth > needed * (isHeld ? 2.0 / 3 : 1)
  }

  /// Whether the place has stayed the same for long enough to be reported.
  private func hasStayed(_ summary: Summary) -> Bool {
    // The smaller the stated sigma, the less way has to confirm it (`Docs/assistance.md`, section 7).
    let part = 1.2 * summary.horizontalSigma / parameters.horizontalSigma
    let share = min(1, max(0.25, part * part))
    return observed[0].isFinite && path - rest.path > share * parameters.restPath
  }

  /// Marks the place as found, or drops that mark. Keeping the mark requires less than setting it: the
  /// horizontal sigma may be half as large again, but the place must not move far from where it last stayed.
  mutating func hold() {
    guard let best = hypotheses.first, let now else { return held = nil }
    let summary = summarise(around: best)
    let distance = HypothesisSolver.length(summary.position - now.antenna)
    guard reasons(summary, distance: distance, AssistanceConditions()).isEmpty else { return held = nil }
    guard !hasStayed(summary), let place = held else { return held = summary.position }
    let away = summary.position - place
    let square = away.x * away.x + away.y * away.y
    if square > parameters.holdRadius * parameters.holdRadius { held = nil }
  }
}

extension ObjectLocator {
  /// Octets that a locator's buffers occupy besides the value itself.
  package static func bufferSize(_ parameters: AssistanceParameters) -> Int {
    (parameters.keyframeCapacity + 1) * MemoryLayout<RangeKeyframe>.stride
      + parameters.hypothesisCapacity * MemoryLayout<ObjectHypothesis>.stride
      + (AngleBuffer.capacity + 1) * MemoryLayout<AngleKeyframe>.stride
  }
}
