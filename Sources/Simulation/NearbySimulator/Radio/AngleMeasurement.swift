import NearbyExchange
import NearbyMaths
import NearbySchedule

/// What an antenna array in a device's back makes of one frame: phase differences, then a direction.
///
/// Antennas side by side see the phase 2π·d/λ·u, with u the part of the unit direction along their base line;
/// one pair lies along the device's x, one along its y. Noise enters the phases, so that by the arc sine the
/// angles grow worse towards the sides.
struct AngleMeasurement {
  let array: AntennaArray
  let here: Pose
  let hereAntenna: SIMD3<Double>
  let thereAntenna: SIMD3<Double>
  let frequency: Double
  /// What the phase error of echoes is drawn from.
  let echoes: UInt64
  /// A timestamp's standard deviation over its best: how much weaker than ideal the frame is, ≥ 1.
  let weakness: Double
  let isBlocked: Bool

  /// The direction in the device's frame, `nil` outside the cone, out of portrait, or when the phases make no
  /// direction. Always takes as many random numbers.
  func reading(noise: inout NoiseStream) -> AngleReading? {
    let first = noise.normal()
    let second = noise.normal()
    let chance = noise.uniform()
    let deviceFromWorld = here.worldFromDevice.inverse
    let direction =
      deviceFromWorld * (thereAntenna - hereAntenna).normalised(or: SIMD3(0, 1, 0))
    let fromAxis = Maths.acos(clamping: -direction.z)
    guard fromAxis < array.fieldOfView, isPortrait(deviceFromWorld) else { return nil }
    // In the last tenth of the cone some frames are too faint in one antenna.
    let edge = fromAxis / array.fieldOfView
    guard chance >= (edge - 0.9) * 8 else { return nil }
    // How noise grows towards the edge, and with a blocked path: Docs/simulator.md, Direction.
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

  /// The portrait rule: an array measures while its device leans less than 45° to the side. A device that
  /// lies flat has no side to lean to.
  private func isPortrait(_ deviceFromWorld: Rotation) -> Bool {
    let up = deviceFromWorld * SIMD3(0, 0, 1)
    // Flat is within 17° of level: sin² 17° = 0.09. Chosen.
    guard up.x * up.x + up.y * up.y > 0.09 else { return true }
    return abs(Maths.atan2(up.x, up.y)) <= array.rollLimit
  }
}
