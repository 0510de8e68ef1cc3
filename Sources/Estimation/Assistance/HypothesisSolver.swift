/// Fits one hypothesis to all constraints: damped Gauss–Newton steps under Student-t errors.
struct HypothesisSolver: Equatable, Sendable {
  let parameters: AssistanceParameters
  private var matrix = NormalMatrix()
  /// Information and expectation of the state before any range.
  private var priorInformation: SIMD8<Double> = .zero
  private var prior: SIMD8<Double> = .zero

  /// Where the antenna is when the fit is made.
  struct Now: Equatable, Sendable {
    var antenna: SIMD3<Double>
    var turnedWay: SIMD2<Double>
    var time: Double
    var path: Double
  }

  private struct Sums {
    var gradient: SIMD8<Double>
    var cost = 0.0
    var weight = 0.0
    var square = 0.0
    /// Of the information that was taken in: its amount, and that times its age in seconds and in metres walked.
    var information = 0.0
    var age = 0.0
    var way = 0.0
  }

  init(_ parameters: AssistanceParameters) {
    self.parameters = parameters
    func information(_ sigma: Double) -> Double { 1 / (sigma * sigma) }
    priorInformation = SIMD8(
      0, 0, information(parameters.heightSigma), information(parameters.biasSigma),
      information(parameters.curveSigma), information(parameters.track.yawRateSigma),
      information(parameters.track.scaleSigma), 1)
    prior[4] = parameters.curve
  }

  /// What is expected of the state before any range; the position's height is all that matters of it.
  mutating func expect(height: Double) { prior[2] = height }

  /// What is expected of the state's nuisance parts.
  var expectation: SIMD8<Double> { prior }

  /// Takes steps towards the best fit, and states its covariance.
  ///
  /// - Returns: Whether the hypothesis is still of use.
  mutating func refine(
    _ hypothesis: inout ObjectHypothesis, steps: Int, frames: inout KeyframeBuffer, now: Now,
    keepsResiduals: Bool
  ) -> Bool {
    let distance = max(1, Self.length(hypothesis.position - now.antenna))
    let damping = 1 / (distance * distance)
    var (age, way) = (0.0, 0.0)
    for step in 0..<steps {
      var sums = begin(hypothesis, damping: damping)
      for index in frames.frames.indices {
        let residual = add(frames.frames[index], hypothesis, now: now, to: &sums)
        if keepsResiduals, step == 0 { frames.setResidual(residual, at: index) }
      }
      guard matrix.invert() else { return false }
      finish(&hypothesis, sums, distance: distance)
      if sums.information > 0 { (age, way) = (sums.age / sums.information, sums.way / sums.information) }
    }
    hypothesis.age += 1
    storeCovariance(in: &hypothesis, now: now, age: age, way: way)
    return (0..<NormalMatrix.size).allSatisfy { hypothesis.state[$0].isFinite }
  }

  private mutating func begin(_ hypothesis: ObjectHypothesis, damping: Double) -> Sums {
    var diagonal = priorInformation
    diagonal[0] += damping
    diagonal[1] += damping
    diagonal[2] += damping
    matrix.setDiagonal(diagonal)
    let away = prior - hypothesis.state
    return Sums(
      gradient: priorInformation * away, cost: 0.5 * (priorInformation * away * away).sum() - 0.5 * away[7])
  }

  /// Adds one constraint; gives its residual over its sigma.
  @inline(__always)
  private mutating func add(
    _ frame: RangeKeyframe, _ hypothesis: ObjectHypothesis, now: Now, to sums: inout Sums
  ) -> Double {
    let offset = frame.position - now.antenna
    let turned = SIMD2(offset.x, offset.y) * now.time + now.turnedWay - frame.turnedWay
    let swing = SIMD2(-turned.y, turned.x)
    let prediction = PointRangeModel.predict(
      hypothesis.state, antenna: now.antenna, offset: offset, swing: swing)
    let jacobian = prediction.jacobian
    let residual = frame.range - prediction.range
    let arm = jacobian[0] * offset.y - jacobian[1] * offset.x
    let track = parameters.track
    let drift =
      track.positionWalk * track.positionWalk * (now.path - frame.path)
      + track.yawWalk * track.yawWalk * max(0, now.time - frame.time) * arm * arm
    let variance = hypothesis.rangeSigma * hypothesis.rangeSigma + drift
    let ratio = residual * residual / variance
    let freedom = residual > 0 ? parameters.lateDegreesOfFreedom : parameters.degreesOfFreedom
    let robust = (freedom + 1) / (freedom + ratio)
    let weight = frame.weight * robust / variance
    matrix.addOuter(jacobian, weight: weight)
    sums.information += weight
    sums.age += weight * (now.time - frame.time)
    sums.way += weight * (now.path - frame.path)
    sums.gradient += jacobian * (weight * residual)
    sums.cost += frame.weight * 0.5 * ((freedom + 1) * Maths.log(1 + ratio / freedom) + Maths.log(variance))
    sums.weight += frame.weight
    sums.square += frame.weight * robust * residual * residual * (variance - drift) / variance
    return residual / variance.squareRoot()
  }

  private func finish(_ hypothesis: inout ObjectHypothesis, _ sums: Sums, distance: Double) {
    var step = matrix.times(sums.gradient)
    let length = Self.length(SIMD3(step[0], step[1], step[2]))
    let longest = 0.4 * distance
    if length > longest { step *= longest / length }
    hypothesis.state += step
    hypothesis.state[7] = 0
    hypothesis.cost = sums.cost
    let count = parameters.rangeSigmaCount
    let square = count * parameters.rangeSigma * parameters.rangeSigma + sums.square
    hypothesis.rangeSigma = (square / (count + sums.weight)).squareRoot()
  }

  /// What the fit leaves open, and what the track has drifted in common since its information is from.
  private func storeCovariance(in hypothesis: inout ObjectHypothesis, now: Now, age: Double, way: Double) {
    let track = parameters.track
    // A random walk seen evenly over a time T has T/3 of its variance in its mean; the mean age is T/2.
    let turned = track.yawWalk * track.yawWalk * max(0, age) * 2 / 3
    let moved = track.positionWalk * track.positionWalk * max(0, way) * 2 / 3
    let across = hypothesis.position - now.antenna
    hypothesis.covariance = SIMD8(
      matrix[0, 0] + turned * across.y * across.y + moved, matrix[0, 1] - turned * across.x * across.y,
      matrix[0, 2], matrix[1, 1] + turned * across.x * across.x + moved, matrix[1, 2],
      matrix[2, 2] + moved, 0, 0)
  }

  static func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
}
