import NearbyExchange
import NearbyMaths
import NearbySchedule

/// Measures the direction of one frame with the antenna array in a device's back: phase differences, then
/// angles.
///
/// Two antennas see a phase difference of 2π·d/λ·u, with u the component of the unit direction along their
/// baseline. One pair lies along the device's x axis, one along its y axis. Noise is added to the phases, so
/// the arc sine makes the angles less accurate towards the sides.
struct AngleMeasurement {
  let array: AntennaArray
  let here: Pose
  let hereAntenna: SIMD3<Double>
  let thereAntenna: SIMD3<Double>
  let frequency: Double
  /// Seeds the phase error caused by echoes.
  let echoes: UInt64
  /// Standard deviation of this frame's timestamp relative to the best possible, ≥ 1.
  let weakness: Double
  let isBlocked: Bool

  /// The direction in the device's frame, or `nil` if it lies outside the cone, the device is not in
  /// portrait, or the phases give no valid direction. Always consumes the same number of random values.
  func reading(noise: inout NoiseStream) -> AngleReading? {
    let first = noise.normal()
    let second = noise.normal()
    let chance = noise.uniform()
    let deviceFromWorld = here.worldFromDevice.inverse
    let direction =
      deviceFromWorld * (thereAntenna - hereAntenna).normalised(or: SIMD3(0, 1, 0))
    let fromAxis = Maths.acos(clamping: -direction.z)
    guard fromAxis < array.fieldOfView, isPortrait(deviceFromWorld) else { return nil }
    // In the outer tenth of the cone, some frames are too faint at one antenna.
    let edge = fromAxis / array.fieldOfView
    guard chance >= (edge - 0.9) * 8 else { return nil }
    // Noise grows towards the edge and on a blocked path: Docs/simulator.md, Direction.
    let fade = 1 + 2 * edge * edge * edge * edge
    let sigma = array.phaseSigma * min(weakness, 8) * fade * (isBlocked ? 2 : 1)
    let fixed = array.multipathSigma * fade * (isBlocked ? 2.5 : 1)
    let horizontal = MultipathField(key: echoes, wavelength: 0.6)
    let vertical = MultipathField(key: SplitMix64.mixed(echoes), wavelength: 0.6)
    let scale = 2 * .pi * array.spacing * frequency / speedOfLight
    let phaseX =
      scale * direction.x + first * sigma + fixed * horizontal.value(hereAntenna, thereAntenna)
    let phaseY =
      scale * direction.y + second * sigma + fixed * vertical.value(hereAntenna, thereAntenna)
    return measured(
      x: Maths.wrapped(phaseX) / scale, y: Maths.wrapped(phaseY) / scale,
      sigma: (sigma * sigma + fixed * fixed).squareRoot() / scale)
  }

  /// Converts the measured components of the unit direction to angles; `nil` if they exceed length 1.
  private func measured(x: Double, y: Double, sigma: Double) -> AngleReading? {
    guard x * x + y * y < 1 else { return nil }
    let elevation = Maths.asin(clamping: y)
    let cosineOfElevation = (1 - y * y).squareRoot()
    let azimuth = Maths.asin(clamping: x / cosineOfElevation)
    // Chosen: bounds the stated sigma at ten times that ahead, where the arcsine has no slope left.
    let cosineOfAzimuth = max(Maths.cos(azimuth), 0.1)
    return AngleReading(
      azimuth: azimuth, elevation: elevation,
      azimuthSigma: sigma / (max(cosineOfElevation, 0.1) * cosineOfAzimuth),
      elevationSigma: sigma / max(cosineOfElevation, 0.1))
  }

  /// The array measures only while the device leans less than 45° from portrait (`rollLimit`). A device lying
  /// flat does not lean.
  private func isPortrait(_ deviceFromWorld: Rotation) -> Bool {
    let up = deviceFromWorld * SIMD3(0, 0, 1)
    // Flat is within 17° of level: sin² 17° = 0.09. Chosen.
    guard up.x * up.x + up.y * up.y > 0.09 else { return true }
    return abs(Maths.atan2(up.x, up.y)) <= array.rollLimit
  }
}
