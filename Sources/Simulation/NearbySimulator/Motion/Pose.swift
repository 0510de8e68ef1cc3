/// A body's position, orientation and velocity at one time.
package struct Pose: Equatable, Sendable {
  /// Metres; x east, y north, z up.
  package var positionInWorld: SIMD3<Double>
  package var worldFromDevice: Rotation
  /// Metres a second.
  package var velocityInWorld: SIMD3<Double>

  package init(
    positionInWorld: SIMD3<Double>, worldFromDevice: Rotation = .init(heading: 0),
    velocityInWorld: SIMD3<Double> = .zero
  ) {
    self.positionInWorld = positionInWorld
    self.worldFromDevice = worldFromDevice
    self.velocityInWorld = velocityInWorld
  }

  /// Transforms a point from the device's frame to the world's.
  package func inWorld(_ positionInDevice: SIMD3<Double>) -> SIMD3<Double> {
    positionInWorld + worldFromDevice * positionInDevice
  }
}
