/// A quaternion. With length 1 it is a rotation, and `q` and `−q` are the same rotation.
///
/// `p * q` rotates by `q` first, then by `p`. Angles are radians, positive by the right-hand rule.
@frozen public struct simd_quatf: Sendable {
  /// The lanes x, y, z are the imaginary part, w is the real part.
  public var vector: SIMD4<Float>

  /// The zero quaternion, which is not a rotation; the identity is `simd_quatf(real: 1, imag: .zero)`.
  @inlinable public init() { vector = .zero }

  /// The quaternion of these four lanes, imaginary part first.
  @inlinable public init(vector: SIMD4<Float>) { self.vector = vector }

  /// The quaternion r + ix·i + iy·j + iz·k.
  @inlinable public init(ix: Float, iy: Float, iz: Float, r: Float) {
    vector = SIMD4(ix, iy, iz, r)
  }

  /// The quaternion of these parts.
  @inlinable public init(real: Float, imag: SIMD3<Float>) {
    vector = SIMD4(imag, real)
  }

  /// The real part.
  @inlinable public var real: Float {
    get { vector.w }
    set { vector.w = newValue }
  }

  /// The imaginary part.
  @inlinable public var imag: SIMD3<Float> {
    get { SIMD3(vector.x, vector.y, vector.z) }
    set { vector = SIMD4(newValue, vector.w) }
  }

  /// The angle of the rotation, 0...2π, for a quaternion of any length.
  @inlinable public var angle: Float { 2 * atan2(simd.length(imag), real) }

  /// The unit axis of the rotation; NaN for the identity, which has no axis.
  @inlinable public var axis: SIMD3<Float> { normalize(imag) }

  /// The quaternion with the imaginary part negated: the inverse of a unit quaternion.
  @inlinable public var conjugate: simd_quatf { simd_quatf(real: real, imag: SIMD3.zero - imag) }

  /// The quaternion that gives 1 when multiplied with this one; NaN for zero.
  @inlinable public var inverse: simd_quatf {
    simd_quatf(vector: conjugate.vector * (1 / length_squared(vector)))
  }

  /// The quaternion of length 1 in the same direction; the identity for zero.
  @inlinable public var normalized: simd_quatf {
    let squared = length_squared(vector)
    if squared == 0 { return simd_quatf(real: 1, imag: .zero) }
    return simd_quatf(vector: vector * (1 / squared.squareRoot()))
  }

  /// The length of the quaternion as a four-dimensional vector.
  @inlinable public var length: Float { simd.length(vector) }

  /// `vector` rotated by this quaternion, which must have length 1.
  @inlinable public func act(_ vector: SIMD3<Float>) -> SIMD3<Float> {
    let t = 2 * cross(imag, vector)
    return vector + real * t + cross(imag, t)
  }
}

extension simd_quatf: Equatable {
  /// Whether all four lanes are equal: `q` and `−q` differ, though they are the same rotation.
  @inlinable public static func == (lhs: simd_quatf, rhs: simd_quatf) -> Bool {
    lhs.vector == rhs.vector
  }
}

extension simd_quatf: CustomDebugStringConvertible {
  /// The real and the imaginary part as text.
  public var debugDescription: String { "simd_quatf(real: \(real), imag: \(imag))" }
}

// MARK: - Arithmetic

extension simd_quatf {
  /// The sum, lane by lane.
  @inlinable public static func + (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf {
    simd_quatf(vector: lhs.vector + rhs.vector)
  }

  /// The difference, lane by lane.
  @inlinable public static func - (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf {
    simd_quatf(vector: lhs.vector - rhs.vector)
  }

  /// All lanes negated: the same rotation.
  @inlinable public static prefix func - (rhs: simd_quatf) -> simd_quatf {
    simd_quatf(vector: -rhs.vector)
  }

  /// Adds, lane by lane.
  @inlinable public static func += (lhs: inout simd_quatf, rhs: simd_quatf) {
    lhs = lhs + rhs
  }

  /// Subtracts, lane by lane.
  @inlinable public static func -= (lhs: inout simd_quatf, rhs: simd_quatf) {
    lhs = lhs - rhs
  }

  /// The Hamilton product: the rotation by `rhs` and then by `lhs`.
  @inlinable public static func * (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf {
    simd_quatf(
      real: lhs.real * rhs.real - dot(lhs.imag, rhs.imag),
      imag: lhs.real * rhs.imag + rhs.real * lhs.imag + cross(lhs.imag, rhs.imag))
  }

  /// Each lane times `lhs`.
  @inlinable public static func * (lhs: Float, rhs: simd_quatf) -> simd_quatf {
    simd_quatf(vector: lhs * rhs.vector)
  }

  /// Each lane times `rhs`.
  @inlinable public static func * (lhs: simd_quatf, rhs: Float) -> simd_quatf {
    simd_quatf(vector: lhs.vector * rhs)
  }

  /// `lhs` times the inverse of `rhs`: the inverse rotation of `rhs`, then the rotation by `lhs`.
  @inlinable public static func / (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf {
    lhs * rhs.inverse
  }

  /// Each lane divided by `rhs`.
  @inlinable public static func / (lhs: simd_quatf, rhs: Float) -> simd_quatf {
    simd_quatf(vector: lhs.vector / rhs)
  }

  /// Multiplies from the right: `lhs` becomes the rotation by `rhs` and then by the old `lhs`.
  @inlinable public static func *= (lhs: inout simd_quatf, rhs: simd_quatf) {
    lhs = lhs * rhs
  }

  /// Multiplies each lane.
  @inlinable public static func *= (lhs: inout simd_quatf, rhs: Float) {
    lhs = lhs * rhs
  }

  /// Multiplies by the inverse of `rhs` from the right.
  @inlinable public static func /= (lhs: inout simd_quatf, rhs: simd_quatf) {
    lhs = lhs / rhs
  }

  /// Divides each lane.
  @inlinable public static func /= (lhs: inout simd_quatf, rhs: Float) {
    lhs = lhs / rhs
  }
}
