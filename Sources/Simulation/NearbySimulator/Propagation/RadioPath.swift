import NearbyMaths

/// The path between two antennas at one time, and its effect on power and delay; identical in both
/// directions.
struct RadioPath {
  /// Antenna to antenna, metres.
  var distance: Double
  /// Metres a second, positive when the antennas move apart.
  var rangeRate: Double
  /// Unit vector from the first antenna to the second, in the world.
  var direction: SIMD3<Double>
  var isLineOfSight: Bool
  /// Sum over everything in the way: dB, metres, metres.
  var obstruction: Material
  /// Loss of the unobstructed direct path from distance, antenna patterns and polarisation, dB.
  var freeLoss: Double

  /// Power of the direct path at a receiver, dBm.
  func straightPower(sent: Double) -> Double { sent - freeLoss - obstruction.attenuation }

  /// Power of all paths at a receiver, dBm. The echoes together are `echoLoss` dB weaker than an unobstructed
  /// direct path.
  func totalPower(sent: Double, echoLoss: Double) -> Double {
    let straight = Maths.powerRatio(-obstruction.attenuation)
    return sent - freeLoss + Maths.decibels(straight + Maths.powerRatio(-echoLoss))
  }

  /// Centre frequency of a UWB channel, hertz (IEEE 802.15.4z table 15-5).
  static func frequency(ofChannel channel: UInt8) -> Double {
    switch channel {
    case 6: 6_988.8e6
    case 8: 7_488.0e6
    case 9: 7_987.2e6
    case 10: 8_486.4e6
    case 12: 8_985.6e6
    case 13: 9_484.8e6
    case 14: 9_984.0e6
    default: 6_489.6e6
    }
  }

  /// Free-space loss by Friis: 20·log₁₀(4πdf/c), dB. Distances below 10 cm count as 10 cm.
  static func freeSpaceLoss(distance: Double, frequency: Double) -> Double {
    2 * Maths.decibels(4 * .pi * max(distance, 0.1) * frequency / speedOfLight)
  }

  /// Loss of an antenna towards `direction`, a unit vector in the device's frame that points away from it,
  /// dB.
  static func patternLoss(rear: Double, direction: SIMD3<Double>) -> Double {
    rear * (1 + direction.z) / 2
  }

  /// Polarisation loss between two antennas whose fields lie along their devices' y axes, dB, at most
  /// `limit`.
  static func polarisationLoss(
    _ a: Rotation, _ b: Rotation, direction: SIMD3<Double>, limit: Double
  ) -> Double {
    let up = SIMD3(0.0, 1, 0)
    var fieldA = a * up
    var fieldB = b * up
    fieldA -= direction * fieldA.dot(direction)
    fieldB -= direction * fieldB.dot(direction)
    // Seen end-on, an antenna has no direction of polarisation, so the limit applies.
    let product = fieldA.length * fieldB.length
    let cosine = product > 1e-6 ? fieldA.dot(fieldB) / product : 0
    return min(limit, -Maths.decibels(max(cosine * cosine, 1e-6)))
  }

  /// Share of frames lost by a receiver at `power` dBm. `sensitivity` is the power at which half are lost,
  /// dBm. A logistic curve that falls from 99 % to 1 % within 9 dB, like measured packet error curves.
  static func lossShare(power: Double, sensitivity: Double) -> Double {
    1 / (1 + Maths.exp(power - sensitivity))
  }

  /// Standard deviation of a first path's time, metres, at a signal-to-noise power ratio: the Cramér–Rao
  /// bound c / (2πβ·√(2·SNR)), with an effective bandwidth β of 250 MHz for a 500 MHz pulse.
  static func timeSigma(signalToNoise: Double) -> Double {
    speedOfLight / (2 * .pi * 250e6 * (2 * max(signalToNoise, 0.1)).squareRoot())
  }
}
