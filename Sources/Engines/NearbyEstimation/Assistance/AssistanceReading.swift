import NearbyMaths

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

  /// Brings the quaternion to unit length.
  ///
  /// - Returns: Whether all is numbers and the quaternion had a length worth the name.
  mutating func normalise() -> Bool {
    let square = (worldFromDevice * worldFromDevice).sum()
    guard square > 1e-6, square < 1e12, (positionInWorld * positionInWorld).sum() < 1e12 else { return false }
    worldFromDevice /= square.squareRoot()
    return true
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

  /// A direction of the world in the device.
  package func inDevice(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let q = worldFromDevice
    let inverse = SIMD4(-q.x, -q.y, -q.z, q.w)
    return DevicePose(positionInWorld: .zero, worldFromDevice: inverse).turned(v)
  }

  /// The angle in the level plane that turns one direction into another, rad, positive to the right.
  package static func levelAngle(from a: SIMD3<Double>, to b: SIMD3<Double>) -> Double {
    Maths.atan2(a.y * b.x - a.x * b.y, a.x * b.x + a.y * b.y)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

/// What an antenna array says of the direction to an object, in the device frame.
///
/// The direction is `(sin az · cos el, sin el, −cos az · cos el)`: azimuth positive to the right (+x), elevation
/// positive up (+y), both zero straight out of the back.
package struct AssistanceAngles: Equatable, Sendable {
  /// Radians; `nil` where the array does not measure it.
  package var azimuth: Double?
  package var elevation: Double?
  /// Standard deviations, rad. Less than half a degree is taken for half a degree.
  package var azimuthSigma: Double
  package var elevationSigma: Double
  package init(
    azimuth: Double?, elevation: Double? = nil, azimuthSigma: Double = 0.07, elevationSigma: Double = 0.1
  ) {
    self.azimuth = azimuth
    self.elevation = elevation
    self.azimuthSigma = azimuthSigma
    self.elevationSigma = elevationSigma
  }

  /// Without what is no angle; `nil` if nothing is left.
  var checked: AssistanceAngles? {
    var angles = self
    angles.azimuthSigma = azimuthSigma.isFinite ? min(10, max(0.009, azimuthSigma)) : 10
    angles.elevationSigma = elevationSigma.isFinite ? min(10, max(0.009, elevationSigma)) : 10
    if let azimuth, !(azimuth.magnitude <= .pi) { angles.azimuth = nil }
    if let elevation, !(elevation.magnitude <= .pi / 2) { angles.elevation = nil }
    return angles.azimuth == nil && angles.elevation == nil ? nil : angles
  }

  /// Unit vector in the device frame; an angle not measured counts as zero.
  package var directionInDevice: SIMD3<Double> {
    let (az, el) = (azimuth ?? 0, elevation ?? 0)
    return SIMD3(Maths.sin(az) * Maths.cos(el), Maths.sin(el), -Maths.cos(az) * Maths.cos(el))
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
  /// What the chip says of the direction, where it does.
  package var angles: AssistanceAngles?
  package init(
    time: Duration, pose: DevicePose, antennaInDevice: SIMD3<Double> = .zero, range: Double,
    isObstructed: Bool = false, angles: AssistanceAngles? = nil
  ) {
    self.angles = angles
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
