/// Where a device is in its AR world.
package struct DevicePose: Equatable, Sendable {
  /// Metres; z up.
  package var positionInWorld: SIMD3<Double>
  /// World from device, unit quaternion x, y, z, w.
  package var worldFromDevice: SIMD4<Double>
  package init(positionInWorld: SIMD3<Double>, worldFromDevice: SIMD4<Double> = SIMD4(0, 0, 0, 1)) {
    self.positionInWorld = positionInWorld
    self.worldFromDevice = worldFromDevice
  }

  /// A point of the device in the world.
  package func inWorld(_ pointInDevice: SIMD3<Double>) -> SIMD3<Double> {
    positionInWorld + turned(pointInDevice)
  }

  /// A direction of the device in the world.
  package func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let u = SIMD3(worldFromDevice.x, worldFromDevice.y, worldFromDevice.z)
    let t = 2 * Self.cross(u, v)
    return v + worldFromDevice.w * t + Self.cross(u, t)
  }

  /// The angle in the level plane that turns one direction into another, rad, positive to the right.
  package static func levelAngle(from a: SIMD3<Double>, to b: SIMD3<Double>) -> Double {
    Maths.atan2(a.y * b.x - a.x * b.y, a.x * b.x + a.y * b.y)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

/// One range from an antenna whose place in the AR world is known.
package struct AssistanceReading: Equatable, Sendable {
  package var time: Duration
  /// Of the device at that time.
  package var pose: DevicePose
  /// The antenna's lever arm, metres, device frame.
  package var antennaInDevice: SIMD3<Double>
  /// Antenna to antenna, metres, factory calibration applied.
  package var range: Double
  /// Whether the radio suspects that the direct path is blocked.
  package var isObstructed: Bool
  package init(
    time: Duration, pose: DevicePose, antennaInDevice: SIMD3<Double> = .zero, range: Double,
    isObstructed: Bool = false
  ) {
    self.time = time
    self.pose = pose
    self.antennaInDevice = antennaInDevice
    self.range = range
    self.isObstructed = isObstructed
  }
}

/// What the device's camera and radio say about the conditions.
package struct AssistanceConditions: Equatable, Sendable {
  package var isLightSufficient: Bool
  package var isSignalSufficient: Bool
  package init(isLightSufficient: Bool = true, isSignalSufficient: Bool = true) {
    self.isLightSufficient = isLightSufficient
    self.isSignalSufficient = isSignalSufficient
  }
}
