import NearbyBluetooth

/// The result of one Channel Sounding procedure, as the radio reports it.
package struct SoundingResult: Equatable, Sendable {
  /// Time of the procedure.
  package var time: Duration
  /// Distance by each method, metres; `nil` where the method gave none.
  package var impulseResponse: Double?
  package var phaseSlope: Double?
  package var roundTrip: Double?
  /// Received power, dBm; `nil` if unknown.
  package var power: Double?
  /// Whether the radio judged the tones good enough for phase measurements.
  package var hasGoodTones: Bool

  package init(
    time: Duration, impulseResponse: Double? = nil, phaseSlope: Double? = nil, roundTrip: Double? = nil,
    power: Double? = nil, hasGoodTones: Bool = true
  ) {
    self.time = time
    self.impulseResponse = impulseResponse
    self.phaseSlope = phaseSlope
    self.roundTrip = roundTrip
    self.power = power
    self.hasGoodTones = hasGoodTones
  }

  package init(_ sounding: BluetoothSounding) {
    self.init(
      time: sounding.time, impulseResponse: sounding.impulseResponse, phaseSlope: sounding.phaseSlope,
      roundTrip: sounding.roundTrip, power: sounding.power, hasGoodTones: sounding.hasGoodTones)
  }

  /// Longest distance that counts as a measurement, metres; Bluetooth does not reach farther.
  private static let longest = 2000.0

  /// Distance by one method, metres; `nil` if it gave none. Negative distances mean "none", as in Core
  /// Bluetooth's results; impossible ones count as none.
  func distance(by method: SoundingMethod) -> Double? {
    let value =
      switch method {
      case .impulseResponse: impulseResponse
      case .phaseSlope: phaseSlope
      case .roundTrip: roundTrip
      }
    guard let value, value >= 0, value <= Self.longest else { return nil }
    return value
  }
}
