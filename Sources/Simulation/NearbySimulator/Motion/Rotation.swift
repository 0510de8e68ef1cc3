import NearbyMaths

/// A rotation between two frames, as a unit quaternion.
///
/// `worldFromDevice * positionInDevice` gives a vector in world axes.
package struct Rotation: Equatable, Sendable {
  /// Imaginary part in x, y, z; real part in w. Length 1.
  package var quaternion: SIMD4<Double>

  /// Creates a rotation from a quaternion of any length > 0; a length of 0 or a non-finite one gives the
  /// identity.
  package init(quaternion: SIMD4<Double>) {
    let squared = (quaternion * quaternion).sum()
    self.quaternion =
      squared > 0 && squared.isFinite ? quaternion / squared.squareRoot() : SIMD4(0, 0, 0, 1)
  }

  /// A right-handed rotation by `angle` radians about `axis`, a unit vector.
  package init(angle: Double, axis: SIMD3<Double>) {
    let half = Maths.sin(angle / 2)
    quaternion = SIMD4(axis * half, Maths.cos(angle / 2))
  }

  /// The attitude of a hand-held phone: `worldFromDevice` from heading, pitch and roll, all in radians.
  ///
  /// - Parameters:
  ///   - heading: Direction of the device's back: 0 is north (+y), positive is clockwise (π/2 is east).
  ///   - pitch: 0 is upright in portrait with the back facing the horizon; positive tilts the back upwards.
  ///   - roll: 0 is portrait; positive leans the top to the holder's right.
  package init(heading: Double, pitch: Double = 0, roll: Double = 0) {
    let turn = Rotation(angle: -heading, axis: SIMD3(0, 0, 1))
    let lift = Rotation(angle: .pi / 2 + pitch, axis: SIMD3(1, 0, 0))
    let lean = Rotation(angle: roll, axis: SIMD3(0, 0, -1))
    self = turn * lift * lean
  }

  /// Heading, pitch and roll as defined by `init(heading:pitch:roll:)`, radians. If the back points straight
  /// up or down, the roll is 0.
  package var angles: (heading: Double, pitch: Double, roll: Double) {
    let back = self * SIMD3(0, 0, -1)
    let right = self * SIMD3(1, 0, 0)
    let top = self * SIMD3(0, 1, 0)
    let level = (back.x * back.x + back.y * back.y).squareRoot()
    let pitch = Maths.atan2(back.z, level)
    guard level > 1e-9 else {
      return (Maths.atan2(-right.y, right.x), pitch, 0)
    }
    return (Maths.atan2(back.x, back.y), pitch, Maths.atan2(-right.z, top.z))
  }

  /// Upright, with the back of the device facing `direction` in the world. The heading is 0 if `direction` is
  /// straight up or down.
  package init(lookingAlong direction: SIMD3<Double>) {
    let horizontal = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    self.init(
      heading: horizontal > 1e-9 ? Maths.atan2(direction.x, direction.y) : 0,
      pitch: Maths.atan2(direction.z, horizontal))
  }

  package var inverse: Rotation {
    var result = self
    result.quaternion = SIMD4(-quaternion.x, -quaternion.y, -quaternion.z, quaternion.w)
    return result
  }

  package static func * (left: Rotation, right: Rotation) -> Rotation {
    let a = left.quaternion
    let b = right.quaternion
    let u = SIMD3(a.x, a.y, a.z)
    let v = SIMD3(b.x, b.y, b.z)
    return Rotation(quaternion: SIMD4(a.w * v + b.w * u + u.cross(v), a.w * b.w - u.dot(v)))
  }

  package static func * (rotation: Rotation, vector: SIMD3<Double>) -> SIMD3<Double> {
    let u = SIMD3(rotation.quaternion.x, rotation.quaternion.y, rotation.quaternion.z)
    let twice = 2 * u.cross(vector)
    return vector + rotation.quaternion.w * twice + u.cross(twice)
  }

  /// Interpolates along the shorter arc to `other` at a constant rate: 0 gives this rotation, 1 gives
  /// `other`.
  package func interpolated(to other: Rotation, fraction: Double) -> Rotation {
    var target = other.quaternion
    var cosine = (quaternion * target).sum()
    if cosine < 0 {
      target = -target
      cosine = -cosine
    }
    if cosine > 0.9995 {
      return Rotation(quaternion: quaternion + fraction * (target - quaternion))
    }
    let angle = Maths.acos(clamping: cosine)
    let near = Maths.sin((1 - fraction) * angle)
    let far = Maths.sin(fraction * angle)
    return Rotation(quaternion: near * quaternion + far * target)
  }
}
