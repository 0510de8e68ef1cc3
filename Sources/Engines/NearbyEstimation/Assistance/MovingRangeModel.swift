/// Predicts the ranges from an antenna to an object that moves steadily, with derivatives.
///
/// The state is `[x, y, z, bias, vx, vy, vz, lateness]`: the object's position now (metres), the constant
/// part of the radio's bias (metres), the object's velocity (m/s), and how long after its timestamp a range
/// was measured (seconds). Source: `Docs/assistance.md`, equation 8.
package enum MovingRangeModel {
  @inline(__always)
  package static func predict(_ state: SIMD8<Double>, from sight: Sight) -> PointRangeModel.Prediction {
    let across = sight.acrossToMoving(state)
    let distance = PointRangeModel.distance(across)
    let one = Lanes(repeating: 1)
    let gradient = (one / distance) * across
    let aged = -sight.age * gradient
    return PointRangeModel.Prediction(
      range: distance + Lanes(repeating: state[3]),
      jacobian: [
        gradient.x, gradient.y, gradient.z, one, aged.x, aged.y, aged.z, -gradient.dot(sight.velocity),
      ])
  }
}
