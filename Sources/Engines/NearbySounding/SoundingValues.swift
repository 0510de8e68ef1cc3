/// The ways in which one Channel Sounding procedure measures the distance.
///
/// Source: Bluetooth Core Specification 6.0, Vol 1 Part A §9, and the "Channel Sounding" sample of Nordic
/// Semiconductor's nRF Connect SDK, which reports these three.
package enum SoundingMethod: Int, CaseIterable, Sendable {
  /// The first peak of the channel's impulse response: the inverse Fourier transform of the tones.
  case impulseResponse
  /// The slope of the tones' phases over their frequencies.
  case phaseSlope
  /// The round-trip time of packets.
  case roundTrip
}

/// One number for each method.
package struct SoundingValues: Equatable, Sendable {
  package var impulseResponse: Double
  package var phaseSlope: Double
  package var roundTrip: Double

  package init(impulseResponse: Double, phaseSlope: Double, roundTrip: Double) {
    self.impulseResponse = impulseResponse
    self.phaseSlope = phaseSlope
    self.roundTrip = roundTrip
  }

  /// The constant errors of devices whose delays are calibrated, as phones' are: only the slope of the phases is off,
  /// because it sees the mean of all paths. Source: recordings outdoors, where it exceeds the impulse response by 2 m on
  /// average (`Docs/sounding.md`).
  package static let ofCalibratedDevices = SoundingValues(impulseResponse: 0, phaseSlope: 2, roundTrip: 0)

  package subscript(method: SoundingMethod) -> Double {
    get {
      switch method {
      case .impulseResponse: impulseResponse
      case .phaseSlope: phaseSlope
      case .roundTrip: roundTrip
      }
    }
    set {
      switch method {
      case .impulseResponse: impulseResponse = newValue
      case .phaseSlope: phaseSlope = newValue
      case .roundTrip: roundTrip = newValue
      }
    }
  }
}
