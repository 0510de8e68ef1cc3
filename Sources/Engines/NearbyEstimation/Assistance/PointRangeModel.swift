import NearbyMaths

/// Predicts the ranges from the antenna of a drifting track to a point, with derivatives.
///
/// The state is `[x, y, z, bias, curve, yaw rate, scale, lateness]`: the object's position in the track's
/// frame as it is now (metres), the constant and the logarithmic part of the radio's bias (metres), the
/// track's errors (rad/s, ratio), and how long after its timestamp a range was measured (seconds). Source:
/// `Docs/assistance.md`, equations 1 to 4.
package enum PointRangeModel {
  /// Distance at which the logarithmic part is zero, and offset that bounds it near zero, metres.
  static let curveDistance = 5.0
  static let curveFloor = 0.5
  static var curveUnit: Double { 1 / (curveDistance + curveFloor) }
  static let nearest = 1e-3

  /// Ranges and their derivatives with respect to the state.
  package struct Prediction: Sendable {
    package var range: Lanes
    package var jacobian: InlineArray<8, Lanes>

    /// The derivatives of one lane.
    package subscript(lane: Int) -> SIMD8<Double> {
      var row = SIMD8<Double>.zero
      for index in 0..<8 { row[index] = jacobian[index][lane] }
      return row
    }
  }

  @inline(__always)
  package static func predict(_ state: SIMD8<Double>, from sight: Sight) -> Prediction {
    let across = sight.acrossToPoint(state)
    let distance = distance(across)
    let beyond = distance + Lanes(repeating: curveFloor)
    let scaled = beyond * Lanes(repeating: curveUnit)
    let logarithm = Maths.quickLog(scaled)
    let curve = Lanes(repeating: state[4])
    let gradient = ((beyond + curve) / (beyond * distance)) * across
    let one = Lanes(repeating: 1)
    return Prediction(
      range: distance + Lanes(repeating: state[3]) + curve * logarithm,
      jacobian: [
        gradient.x, gradient.y, gradient.z, one, logarithm,
        -(gradient.x * sight.swingX + gradient.y * sight.swingY), -gradient.dot(sight.offset),
        -gradient.dot(sight.velocity),
      ])
  }

  /// The lengths of vectors in metres, at least `nearest`.
  @inline(__always)
  static func distance(_ across: LaneVector) -> Lanes {
    let (length, least) = (across.dot(across).squareRoot(), Lanes(repeating: nearest))
    return length.replacing(with: least, where: length .< least)
  }
}
