import NearbyMaths

/// A rotation as a unit quaternion x, y, z, w.
struct BodyAttitude: Equatable, Sendable {
  private(set) var quaternion: SIMD4<Double>

  /// A turn about z, radians.
  init(yaw: Double) {
    quaternion = SIMD4(0, 0, Maths.sin(yaw / 2), Maths.cos(yaw / 2))
  }

  func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let axis = SIMD3(quaternion.x, quaternion.y, quaternion.z)
    let t = 2 * axis.cross(v)
    return v + quaternion.w * t + axis.cross(t)
  }

  /// Adds a small turn about the axes of the outer frame, radians.
  mutating func turn(by turn: SIMD3<Double>) {
    let (half, q) = (0.5 * turn, quaternion)
    let axis = SIMD3(q.x, q.y, q.z)
    let sum = axis + q.w * half + half.cross(axis)
    let next = SIMD4(sum.x, sum.y, sum.z, q.w - half.dot(axis))
    quaternion = next / (next * next).sum().squareRoot()
  }

  /// The small turn about the outer axes that leads from `other` to this rotation, radians.
  func turn(from other: BodyAttitude) -> SIMD3<Double> {
    let (a, b) = (quaternion, other.quaternion)
    let (u, v) = (SIMD3(a.x, a.y, a.z), SIMD3(b.x, b.y, b.z))
    // a · conjugate(b)
    let vector = b.w * u - a.w * v - u.cross(v)
    let scalar = a.w * b.w + u.dot(v)
    let length = vector.length
    guard length > 1e-12 else { return .zero }
    let angle = 2 * Maths.atan2(length, scalar.magnitude)
    return (scalar < 0 ? -angle : angle) / length * vector
  }
}
