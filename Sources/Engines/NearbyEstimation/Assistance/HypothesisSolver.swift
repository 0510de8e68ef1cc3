import NearbyMaths

/// Fits one hypothesis to all constraints, with damped Gauss–Newton steps and Student-t errors.
struct HypothesisSolver: Equatable, Sendable {
  let parameters: AssistanceParameters
  /// Prior standard deviations of the state, of an object at rest and of a moving one, and its prior mean.
  private let pointSigmas: SIMD8<Double>
  private let movingSigmas: SIMD8<Double>
  private var prior: SIMD8<Double> = .zero

  /// The antenna's position and motion at the moment of the fit.
  struct Now: Equatable, Sendable {
    var antenna: SIMD3<Double>
    var turnedWay: SIMD2<Double>
    /// Smoothed, m/s.
    var velocity = SIMD3<Double>.zero
    var time: Double
    var path: Double
  }

  /// Sums over all constraints, evaluated at one state.
  struct Sums {
    var matrix = NormalMatrix()
    var gradient = SIMD8<Double>.zero
    var sideGradient = SIMD4<Double>.zero
    var cost = 0.0
    var weight = 0.0
    var square = 0.0
    /// Total weight of ranges that are over three standard deviations off.
    var outlying = 0.0
    /// Total information of the ranges, and its sums weighted by their age in seconds and in metres walked.
    var information = 0.0
    var age = 0.0
    var way = 0.0
  }

  /// What one range contributes to the sums.
  struct Term {
    var jacobian: SIMD8<Double>
    var side: SIMD4<Double>
    var residual: Double
    /// Weight in the Gauss–Newton step.
    var information: Double
    /// Squared residual over its variance.
    var ratio: Double
    /// Variance of the range and of the track's drift since, metres².
    var variance: Double
  }

  init(_ parameters: AssistanceParameters) {
    self.parameters = parameters
    let track = parameters.track
    pointSigmas = SIMD8(
      .infinity, .infinity, parameters.heightSigma, parameters.biasSigma, parameters.curveSigma,
      track.yawRateSigma, track.scaleSigma, parameters.latenessSigma)
    let walk = parameters.walkingSigma
    movingSigmas = SIMD8(
      .infinity, .infinity, parameters.heightSigma, parameters.biasSigma, walk, walk, 0.1 * walk,
      parameters.latenessSigma)
    prior[4] = parameters.curve
  }

  /// Sets the prior height of the object; the rest of its position has no prior.
  mutating func expect(height: Double) { prior[2] = height }

  /// Prior mean of the state of an object at rest.
  var expectation: SIMD8<Double> { prior }

  /// Moves a hypothesis towards the best fit and computes its covariance.
  ///
  /// - Parameters:
  ///   - keepsResiduals: Whether to store each constraint's residual in `frames`.
  ///   - weighs: Whether to compute the evidence, which is only needed to compare hypotheses.
  /// - Returns: Whether the hypothesis is still usable.
  func refine(
    _ hypothesis: inout ObjectHypothesis, steps: Int, frames: inout KeyframeBuffer, angles: AngleBuffer,
    now: Now, keepsResiduals: Bool, weighs: Bool
  ) -> Bool {
    let distance = max(1, Self.length(hypothesis.position - now.antenna))
    for step in 0..<steps {
      var sums = begin(hypothesis, distance: distance)
      for index in frames.frames.indices {
        let frame = frames.frames[index]
        let term = add(frame, hypothesis, now: now, weighs: weighs, to: &sums)
        sums.matrix.addOuter(term.jacobian, side: term.side, weight: term.information)
        sums.sideGradient += term.side * SIMD4(repeating: term.information * term.residual)
        sums.gradient += term.jacobian * SIMD8(repeating: term.information * term.residual)
        if keepsResiduals, step == 0 {
          frames.setResidual(term.residual / term.variance.squareRoot(), at: index)
        }
      }
      for frame in angles.frames { add(frame, hypothesis, now: now, to: &sums) }
      guard let sideLogarithm = sums.matrix.eliminateSide(&sums.gradient, &sums.sideGradient),
        let logarithm = sums.matrix.invert()
      else { return false }
      finish(&hypothesis, sums, distance: distance, determinant: logarithm + sideLogarithm)
      if step == steps - 1 { storeCovariance(in: &hypothesis, sums, now: now) }
    }
    hypothesis.age += 1
    return (0..<NormalMatrix.size).allSatisfy { hypothesis.state[$0].isFinite }
  }

  /// Starts the sums with the priors. The bias has a heavy tail, because most radios are calibrated and some
  /// are not.
  private func begin(_ hypothesis: ObjectHypothesis, distance: Double) -> Sums {
    var sums = Sums()
    let information = priorInformation(hypothesis)
    var diagonal = information
    let damping = 1 / (distance * distance)
    diagonal[0] += damping
    diagonal[1] += damping
    diagonal[2] += damping
    let side = sideInformation
    sums.matrix.setDiagonal(diagonal, side: side)
    let apart = SIMD4<Double>(hypothesis.side)
    sums.sideGradient = -side * apart
    var expected = hypothesis.isMoving ? SIMD8.zero : prior
    expected[2] = prior[2]
    let away = expected - hypothesis.state
    sums.gradient = information * away
    sums.cost = 0.5 * ((information * away * away).sum() + (side * apart * apart).sum())
    return sums
  }

  /// Sums over everything but the ranges: priors and angles.
  func base(_ hypothesis: ObjectHypothesis, angles: AngleBuffer, now: Now) -> Sums {
    var sums = begin(hypothesis, distance: max(1, Self.length(hypothesis.position - now.antenna)))
    for frame in angles.frames { add(frame, hypothesis, now: now, to: &sums) }
    return sums
  }

  /// Prior information of the side parameters.
  private var sideInformation: SIMD4<Double> {
    let arm = 1 / (parameters.armSigma * parameters.armSigma)
    return SIMD4(arm, arm, arm, 1 / (parameters.biasSigma * parameters.biasSigma))
  }

  /// Information of the priors, with Student-t weights for the height and the bias.
  private func priorInformation(_ hypothesis: ObjectHypothesis) -> SIMD8<Double> {
    let sigmas = hypothesis.isMoving ? movingSigmas : pointSigmas
    var information = 1 / (sigmas * sigmas)
    let freedom = parameters.biasDegreesOfFreedom
    let bias = hypothesis.state[3] * hypothesis.state[3] * information[3]
    information[3] *= (freedom + 1) / (freedom + bias)
    let high = hypothesis.state[2] - prior[2]
    let tall = parameters.heightDegreesOfFreedom
    information[2] *= (tall + 1) / (tall + high * high * information[2])
    return information
  }

  /// The geometry of a constraint, seen from where the antenna is now.
  func sight(
    _ position: SIMD3<Double>, _ turnedWay: SIMD2<Double>, _ velocity: SIMD3<Float>, time: Double, now: Now
  ) -> Sight {
    let offset = position - now.antenna
    let turned = SIMD2(offset.x, offset.y) * now.time + now.turnedWay - turnedWay
    return Sight(
      antenna: now.antenna, offset: offset, swing: SIMD2(-turned.y, turned.x), velocity: SIMD3(velocity),
      age: now.time - time)
  }

  /// What one range contributes at a hypothesis.
  @inline(__always)
  func term(_ frame: RangeKeyframe, _ hypothesis: ObjectHypothesis, now: Now) -> Term {
    var sight = sight(frame.position, frame.turnedWay, frame.velocity, time: frame.time, now: now)
    let turn = DevicePose(positionInWorld: .zero, worldFromDevice: SIMD4(frame.worldFromDevice))
    let aside = SIMD4<Double>(hypothesis.side)
    sight.shift = turn.turned(SIMD3(aside.x, aside.y, aside.z))
    let isSecond = frame.antenna == 1 ? 1.0 : 0
    let prediction =
      hypothesis.isMoving
      ? MovingRangeModel.predict(hypothesis.state, from: sight)
      : PointRangeModel.predict(hypothesis.state, from: sight)
    let jacobian = prediction.jacobian
    let residual = frame.range - prediction.range - isSecond * aside.w
    let arm = jacobian[0] * sight.offset.y - jacobian[1] * sight.offset.x
    let track = parameters.track
    let age = max(0, sight.age)
    var drift =
      track.positionWalk * track.positionWalk * (now.path - frame.path)
      + track.yawWalk * track.yawWalk * age * arm * arm
    if hypothesis.isMoving {
      drift += parameters.walkingChange * parameters.walkingChange * age * age * age / 3
    }
    // A constraint worth several measurements is their mean.
    let weight = min(1, frame.weight)
    let variance = hypothesis.rangeSigma * hypothesis.rangeSigma / max(1, frame.weight) + drift
    let freedom = residual > 0 ? parameters.lateDegreesOfFreedom : parameters.degreesOfFreedom
    let square = residual * residual
    return Term(
      jacobian: jacobian,
      side: SIMD4(-turn.inDevice(SIMD3(jacobian[0], jacobian[1], jacobian[2])), isSecond), residual: residual,
      information: weight * (freedom + 1) / (freedom * variance + square), ratio: square / variance,
      variance: variance)
  }

  /// Adds what one range contributes, except to the matrix and its gradients.
  @inline(__always)
  private func add(
    _ frame: RangeKeyframe, _ hypothesis: ObjectHypothesis, now: Now, weighs: Bool, to sums: inout Sums
  ) -> Term {
    let term = term(frame, hypothesis, now: now)
    sums.information += term.information
    sums.age += term.information * (now.time - frame.time)
    sums.way += term.information * (now.path - frame.path)
    let weight = min(1, frame.weight)
    if weighs {
      let ratio = term.ratio
      let freedom = term.residual > 0 ? parameters.lateDegreesOfFreedom : parameters.degreesOfFreedom
      sums.cost +=
        weight * 0.5 * ((freedom + 1) * Maths.quickLog(1 + ratio / freedom) + Maths.quickLog(term.variance))
    }
    sums.weight += weight
    if term.ratio > 9 { sums.outlying += weight }
    sums.square +=
      term.information * term.residual * term.residual * hypothesis.rangeSigma * hypothesis.rangeSigma
    return term
  }

  /// Adds the angles of one place.
  private func add(
    _ frame: AngleKeyframe, _ hypothesis: ObjectHypothesis, now: Now, to sums: inout Sums
  ) {
    let sight = sight(frame.position, frame.turnedWay, frame.velocity, time: frame.time, now: now)
    let prediction = BearingModel.predict(
      hypothesis.state, isMoving: hypothesis.isMoving, from: sight, worldFromDevice: frame.worldFromDevice)
    // Across the line of sight, echoes shift the place and a moving object strays.
    let age = max(0, sight.age)
    let stray =
      hypothesis.isMoving ? parameters.walkingChange * parameters.walkingChange * age * age * age / 3 : 0
    let shift = parameters.echoSigma * parameters.echoSigma + stray
    let turn = parameters.track.yawWalk * parameters.track.yawWalk * age
    let level = prediction.levelDistance * prediction.levelDistance
    let distance = prediction.distance * prediction.distance
    // An array's azimuth gets worse the farther the object is from its level plane.
    let azimuth = frame.azimuthSigma * frame.azimuthSigma * min(100, distance / level)
    let elevation = frame.elevationSigma * frame.elevationSigma
    let parts =
      [
        (
          AngleKeyframe.wrapped(frame.azimuth - prediction.azimuth), azimuth + shift / level + turn,
          prediction.azimuthJacobian
        ),
        (frame.elevation - prediction.elevation, elevation + shift / distance, prediction.elevationJacobian),
      ] as InlineArray<2, _>
    for index in 0..<2 where parts[index].1.isFinite {
      let (residual, variance, jacobian) = parts[index]
      let freedom = parameters.degreesOfFreedom
      let ratio = residual * residual / variance
      let information = frame.weight * (freedom + 1) / (freedom + ratio) / variance
      sums.matrix.addOuter(jacobian, weight: information)
      sums.gradient += jacobian * (information * residual)
      sums.cost +=
        frame.weight * 0.5 * ((freedom + 1) * Maths.quickLog(1 + ratio / freedom) + Maths.quickLog(variance))
    }
  }

  /// Takes the step, and updates the evidence and the range sigma. Source: `Docs/assistance.md`, equations 6
  /// and 7.
  private func finish(
    _ hypothesis: inout ObjectHypothesis, _ sums: Sums, distance: Double, determinant: Double
  ) {
    // The evidence compares posterior with prior volume, so a parameter that the data leave open costs
    // nothing.
    let information = priorInformation(hypothesis)
    var shares = 0.0
    let side = sideInformation
    for index in 0..<4 { shares += Maths.quickLog(side[index]) }
    for index in 2..<NormalMatrix.size { shares += Maths.quickLog(max(1e-200, information[index])) }
    hypothesis.evidence = 0.5 * (shares - determinant) - sums.cost
    var step = sums.matrix.times(sums.gradient)
    let length = Self.length(SIMD3(step[0], step[1], step[2]))
    // Chosen: a longer step leaves the region in which the linearised ranges are good.
    let longest = 0.4 * distance
    if length > longest { step *= longest / length }
    hypothesis.state += step
    hypothesis.side += SIMD4<Float>(sums.matrix.sideStep(step, sums.sideGradient))
    let count = parameters.rangeSigmaCount
    let square = count * parameters.rangeSigma * parameters.rangeSigma + sums.square
    hypothesis.rangeSigma = (square / (count + sums.weight)).squareRoot()
  }

  /// Covariance of the fit, plus the drift of the track that all its information has in common.
  private func storeCovariance(in hypothesis: inout ObjectHypothesis, _ sums: Sums, now: Now) {
    let scale = sums.information > 0 ? 1 / sums.information : 0
    let track = parameters.track
    // Averaged evenly over a time T, a random walk keeps T/3 of its variance; the mean age is T/2.
    let turned = track.yawWalk * track.yawWalk * max(0, sums.age * scale) * 2 / 3
    let moved = track.positionWalk * track.positionWalk * max(0, sums.way * scale) * 2 / 3
    let across = hypothesis.position - now.antenna
    let matrix = sums.matrix
    // If much does not fit, what fits may be the part that is wrong.
    let share = sums.weight > 0 ? sums.outlying / sums.weight : 0
    let margin = parameters.burstMargin * (1 + parameters.outlierMargin * share)
    hypothesis.covariance = SIMD8(
      margin * matrix[0, 0] + turned * across.y * across.y + moved,
      margin * matrix[0, 1] - turned * across.x * across.y,
      margin * matrix[0, 2], margin * matrix[1, 1] + turned * across.x * across.x + moved,
      margin * matrix[1, 2], margin * matrix[2, 2] + moved, 0, 0)
  }

  static func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
}
