import NearbyMaths

/// Position and attitude of a device in its AR world.
package struct DevicePose: Equatable, Sendable {
  /// In metres; z up.
  package var positionInWorld: SIMD3<Double>
  /// World from device, unit quaternion x, y, z, w.
  package var worldFromDevice: SIMD4<Double>
  package init(positionInWorld: SIMD3<Double>, worldFromDevice: SIMD4<Double> = SIMD4(0, 0, 0, 1)) {
    self.positionInWorld = positionInWorld
    self.worldFromDevice = worldFromDevice
  }

  /// Scales the quaternion to unit length.
  ///
  /// - Returns: Whether every component is a number, the quaternion's length is usable, and the position is
  ///   within 1000 km of the origin.
  mutating func normalise() -> Bool {
    let square = (worldFromDevice * worldFromDevice).sum()
    guard square > 1e-6, square < 1e12, (positionInWorld * positionInWorld).sum() < 1e12 else { return false }
    worldFromDevice /= square.squareRoot()
    return true
  }

  /// Converts a point from the device frame to the world.
  package func inWorld(_ pointInDevice: SIMD3<Double>) -> SIMD3<Double> {
    positionInWorld + turned(pointInDevice)
  }

  /// Rotates a vector from the device frame into the world.
  @inline(__always)
  package func turned(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let u = SIMD3(worldFromDevice.x, worldFromDevice.y, worldFromDevice.z)
    let t = 2 * Self.cross(u, v)
    return v + worldFromDevice.w * t + Self.cross(u, t)
  }

  /// Rotates a vector from the world into the device frame.
  @inline(__always)
  package func inDevice(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let q = worldFromDevice
    let inverse = SIMD4(-q.x, -q.y, -q.z, q.w)
    return DevicePose(positionInWorld: .zero, worldFromDevice: inverse).turned(v)
  }

  /// The angle in the level plane that turns one direction into another, radians, positive to the right.
  package static func levelAngle(from a: SIMD3<Double>, to b: SIMD3<Double>) -> Double {
    Maths.atan2(a.y * b.x - a.x * b.y, a.x * b.x + a.y * b.y)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

/// The direction to an object as an antenna array measured it, in the device frame.
///
/// The direction is `(sin az · cos el, sin el, −cos az · cos el)`: azimuth is positive to the right (+x),
/// elevation positive up (+y), and both are zero straight out of the back.
package struct AssistanceAngles: Equatable, Sendable {
  /// In radians; `nil` if the array does not measure it.
  package var azimuth: Double?
  package var elevation: Double?
  /// Standard deviations in radians. Values below half a degree count as half a degree.
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

  /// Limits the sigmas and removes impossible angles; `nil` if neither angle remains.
  var checked: AssistanceAngles? {
    var angles = self
    angles.azimuthSigma = azimuthSigma.isFinite ? min(10, max(0.009, azimuthSigma)) : 10
    angles.elevationSigma = elevationSigma.isFinite ? min(10, max(0.009, elevationSigma)) : 10
    if let azimuth, !(azimuth.magnitude <= .pi) { angles.azimuth = nil }
    if let elevation, !(elevation.magnitude <= .pi / 2) { angles.elevation = nil }
    return angles.azimuth == nil && angles.elevation == nil ? nil : angles
  }

  /// Unit vector in the device frame; an angle that was not measured counts as zero.
  package var directionInDevice: SIMD3<Double> {
    let (az, el) = (azimuth ?? 0, elevation ?? 0)
    return SIMD3(Maths.sin(az) * Maths.cos(el), Maths.sin(el), -Maths.cos(az) * Maths.cos(el))
  }
}

/// One range to an antenna whose position in the AR world is known.
package struct AssistanceReading: Equatable, Sendable {
  package var time: Duration
  /// The device's pose at that time.
  package var pose: DevicePose
  /// The antenna's lever arm in the device frame, metres.
  package var antennaInDevice: SIMD3<Double>
  /// From antenna to antenna in metres, with factory calibration applied.
  package var range: Double
  /// Whether the radio suspects that the direct path is blocked; `nil` if it does not judge.
  package var isObstructed: Bool?
  /// Probability of that, from `BlockedPathModel`; replaces `isObstructed`.
  package var blockedProbability: Double?
  /// The direction from the chip's antenna array, if it measured one.
  package var angles: AssistanceAngles?
  package init(
    time: Duration, pose: DevicePose, antennaInDevice: SIMD3<Double> = .zero, range: Double,
    isObstructed: Bool? = nil, blockedProbability: Double? = nil, angles: AssistanceAngles? = nil
  ) {
    self.angles = angles
    self.time = time
    self.pose = pose
    self.antennaInDevice = antennaInDevice
    self.range = range
    self.isObstructed = isObstructed
    self.blockedProbability = blockedProbability
  }
}

/// Whether light and signal suffice, according to the device's camera and radio.
package struct AssistanceConditions: Equatable, Sendable {
  package var isLightSufficient: Bool
  package var isSignalSufficient: Bool
  package init(isLightSufficient: Bool = true, isSignalSufficient: Bool = true) {
    self.isLightSufficient = isLightSufficient
    self.isSignalSufficient = isSignalSufficient
  }
}
