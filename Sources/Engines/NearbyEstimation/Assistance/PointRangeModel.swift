import NearbyMaths

/// Predicts the range from an antenna of a drifting track to a point, with derivatives.
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

  /// The range and its derivatives with respect to the state.
  package struct Prediction: Sendable {
    package var range: Double
    package var jacobian: SIMD8<Double>
  }

  @inline(__always)
  package static func predict(_ state: SIMD8<Double>, from sight: Sight) -> Prediction {
    let across = sight.acrossToPoint(state)
    let distance = max((across * across).sum().squareRoot(), nearest)
    let beyond = distance + curveFloor
    let logarithm = Maths.quickLog(beyond * curveUnit)
    let slope = (beyond + state[4]) / (beyond * distance)
    let gradient = across * SIMD3(repeating: slope)
    return Prediction(
      range: distance + state[3] + state[4] * logarithm,
      jacobian: SIMD8(
        gradient.x, gradient.y, gradient.z, 1, logarithm,
        -(gradient.x * sight.swing.x + gradient.y * sight.swing.y), -(gradient * sight.offset).sum(),
        -(gradient * sight.velocity).sum()))
  }
}
