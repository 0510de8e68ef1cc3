import NearbyMaths

/// Predicts the directions from an antenna array to an object, at rest or moving, with derivatives.
///
/// Angles are in the device frame: for a direction `(x, y, z)` to the object, azimuth is `atan2(x, −z)` and
/// elevation `atan2(y, √(x² + z²))`. The state is that of the object's range model. Source:
/// `Docs/assistance.md`, equations 9 to 11.
package enum BearingModel {
  /// Both angles in radians, with their derivatives.
  package struct Prediction: Sendable {
    package var azimuth: Double
    package var elevation: Double
    package var azimuthJacobian: SIMD8<Double>
    package var elevationJacobian: SIMD8<Double>
    /// Distance to the object in metres, and its part perpendicular to the device's upward axis.
    package var distance: Double
    package var levelDistance: Double
  }

  /// The prediction for one lane of a sight.
  ///
  /// - Parameters:
  ///   - across: What the sight says about the vector to the object, `acrossToPoint` or `acrossToMoving`.
  ///   - worldFromDevice: Attitude at the time of the measurement, as tracked; unit quaternion x, y, z, w.
  package static func predict(
    _ state: SIMD8<Double>, isMoving: Bool, from sight: Sight, across: LaneVector, lane: Int,
    worldFromDevice: SIMD4<Double>
  ) -> Prediction {
    let (across, age) = (across[lane], sight.age[lane])
    // The track's frame has turned since the measurement, so turn the vector back to it.
    let turn = isMoving ? 0 : state[5] * age
    let then = across - turn * SIMD3(-across.y, across.x, 0)
    let pose = DevicePose(positionInWorld: .zero, worldFromDevice: worldFromDevice)
    let d = pose.inDevice(then)
    let level = max((d.x * d.x + d.z * d.z).squareRoot(), PointRangeModel.nearest)
    let square = level * level + d.y * d.y
    let azimuth = pose.turned(SIMD3(-d.z, 0, d.x) / (level * level))
    let elevation = pose.turned(SIMD3(-d.x * d.y / level, level, -d.z * d.y / level) / square)
    let (velocity, offset) = (sight.velocity[lane], sight.offset[lane])
    let (swingX, swingY) = (sight.swingX[lane], sight.swingY[lane])
    func chain(_ gradient: SIMD3<Double>) -> SIMD8<Double> {
      let g = gradient + turn * SIMD3(-gradient.y, gradient.x, 0)
      let late = -(g * velocity).sum()
      if isMoving { return SIMD8(g.x, g.y, g.z, 0, -age * g.x, -age * g.y, -age * g.z, late) }
      let turned = age * (gradient.x * across.y - gradient.y * across.x)
      return SIMD8(
        g.x, g.y, g.z, 0, 0, turned - g.x * swingX - g.y * swingY, -(g * offset).sum(), late)
    }
    return Prediction(
      azimuth: Maths.atan2(d.x, -d.z), elevation: Maths.atan2(d.y, level), azimuthJacobian: chain(azimuth),
      elevationJacobian: chain(elevation), distance: square.squareRoot(), levelDistance: level)
  }
}
