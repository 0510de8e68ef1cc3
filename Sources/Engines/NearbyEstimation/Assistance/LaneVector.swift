/// Numbers of four measurements side by side, one a lane, so that the processor computes them together.
package typealias Lanes = SIMD4<Double>

/// A vector for each of four measurements.
package struct LaneVector: Equatable, Sendable {
  package var x: Lanes
  package var y: Lanes
  package var z: Lanes

  @inline(__always)
  package init(_ x: Lanes, _ y: Lanes, _ z: Lanes) { (self.x, self.y, self.z) = (x, y, z) }

  /// The same vector in each lane.
  @inline(__always)
  package init(repeating vector: SIMD3<Double>) {
    x = Lanes(repeating: vector.x)
    y = Lanes(repeating: vector.y)
    z = Lanes(repeating: vector.z)
  }

  package static var zero: LaneVector { LaneVector(.zero, .zero, .zero) }

  /// The vector of one lane.
  package subscript(lane: Int) -> SIMD3<Double> {
    get { SIMD3(x[lane], y[lane], z[lane]) }
    set { (x[lane], y[lane], z[lane]) = (newValue.x, newValue.y, newValue.z) }
  }

  @inline(__always)
  package func dot(_ other: LaneVector) -> Lanes { x * other.x + y * other.y + z * other.z }

  @inline(__always)
  package func cross(_ other: LaneVector) -> LaneVector {
    LaneVector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  @inline(__always)
  package static func + (a: LaneVector, b: LaneVector) -> LaneVector {
    LaneVector(a.x + b.x, a.y + b.y, a.z + b.z)
  }

  @inline(__always)
  package static func - (a: LaneVector, b: LaneVector) -> LaneVector {
    LaneVector(a.x - b.x, a.y - b.y, a.z - b.z)
  }

  @inline(__always)
  package static prefix func - (a: LaneVector) -> LaneVector { LaneVector(-a.x, -a.y, -a.z) }

  @inline(__always)
  package static func * (scale: Lanes, a: LaneVector) -> LaneVector {
    LaneVector(scale * a.x, scale * a.y, scale * a.z)
  }
}

/// An attitude for each of four measurements, world from device.
package struct LaneTurn: Equatable, Sendable {
  /// Vector and scalar parts of unit quaternions.
  package var vector: LaneVector
  package var scalar: Lanes

  @inline(__always)
  package init(vector: LaneVector, scalar: Lanes) { (self.vector, self.scalar) = (vector, scalar) }

  /// The same unit quaternion x, y, z, w in each lane.
  package init(repeating turn: SIMD4<Double>) {
    vector = LaneVector(repeating: SIMD3(turn.x, turn.y, turn.z))
    scalar = Lanes(repeating: turn.w)
  }

  /// Rotates vectors from the device frame into the world.
  @inline(__always)
  package func turned(_ v: LaneVector) -> LaneVector {
    let half = vector.cross(v)
    let twice = half + half
    return v + scalar * twice + vector.cross(twice)
  }

  /// Rotates vectors from the world into the device frame.
  @inline(__always)
  package func inDevice(_ v: LaneVector) -> LaneVector {
    let half = vector.cross(v)
    let twice = half + half
    return v - scalar * twice + vector.cross(twice)
  }
}
