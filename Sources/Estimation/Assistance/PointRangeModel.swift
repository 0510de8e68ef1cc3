/// The range from an antenna of a drifting track to a point: prediction and derivatives.
///
/// The state is `[x, y, z, bias, curve, yaw rate, scale, 0]`: the object in the track's frame as it is now
/// (metres), the constant and the logarithmic part of the radio's bias (metres), and the track's errors (rad/s,
/// ratio). Source: `Docs/assistance.md`, equations 1 to 4.
package enum PointRangeModel {
  /// Distance at which the logarithmic part is zero, metres, and where it stops falling.
  static let curveDistance = 5.0
  static let curveFloor = 0.5
  static let nearest = 1e-3

  /// What the range and its derivatives are.
  package struct Prediction: Sendable {
    package var range: Double
    package var jacobian: SIMD8<Double>
  }

  /// - Parameters:
  ///   - antenna: Where the antenna is now, in the track's frame.
  ///   - offset: From there to where the antenna was, as tracked.
  ///   - swing: What a unit of yaw rate adds to that offset, metres a rad/s; horizontal.
  @inline(__always)
  package static func predict(
    _ state: SIMD8<Double>, antenna: SIMD3<Double>, offset: SIMD3<Double>, swing: SIMD2<Double>
  ) -> Prediction {
    let (yawRate, stretch) = (state[5], 1 + state[6])
    let across = SIMD3(
      state[0] - antenna.x - stretch * offset.x - yawRate * swing.x,
      state[1] - antenna.y - stretch * offset.y - yawRate * swing.y,
      state[2] - antenna.z - stretch * offset.z)
    let distance = max((across * across).sum().squareRoot(), nearest)
    let logarithm = Maths.log((distance + curveFloor) / (curveDistance + curveFloor))
    let slope = (1 + state[4] / (distance + curveFloor)) / distance
    let gradient = across * slope
    return Prediction(
      range: distance + state[3] + state[4] * logarithm,
      jacobian: SIMD8(
        gradient.x, gradient.y, gradient.z, 1, logarithm,
        -(gradient.x * swing.x + gradient.y * swing.y), -(gradient * offset).sum(), 0))
  }
}
