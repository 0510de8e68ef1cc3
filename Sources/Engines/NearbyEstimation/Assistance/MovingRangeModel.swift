/// Predicts the range from an antenna to an object that moves steadily, with derivatives.
///
/// The state is `[x, y, z, bias, vx, vy, vz, lateness]`: the object's position now (metres), the constant
/// part of the radio's bias (metres), the object's velocity (m/s), and how long after its timestamp a range
/// was measured (seconds). Source: `Docs/assistance.md`, equation 8.
package enum MovingRangeModel {
  @inline(__always)
  package static func predict(_ state: SIMD8<Double>, from sight: Sight) -> PointRangeModel.Prediction {
    let across = sight.acrossToMoving(state)
    let distance = max((across * across).sum().squareRoot(), PointRangeModel.nearest)
    let gradient = across / distance
    return PointRangeModel.Prediction(
      range: distance + state[3],
      jacobian: SIMD8(
        gradient.x, gradient.y, gradient.z, 1, -sight.age * gradient.x, -sight.age * gradient.y,
        -sight.age * gradient.z, -(gradient * sight.velocity).sum()))
  }
}
