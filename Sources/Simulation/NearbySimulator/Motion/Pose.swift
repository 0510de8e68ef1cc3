/// Where a body is, how it is turned and how it moves, at one time.
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

  /// A point fixed to the device, in the world.
  package func inWorld(_ positionInDevice: SIMD3<Double>) -> SIMD3<Double> {
    positionInWorld + worldFromDevice * positionInDevice
  }
}
