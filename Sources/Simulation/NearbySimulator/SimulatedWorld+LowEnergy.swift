import NearbyMaths
import NearbySchedule

extension SimulatedWorld {
  /// Power at which a Bluetooth packet arrives, dBm, or `nil` if it is lost.
  ///
  /// Walls and people weaken the direct path as they do for pulses, but echoes also find a way around them.
  ///
  /// - Parameter channel: 0 to 39.
  package mutating func lowEnergyPower(
    from sender: LowEnergyRadio, to receiver: LowEnergyRadio, channel: UInt8, at time: Duration
  ) -> Double? {
    let seconds = time.inSeconds
    let here = bodies[sender.body.index].trajectory.motion(at: seconds).position
    let there = bodies[receiver.body.index].trajectory.motion(at: seconds).position
    let path = there - here
    let squared = (path * path).sum()
    guard squared < LowEnergyRadio.reach * LowEnergyRadio.reach else { return nil }
    var noise = NoiseStream(
      seed: seed, sender.identity, receiver.identity, UInt64(bitPattern: time.inNanoseconds),
      Purpose.lowEnergy.rawValue)
    let loss = (1 - extraLoss) * (1 - sender.extraLoss) * (1 - receiver.extraLoss)
    guard noise.uniform() < loss else { return nil }
    var power = sender.powerAtOneMetre - lowEnergyLoss(distance: squared.squareRoot())
    // Too weak by more than the random terms could make up for: skip the rest.
    guard power > LowEnergyRadio.sensitivity - 20 else { return nil }
    let pair = Self.pairKey(sender.identity, receiver.identity)
    let (first, second) = sender.identity < receiver.identity ? (here, there) : (there, here)
    var link = NoiseStream(seed: seed, pair, UInt64.max, Purpose.lowEnergy.rawValue)
    power += LowEnergyRadio.linkSigma * link.normal()
    power += LowEnergyRadio.shadowSigma * lowEnergyField(pair, 0, LowEnergyRadio.shadowLength, first, second)
    power +=
      LowEnergyRadio.echoSigma
      * lowEnergyField(pair, UInt64(channel) + 1, LowEnergyRadio.echoLength, first, second)
    if let obstruction = obstruction(here, there, seconds: seconds) {
      power += Maths.decibels(
        Maths.powerRatio(-obstruction.attenuation) + Maths.powerRatio(-echoLoss))
    }
    power += LowEnergyRadio.readingSigma * noise.normal()
    let lost = RadioPath.lossShare(power: power, sensitivity: LowEnergyRadio.sensitivity)
    return noise.uniform() >= lost ? power : nil
  }

  /// Path loss relative to 1 m, dB.
  private func lowEnergyLoss(distance: Double) -> Double {
    // Chosen: the law is one of the far field, and the wave is 12 cm long.
    let distance = max(distance, 0.1)
    func loss(_ exponent: Double, _ ratio: Double) -> Double { exponent * Maths.decibels(ratio) }
    guard distance > LowEnergyRadio.bend else { return loss(LowEnergyRadio.exponent, distance) }
    return loss(LowEnergyRadio.exponent, LowEnergyRadio.bend)
      + loss(
        isOutdoors ? LowEnergyRadio.outdoorExponent : LowEnergyRadio.farExponent,
        distance / LowEnergyRadio.bend)
  }

  /// Identical in both directions.
  private static func pairKey(_ a: UInt64, _ b: UInt64) -> UInt64 {
    SplitMix64.mixed(min(a, b)) ^ max(a, b)
  }

  private func lowEnergyField(
    _ pair: UInt64, _ number: UInt64, _ length: Double, _ a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> Double {
    var key = NoiseStream(seed: seed, pair, number, Purpose.lowEnergy.rawValue)
    return MultipathField(key: key.next(), wavelength: length).value(a, b)
  }
}
