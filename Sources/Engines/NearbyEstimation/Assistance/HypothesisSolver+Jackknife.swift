extension HypothesisSolver {
  /// How far the place moves when one stretch of the way is left out.
  ///
  /// While something blocks the path, ranges err together. A fit that has bent to them does not show that in
  /// its residuals. Source: `Docs/assistance.md`, equation 12.
  struct Jackknife {
    /// Variance of the place as the data show it, metres²: xx, xy, yy, zz.
    var variance: SIMD4<Double>
    /// The state without the most influential stretch.
    var without: SIMD8<Double>
  }

  /// The equations of stretches of the way with about the same worth, each of which is left out once.
  private typealias Stretches = InlineArray<8, NormalEquations>
  private static let count = 8

  /// Adds all constraints stretch by stretch, applies the step, and leaves out each stretch once.
  ///
  /// - Returns: Whether the equations could be solved.
  func stepAndJackknife(
    _ hypothesis: inout ObjectHypothesis, _ frames: inout KeyframeBuffer, _ pass: Pass, _ sums: inout Sums,
    _ fit: inout Fit
  ) -> Bool {
    var stretches = Stretches(repeating: NormalEquations())
    // A span, because the array's subscripts copy it.
    var parts = stretches.mutableSpan
    let total = frames.worth
    var (start, worth) = (0, 0.0)
    for index in 0..<Self.count {
      let limit = index == Self.count - 1 ? .infinity : total * Double(index + 1) / Double(Self.count)
      let end = Self.end(from: start, frames.frames, limit: limit, &worth)
      add(start..<end, of: &frames, hypothesis, pass, to: &sums, part: &parts[index])
      start = end
    }
    let (all, before) = (sums.equations, hypothesis.state)
    guard applyStep(to: &hypothesis, &sums, pass) else { return false }
    fit.jackknife = jackknife(all, parts.span, from: before, to: hypothesis.state)
    return true
  }

  /// Where a stretch ends: before the first constraint whose middle lies beyond a limit of their total worth.
  ///
  /// - Parameter worth: Worth of the constraints up to the stretch's end, which this updates.
  private static func end(
    from start: Int, _ frames: [RangeKeyframe], limit: Double, _ worth: inout Double
  ) -> Int {
    var end = start
    while end < frames.count, worth + 0.5 * frames[end].weight < limit {
      worth += frames[end].weight
      end += 1
    }
    return end
  }

  /// Leaves out each stretch once.
  ///
  /// - Parameters:
  ///   - all: The equations of all constraints at the state `before`, which led to the state `after`.
  ///   - stretches: Those of each stretch.
  /// - Returns: The result; `nil` if a stretch can't be spared.
  private func jackknife(
    _ all: NormalEquations, _ stretches: Span<NormalEquations>, from before: SIMD8<Double>,
    to after: SIMD8<Double>
  ) -> Jackknife? {
    let applied = after - before
    var squares = SIMD4<Double>.zero
    var longest = SIMD8<Double>.zero
    for index in 0..<Self.count {
      var equations = all
      equations.subtract(stretches[index])
      guard let solution = equations.solve() else { return nil }
      let step = solution.step - applied
      squares += SIMD4(step[0] * step[0], step[0] * step[1], step[1] * step[1], step[2] * step[2])
      if step[0] * step[0] + step[1] * step[1] > longest[0] * longest[0] + longest[1] * longest[1] {
        longest = step
      }
    }
    let share = Double(Self.count - 1) / Double(Self.count)
    return Jackknife(variance: squares * share, without: after + longest)
  }
}
