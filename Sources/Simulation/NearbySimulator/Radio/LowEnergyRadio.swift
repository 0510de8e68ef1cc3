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
