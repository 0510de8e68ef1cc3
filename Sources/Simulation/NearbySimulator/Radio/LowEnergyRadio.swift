/// One end of a Bluetooth link: what a device's or beacon's radio is like, and whose body it is on.
package struct LowEnergyRadio: Sendable {
  package var body: BodyID
  /// What its echoes and shadows are drawn from beside the seed; distinct, and stable over runs.
  package var identity: UInt64
  /// Mean power at a good receiver 1 m away, dBm.
  package var powerAtOneMetre: Double
  /// Chance of losing a packet in either direction beside what power says, 0 to 1.
  package var extraLoss = 0.0

  /// A phone's, as the recorded beacon and phone pairs had it: −62.2 and −61.7 dBm at 1 m.
  package static let usualPower = -62.0

  package init(body: BodyID, identity: UInt64, powerAtOneMetre: Double = usualPower) {
    self.body = body
    self.identity = identity
    self.powerAtOneMetre = powerAtOneMetre
  }

  /// Power at which half of the packets are lost, dBm.
  static let sensitivity = -96.0
  /// Nobody hears farther, metres.
  static let reach = 150.0
  /// Loss by distance as fitted indoors: exponent 1.39 over all of the `danis` recordings (0.8 to 20 m), 1.17
  /// over `herald`'s. Beyond, walls and clutter that no world has in it take their toll.
  static let exponent = 1.4
  static let bend = 20.0
  static let farExponent = 3.5
  /// What walls, furniture and the pose of both do, fixed for a placement: 4.2 dB, the part of the recorded
  /// spread of 6.1 dB that two packets in a row share. It changes over a step or two.
  static let shadowSigma = 3.5
  static let shadowLength = 2.0
  /// Echoes, of each channel its own, change within a hand's breadth: what two packets in a row do not share is
  /// 4.4 dB while the beacon is carried.
  static let echoSigma = 3.5
  static let echoLength = 0.13
  /// A receiver's reading and what moves in the room, from packet to packet.
  static let readingSigma = 2.0
}

extension SimulatedWorld {
  /// Power at which a packet arrives, dBm, and `nil` for one that is lost.
  ///
  /// Walls and people weaken it as they do pulses, but echoes find their way round as well.
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
    var power = sender.powerAtOneMetre - Self.lowEnergyLoss(distance: squared.squareRoot())
    // Not within twice the spread of what can be heard: no need to look closer.
    guard power > LowEnergyRadio.sensitivity - 20 else { return nil }
    let pair = Self.pairKey(sender.identity, receiver.identity)
    let (first, second) = sender.identity < receiver.identity ? (here, there) : (there, here)
    power += LowEnergyRadio.shadowSigma * lowEnergyField(pair, 0, LowEnergyRadio.shadowLength, first, second)
    power +=
      LowEnergyRadio.echoSigma
      * lowEnergyField(pair, UInt64(channel) + 1, LowEnergyRadio.echoLength, first, second)
    if let obstruction = obstruction(here, there, seconds: seconds) {
      power += Maths.decibels(
        Maths.powerRatio(-obstruction.attenuation) + Maths.powerRatio(-echoLoss))
    }
    power += LowEnergyRadio.readingSigma * noise.normal()
    let lost = Link.lossShare(power: power, sensitivity: LowEnergyRadio.sensitivity)
    return noise.uniform() >= lost ? power : nil
  }

  /// dB beyond 1 m.
  static func lowEnergyLoss(distance: Double) -> Double {
    let distance = max(distance, 0.1)
    func loss(_ exponent: Double, _ ratio: Double) -> Double { exponent * Maths.decibels(ratio) }
    guard distance > LowEnergyRadio.bend else { return loss(LowEnergyRadio.exponent, distance) }
    return loss(LowEnergyRadio.exponent, LowEnergyRadio.bend)
      + loss(LowEnergyRadio.farExponent, distance / LowEnergyRadio.bend)
  }

  /// The same both ways.
  private static func pairKey(_ a: UInt64, _ b: UInt64) -> UInt64 {
    NoiseStream.mixed(min(a, b)) ^ max(a, b)
  }

  private func lowEnergyField(
    _ pair: UInt64, _ number: UInt64, _ length: Double, _ a: SIMD3<Double>, _ b: SIMD3<Double>
  ) -> Double {
    var key = NoiseStream(seed: seed, pair, number, Purpose.lowEnergy.rawValue)
    return MultipathField(key: key.next(), wavelength: length).value(a, b)
  }
}
