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
    var equations = NormalEquations()
    var cost = 0.0
    var weight = 0.0
    var square = 0.0
    /// Total weight of ranges that are over three standard deviations off.
    var outlying = 0.0
    /// Total information of the ranges, and its sums weighted by their age in seconds and in metres walked.
    var information = 0.0
    var age = 0.0
    var way = 0.0
    /// Covariance of the position once the equations are solved, metres²: xx, xy, xz, yy, yz, zz.
    var covariance = SIMD8<Double>.zero
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
  ///   - jackknifes: Whether to find out how much the fit depends on each stretch of the way.
  /// - Returns: What the fit shows besides; `nil` if the hypothesis is no longer usable.
  func refine(
    _ hypothesis: inout ObjectHypothesis, steps: Int, frames: inout KeyframeBuffer, angles: AngleBuffer,
    now: Now, keepsResiduals: Bool, weighs: Bool, jackknifes: Bool = false
  ) -> Fit? {
    let distance = max(1, Self.length(hypothesis.position - now.antenna))
    var fit = Fit()
    for step in 0..<steps {
      let isLast = step == steps - 1
      let pass = Pass(
        now: now, distance: distance, weighs: weighs, keepsResiduals: keepsResiduals && step == 0)
      var sums = begin(hypothesis, distance: distance)
      for frame in angles.frames { add(frame, hypothesis, now: now, to: &sums) }
      if jackknifes, isLast, frames.worth > 2 {
        guard stepAndJackknife(&hypothesis, &frames, pass, &sums, &fit) else { return nil }
      } else {
        add(0..<frames.frames.count, of: &frames, hypothesis, pass, to: &sums)
        guard applyStep(to: &hypothesis, &sums, pass) else { return nil }
      }
      if isLast { storeCovariance(in: &hypothesis, sums, now: now) }
    }
    hypothesis.age += 1
    return (0..<NormalMatrix.size).allSatisfy { hypothesis.state[$0].isFinite } ? fit : nil
  }

  /// What a fit shows besides the hypothesis.
  struct Fit {
    var jackknife: Jackknife?
  }

  /// What a pass over the constraints needs to know.
  struct Pass {
    var now: Now
    /// To the object before the first step, metres.
    var distance: Double
    var weighs: Bool
    var keepsResiduals: Bool
  }

  /// Adds a range of constraints.
  func add(
    _ range: Range<Int>, of frames: inout KeyframeBuffer, _ hypothesis: ObjectHypothesis, _ pass: Pass,
    to sums: inout Sums
  ) {
    let ranges = rangeSums(range, of: &frames, hypothesis, pass)
    ranges.fold(into: &sums, sigma: hypothesis.rangeSigma)
    ranges.fold(into: &sums.equations)
  }

  /// Adds a range of constraints, whose equations are also wanted by themselves.
  func add(
    _ range: Range<Int>, of frames: inout KeyframeBuffer, _ hypothesis: ObjectHypothesis, _ pass: Pass,
    to sums: inout Sums, part: inout NormalEquations
  ) {
    let ranges = rangeSums(range, of: &frames, hypothesis, pass)
    ranges.fold(into: &sums, sigma: hypothesis.rangeSigma)
    ranges.fold(into: &part)
    sums.equations += part
  }

  @inline(__always)
  private func rangeSums(
    _ range: Range<Int>, of frames: inout KeyframeBuffer, _ hypothesis: ObjectHypothesis, _ pass: Pass
  ) -> RangeSums {
    var ranges = RangeSums()
    var start = range.lowerBound
    while start < range.upperBound {
      let lanes = RangeLanes(frames.frames.span, from: start, to: range.upperBound)
      let terms = terms(lanes, hypothesis, now: pass.now)
      ranges.add(terms, weighs: pass.weighs)
      if pass.keepsResiduals { frames.setResiduals(of: terms, from: start, to: range.upperBound) }
      start += RangeLanes.count
    }
    return ranges
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
    sums.equations.matrix.setDiagonal(diagonal, side: side)
    let apart = SIMD4<Double>(hypothesis.side)
    sums.equations.sideGradient = -side * apart
    var expected = hypothesis.isMoving ? SIMD8.zero : prior
    expected[2] = prior[2]
    let away = expected - hypothesis.state
    sums.equations.gradient = information * away
    sums.cost = 0.5 * ((information * away * away).sum() + (side * apart * apart).sum())
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

  /// What up to four ranges contribute at a hypothesis.
  @inline(__always)
  func terms(_ frames: RangeLanes, _ hypothesis: ObjectHypothesis, now: Now) -> RangeTerms {
    let offset = frames.position - LaneVector(repeating: now.antenna)
    let (time, turnedWay) = (Lanes(repeating: now.time), now.turnedWay)
    let (side, turn) = (hypothesis.side, frames.worldFromDevice)
    let shift = SIMD3(Double(side.x), Double(side.y), Double(side.z))
    let sight = Sight(
      antenna: now.antenna, offset: offset,
      swingX: frames.turnedWayY - offset.y * time - Lanes(repeating: turnedWay.y),
      swingY: offset.x * time + Lanes(repeating: turnedWay.x) - frames.turnedWayX,
      shift: turn.turned(LaneVector(repeating: shift)), velocity: frames.velocity, age: time - frames.time)
    let prediction =
      hypothesis.isMoving
      ? MovingRangeModel.predict(hypothesis.state, from: sight)
      : PointRangeModel.predict(hypothesis.state, from: sight)
    let jacobian = prediction.jacobian
    let gradient = LaneVector(jacobian[0], jacobian[1], jacobian[2])
    let residual = frames.range - prediction.range - frames.isSecond * Lanes(repeating: Double(side.w))
    let way = Lanes(repeating: now.path) - frames.path
    let drift = drift(sight, gradient, way: way, isMoving: hypothesis.isMoving)
    // A constraint worth several measurements is their mean.
    let one = Lanes(repeating: 1)
    let isMean = frames.weight .> one
    let weight = frames.weight.replacing(with: one, where: isMean)
    let sigma = Lanes(repeating: hypothesis.rangeSigma)
    let variance = sigma * sigma / one.replacing(with: frames.weight, where: isMean) + drift
    let isLate = residual .> Lanes.zero
    let freedom = Lanes(repeating: parameters.degreesOfFreedom)
      .replacing(with: parameters.lateDegreesOfFreedom, where: isLate)
    let square = residual * residual
    let information = weight * (freedom + one) / (freedom * variance + square)
    return RangeTerms(
      jacobian: jacobian, side: -turn.inDevice(gradient), isSecond: frames.isSecond,
      residual: residual, information: information, ratio: square / variance,
      variance: variance, freedom: freedom, weight: weight, age: sight.age, way: way)
  }

  /// Variance of the track's random errors since the measurements, and of what a moving object has done since,
  /// metres².
  @inline(__always)
  private func drift(_ sight: Sight, _ gradient: LaneVector, way: Lanes, isMoving: Bool) -> Lanes {
    let track = parameters.track
    let arm = gradient.x * sight.offset.y - gradient.y * sight.offset.x
    let age = sight.age.replacing(with: 0, where: sight.age .< Lanes.zero)
    let moved = Lanes(repeating: track.positionWalk * track.positionWalk) * way
    let turned = Lanes(repeating: track.yawWalk * track.yawWalk) * age * arm * arm
    let drift = moved + turned
    guard isMoving else { return drift }
    let change = parameters.walkingChange
    return drift + Lanes(repeating: change * change / 3) * age * age * age
  }

  /// The geometry of one constraint of angles, in all lanes.
  private func sight(_ frame: AngleKeyframe, now: Now) -> Sight {
    let offset = frame.position - now.antenna
    let turned = SIMD2(offset.x, offset.y) * now.time + now.turnedWay - frame.turnedWay
    let velocity = SIMD3(Double(frame.velocity.x), Double(frame.velocity.y), Double(frame.velocity.z))
    return Sight(
      antenna: now.antenna, offset: LaneVector(repeating: offset), swingX: Lanes(repeating: -turned.y),
      swingY: Lanes(repeating: turned.x), velocity: LaneVector(repeating: velocity),
      age: Lanes(repeating: now.time - frame.time))
  }

  /// Adds the angles of one place.
  private func add(
    _ frame: AngleKeyframe, _ hypothesis: ObjectHypothesis, now: Now, to sums: inout Sums
  ) {
    let sight = sight(frame, now: now)
    let state = hypothesis.state
    let across = hypothesis.isMoving ? sight.acrossToMoving(state) : sight.acrossToPoint(state)
    let prediction = BearingModel.predict(
      state, isMoving: hypothesis.isMoving, from: sight, across: across, lane: 0,
      worldFromDevice: frame.worldFromDevice)
    // Across the line of sight, echoes shift the place and a moving object strays.
    let age = max(0, sight.age[0])
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
      sums.equations.matrix.addOuter(jacobian, weight: information)
      sums.equations.gradient += jacobian * (information * residual)
      sums.cost +=
        frame.weight * 0.5 * ((freedom + 1) * Maths.quickLog(1 + ratio / freedom) + Maths.quickLog(variance))
    }
  }

  /// Solves the equations, applies the step, and updates the evidence and the range sigma.
  ///
  /// Source: `Docs/assistance.md`, equations 6 and 7.
  ///
  /// - Returns: Whether the equations could be solved.
  func applyStep(to hypothesis: inout ObjectHypothesis, _ sums: inout Sums, _ pass: Pass) -> Bool {
    guard let solution = sums.equations.solve() else { return false }
    sums.covariance = solution.positionCovariance
    hypothesis.evidence = pass.weighs ? evidence(of: hypothesis, solution, cost: sums.cost) : 0
    var step = solution.step
    let length = Self.length(SIMD3(step[0], step[1], step[2]))
    // Chosen: a longer step leaves the region in which the linearised ranges are good.
    let longest = 0.4 * pass.distance
    if length > longest { step *= longest / length }
    hypothesis.state += step
    hypothesis.side += SIMD4<Float>(sums.equations.sideStep(step))
    let count = parameters.rangeSigmaCount
    let square = count * parameters.rangeSigma * parameters.rangeSigma + sums.square
    hypothesis.rangeSigma = (square / (count + sums.weight)).squareRoot()
    return true
  }

  /// Laplace's evidence. It compares posterior with prior volume, so a parameter that the data leave open costs
  /// nothing.
  private func evidence(
    of hypothesis: ObjectHypothesis, _ solution: NormalMatrix.Solution, cost: Double
  ) -> Double {
    let (information, side) = (priorInformation(hypothesis), sideInformation)
    var shares = 0.0
    for index in 0..<4 { shares += Maths.quickLog(side[index]) }
    for index in 2..<NormalMatrix.size { shares += Maths.quickLog(max(1e-200, information[index])) }
    return 0.5 * (shares - solution.determinant.logarithm) - cost
  }

  /// Covariance of the fit, plus the drift of the track that all its information has in common.
  private func storeCovariance(in hypothesis: inout ObjectHypothesis, _ sums: Sums, now: Now) {
    let scale = sums.information > 0 ? 1 / sums.information : 0
    let track = parameters.track
    // Averaged evenly over a time T, a random walk keeps T/3 of its variance; the mean age is T/2.
    let turned = track.yawWalk * track.yawWalk * max(0, sums.age * scale) * 2 / 3
    let moved = track.positionWalk * track.positionWalk * max(0, sums.way * scale) * 2 / 3
    let across = hypothesis.position - now.antenna
    // If much does not fit, what fits may be the part that is wrong.
    let share = sums.weight > 0 ? sums.outlying / sums.weight : 0
    let margin = parameters.burstMargin * (1 + parameters.outlierMargin * share)
    let (east, north) = (turned * across.y * across.y + moved, turned * across.x * across.x + moved)
    let both = -turned * across.x * across.y
    hypothesis.covariance = margin * sums.covariance + SIMD8(east, both, 0, north, 0, moved, 0, 0)
  }

  static func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
}
