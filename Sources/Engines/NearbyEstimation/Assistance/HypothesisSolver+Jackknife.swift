extension HypothesisSolver {
  /// Number of stretches of the way, each of which is left out once.
  static let stretches = 8

  /// How far the place moves when one stretch of the way is left out: its variance as the data show it.
  ///
  /// While something blocks the path, ranges err together. A fit that has bent to them does not show that in
  /// its residuals. Source: `Docs/assistance.md`, equation 12.
  /// - Returns: The variance, metres²: xx, xy, yy, zz, infinite as long as there is too little data; and the
  ///   state without the most influential stretch.
  func jackknife(
    _ hypothesis: ObjectHypothesis, frames: KeyframeBuffer, angles: AngleBuffer, now: Now
  ) -> (variance: SIMD4<Double>, without: SIMD8<Double>) {
    let unknown = (variance: SIMD4<Double>(repeating: .infinity), without: hypothesis.state)
    var parts = InlineArray<8, Sums>(repeating: Sums())
    var total = 0.0
    for frame in frames.frames { total += frame.weight }
    guard total > 2 else { return unknown }
    var sum = 0.0
    for frame in frames.frames {
      let part = min(Self.stretches - 1, Int((sum + 0.5 * frame.weight) / total * Double(Self.stretches)))
      sum += frame.weight
      let term = term(frame, hypothesis, now: now)
      parts[part].matrix.addOuter(term.jacobian, side: term.side, weight: term.information)
      parts[part].sideGradient += term.side * (term.information * term.residual)
      parts[part].gradient += term.jacobian * (term.information * term.residual)
    }
    var all = base(hypothesis, angles: angles, now: now)
    for part in 0..<Self.stretches {
      all.matrix += parts[part].matrix
      all.gradient += parts[part].gradient
      all.sideGradient += parts[part].sideGradient
    }
    var squares = SIMD4<Double>.zero
    var longest = SIMD8<Double>.zero
    for part in 0..<Self.stretches {
      var matrix = all.matrix - parts[part].matrix
      var gradient = all.gradient - parts[part].gradient
      var sideGradient = all.sideGradient - parts[part].sideGradient
      guard matrix.eliminateSide(&gradient, &sideGradient) != nil, matrix.invert() != nil else {
        return unknown
      }
      let step = matrix.times(gradient)
      squares += SIMD4(step[0] * step[0], step[0] * step[1], step[1] * step[1], step[2] * step[2])
      if step[0] * step[0] + step[1] * step[1] > longest[0] * longest[0] + longest[1] * longest[1] {
        longest = step
      }
    }
    let share = Double(Self.stretches - 1) / Double(Self.stretches)
    return (squares * share, hypothesis.state + longest)
  }
}
