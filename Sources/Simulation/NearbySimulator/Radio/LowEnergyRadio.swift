/// One end of a Bluetooth link: the properties of a device's or beacon's radio, and the body that carries it.
package struct LowEnergyRadio: Sendable {
  package var body: BodyID
  /// Seeds the radio's echoes and shadows together with the world's seed; unique, and the same in every run.
  package var identity: UInt64
  /// Mean power at a good receiver 1 m away, dBm.
  package var powerAtOneMetre: Double
  /// Chance of losing a packet in either direction in addition to losses from low power, 0 to 1.
  package var extraLoss = 0.0

  /// Power of a phone, from recorded pairs of beacon and phone: −62.2 and −61.7 dBm at 1 m.
  package static let usualPower = -62.0

  package init(body: BodyID, identity: UInt64, powerAtOneMetre: Double = usualPower) {
    self.body = body
    self.identity = identity
    self.powerAtOneMetre = powerAtOneMetre
  }

  /// Power at which half of the packets are lost, dBm.
  static let sensitivity = -96.0
  /// No packet arrives from farther than this, metres.
  package static let reach = 150.0
  /// Path-loss exponent up to `bend` metres, fitted indoors: 1.39 over all `danis` recordings (0.8 to 20 m),
  /// 1.17 over `herald`'s. Beyond the bend, `farExponent` represents walls and clutter that no world
  /// models.
  static let exponent = 1.4
  static let bend = 20.0
  static let farExponent = 3.5
  /// Beyond the bend outdoors, where nothing is in the way: as in free space.
  static let outdoorExponent = 2.0
  /// Shadowing by walls, furniture and the pose of both ends, fixed for one placement and changing over a
  /// step or two. Consecutive packets share 4.2 dB of the recorded spread of 6.1 dB. The value is lower, because
  /// the world's own bodies and walls add to it; `LowEnergyTests` compares the sum with the recordings.
  static let shadowSigma = 3.0
  static let shadowLength = 2.0
  /// What one link has more or less than another wherever its ends are, dB: how its devices are built and held. The
  /// receivers of one hall differ by 2.6 to 3.1 dB (danis), of which shadowing explains a part.
  static let linkSigma = 2.2
  /// Echoes, independent on each channel, change within a hand's breadth. While the beacon is carried, the
  /// part of the spread that consecutive packets do not share is 4.4 dB. The value is lower, because
  /// `readingSigma` and bodies that come between add to it.
  static let echoSigma = 3.5
  static let echoLength = 0.13
  /// Variation from packet to packet: the receiver's reading error and motion in the room.
  static let readingSigma = 2.0
}
