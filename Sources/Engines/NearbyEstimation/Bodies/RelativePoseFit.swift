import NearbyMaths

/// One place and attitude that the ranges between two bodies may come from, and how to improve it.
///
/// Gauss–Newton steps over position, attitude and the common delay, with Student-t weights that let a range
/// be long sooner than short, because blocked paths only lengthen. Source: `Docs/relative-pose.md`.
struct RelativePoseFit: Sendable {
  var position: SIMD3<Double>
  var attitude: BodyAttitude
  /// Common delay of all ranges, metres.
  var bias = 0.0
  /// Standard deviation of a range, metres.
  var sigma: Double
  /// Minus the logarithm of the posterior, with the width of the peak included (Laplace).
  private(set) var cost = Double.infinity
  /// Inverse of the information: x, y, z, turns about x, y, z, bias; the last is unused.
  private(set) var covariance = NormalMatrix()
  private(set) var agreeing = 0

  /// Degrees of freedom of Student's distribution for ranges that are too short, and too long.
  private static let (short, long) = (4.0, 1.5)
  /// Longest step of the position as a share of the distance, and of the attitude in radians.
  private static let longestStep = 0.4
  /// Distance below which the direction of a range is unreliable, metres.
  private static let nearest = 0.05

  init(position: SIMD3<Double>, yaw: Double, sigma: Double) {
    self.position = position
    attitude = BodyAttitude(yaw: yaw)
    self.sigma = sigma
  }

  private struct Sums {
    var matrix = NormalMatrix()
    var gradient = SIMD8<Double>.zero
    var cost = 0.0
    var square = 0.0
    var agreeing = 0
  }

  /// Takes one step.
  ///
  /// - Returns: The length of the step of the position in metres and of the attitude in radians, together;
  ///   `nil` if the equations were unusable.
  mutating func step(_ ranges: [BodyRange], _ bodies: BodyPair, _ parameters: RelativePoseParameters)
    -> Double?
  {
    var sums = sum(ranges, bodies, parameters)
    var side = SIMD4<Double>.zero
    guard sums.matrix.eliminateSide(&sums.gradient, &side) != nil, let determinant = sums.matrix.invert()
    else { return nil }
    covariance = sums.matrix
    cost = sums.cost + 0.5 * determinant
    agreeing = sums.agreeing
    var step = sums.matrix.times(sums.gradient)
    let moved = SIMD3(step[0], step[1], step[2]).length
    let turned = SIMD3(step[3], step[4], step[5]).length
    let limit = Self.longestStep * max(position.length, 0.5)
    let shortening = max(1, max(moved / limit, turned / Self.longestStep))
    step /= shortening
    position += SIMD3(step[0], step[1], step[2])
    attitude.turn(by: SIMD3(step[3], step[4], step[5]))
    bias += step[6]
    let count = parameters.rangeSigmaCount
    let base = count * parameters.rangeSigma * parameters.rangeSigma
    sigma = ((base + sums.square) / (count + Double(ranges.count))).squareRoot()
    let length = (moved + turned) / shortening
    return length.isFinite && position.length.isFinite ? length : nil
  }

  /// Variance of the distance between both origins, metres².
  var distanceVariance: Double {
    let u = position.normalised(or: SIMD3(1, 0, 0))
    var variance = 0.0
    for row in 0..<3 { for column in 0..<3 { variance += u[row] * u[column] * covariance[row, column] } }
    return max(variance, 0)
  }

  private func sum(_ ranges: [BodyRange], _ bodies: BodyPair, _ parameters: RelativePoseParameters) -> Sums {
    var sums = Sums()
    addPriors(to: &sums, parameters)
    // An antenna's own error counts once, however many ranges share it.
    let variance = sigma * sigma
    let share =
      variance / (variance + Double(bodies.sharing) * parameters.antennaSigma * parameters.antennaSigma)
    for range in ranges {
      let (expected, row) = predict(
        from: bodies.base[range.baseAntenna], to: bodies.target[range.targetAntenna])
      let error = range.range - expected
      let square = error * error / variance
      let freedom = error > 0 ? Self.long : Self.short
      let robust = (freedom + 1) / (freedom + square)
      let weight = share * robust / variance
      sums.matrix.addOuter(row, weight: weight)
      sums.gradient += weight * error * row
      sums.cost += share * (0.5 * (freedom + 1) * Maths.log(1 + square / freedom) + Maths.log(sigma))
      sums.square += robust * error * error
      if square < 9 { sums.agreeing += 1 }
    }
    return sums
  }

  /// Expected range between two antennas, metres, with its derivatives by position, turn and delay. Source:
  /// `Docs/relative-pose.md`, equations 1 and 2.
  func predict(
    from baseAntenna: SIMD3<Double>, to targetAntenna: SIMD3<Double>
  ) -> (range: Double, row: SIMD8<Double>) {
    let arm = attitude.turned(targetAntenna)
    let across = position + arm - baseAntenna
    let distance = max(across.length, Self.nearest)
    let u = across / distance
    let turn = arm.cross(u)
    return (distance + bias, SIMD8(u.x, u.y, u.z, turn.x, turn.y, turn.z, 1, 0))
  }

  /// Height, tilt and common delay before anything is measured.
  private func addPriors(to sums: inout Sums, _ parameters: RelativePoseParameters) {
    let height = 1 / (parameters.heightSigma * parameters.heightSigma)
    let tilt = 1 / (parameters.tiltSigma * parameters.tiltSigma)
    let delay = 1 / (parameters.biasSigma * parameters.biasSigma)
    let plane = 1 / (parameters.farthest * parameters.farthest)
    // A turn about z leaves the upward axis alone; the small term keeps the matrix regular for one antenna.
    sums.matrix.setDiagonal(
      SIMD8(plane, plane, height, tilt, tilt, 0.01, delay, 1), side: SIMD4(repeating: 1))
    let up = attitude.turned(SIMD3(0, 0, 1))
    // The upward axis leaves the base's by (−up.y, up.x) in turns about x and y.
    sums.gradient = SIMD8(
      -plane * position.x, -plane * position.y, -height * position.z, tilt * up.y, -tilt * up.x, 0,
      -delay * bias, 0)
    sums.cost =
      0.5 * (height * position.z * position.z + tilt * (up.x * up.x + up.y * up.y) + delay * bias * bias)
  }
}
