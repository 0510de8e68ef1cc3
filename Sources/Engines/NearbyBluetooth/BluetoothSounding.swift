/// What one Channel Sounding procedure measured, as the radio reports it.
///
/// Source of the three methods: Bluetooth Core Specification 6.0, Vol 1 Part A §9.
package struct BluetoothSounding: Hashable, Sendable {
  /// When the procedure ended, on the initiator's clock.
  package var time: Duration
  /// Distance by the first peak of the impulse response, metres, ≥ 0; `nil` without a result.
  package var impulseResponse: Double?
  /// Distance by the slope of the tones' phases, metres, ≥ 0; `nil` without a result.
  package var phaseSlope: Double?
  /// Distance by the round-trip time of packets, metres, ≥ 0; `nil` without a result.
  package var roundTrip: Double?
  /// Received power, dBm.
  package var power: Double
  /// Whether the radio judged the tones good enough for phase measurements.
  package var hasGoodTones: Bool

  package init(
    time: Duration, impulseResponse: Double?, phaseSlope: Double?, roundTrip: Double?, power: Double,
    hasGoodTones: Bool
  ) {
    self.time = time
    self.impulseResponse = impulseResponse
    self.phaseSlope = phaseSlope
    self.roundTrip = roundTrip
    self.power = power
    self.hasGoodTones = hasGoodTones
  }

  /// Whether the tones gave a distance. Without one, Core Bluetooth reports that there is no valid measurement.
  package var isValid: Bool { impulseResponse != nil || phaseSlope != nil }
}
