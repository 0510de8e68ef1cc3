import NearbyMaths

/// What one kind of radio is like: power, clock, antennas, and how well it finds the first path.
package struct RadioCharacteristics: Equatable, Sendable {
  /// Power of a frame at the antenna, dBm. −14.3 is the regulatory −41.3 dBm/MHz over 500 MHz.
  package var transmitPower = -14.3
  /// Received power at which half of the frames are lost, dBm.
  package var sensitivity = -95.0
  /// No frame arrives from farther, metres; `nil` leaves it to power.
  package var rangeLimit: Double?
  /// Standard deviation over units of the crystal's offset from its nominal rate, ppm.
  package var clockOffsetSigma = 3.0
  /// Sets every unit's offset, ppm, instead of drawing it.
  package var clockOffset: Double?
  /// Amplitude, ppm, and period, seconds, of the crystal's slow drift with temperature.
  package var clockDrift = 0.3
  package var clockDriftPeriod = 600.0
  /// What a receiver's estimate of the other's clock rate is off by, ppm (standard deviation); single-sided
  /// ranging corrects with it. `nil` is a radio that does not correct.
  package var carrierEstimateSigma: Double?
  /// Delay between the clock's reference and the antenna, transmit and receive together, seconds, and what
  /// the factory wrote down for it.
  package var antennaDelay = 515e-9
  package var calibratedAntennaDelay = 515e-9
  /// Standard deviation over units of the range that a wrong antenna delay adds for one end, metres.
  package var antennaDelaySigma = 0.01
  /// Standard deviation of one receive timestamp at high SNR, metres.
  package var timestampSigma = 0.012
  /// Standard deviation of the error that echoes near the first path add, fixed for one placement, metres.
  package var multipathSigma = 0.02
  /// Range error between a strong and the weakest frame, metres: the detector's threshold crosses a weak
  /// pulse later.
  package var powerBias = 0.0
  /// Chance that a timestamp locks on a later echo, and the mean of how much later, metres.
  package var outlierChance = 0.0005
  package var outlierMean = 1.5
  /// Loss behind the device against its face, dB.
  package var rearLoss = 4.0
  /// Greatest loss between antennas at right angles, dB.
  package var crossPolarisationLoss = 6.0
  /// Difference between total and first-path power that the receiver takes for a blocked path, dB.
  package var blockedPathThreshold = 6.0
  /// Standard deviation of a power reading, dB.
  package var powerReadingSigma = 0.8
  /// `nil` for a radio with one antenna.
  package var array: AntennaArray?

  package init() {}

  /// A phone, from the recorded iPhone pair: bias 0.04 m, spread 0.01 m at rest, array in the back.
  package static let phone: RadioCharacteristics = {
    var phone = RadioCharacteristics()
    phone.carrierEstimateSigma = 0.1
    phone.calibratedAntennaDelay = phone.antennaDelay - 2 * 0.04 / speedOfLight
    phone.array = AntennaArray()
    return phone
  }()

  /// A watch: a phone's radio with one antenna.
  package static let watch: RadioCharacteristics = {
    var watch = phone
    watch.array = nil
    return watch
  }()

  /// A DW1000 module, from the recorded static and moving ranges.
  package static let module: RadioCharacteristics = {
    var module = RadioCharacteristics()
    module.sensitivity = -102
    module.antennaDelaySigma = 0.02
    module.timestampSigma = 0.045
    module.multipathSigma = 0.07
    module.powerBias = 0.22
    module.calibratedAntennaDelay = module.antennaDelay + 2 * 0.035 / speedOfLight
    module.outlierChance = 0.002
    module.crossPolarisationLoss = 3
    module.rearLoss = 0
    return module
  }()

  /// The built-in kinds by name, in alphabetical order.
  package static let table: [(name: String, characteristics: RadioCharacteristics)] = [
    ("module", module), ("phone", phone), ("watch", watch),
  ]
}

/// The antennas in a device's back that measure direction by phase.
package struct AntennaArray: Equatable, Sendable {
  /// Half the opening of the cone around −z of the device within which it measures, radians.
  package var fieldOfView = 60 * Double.pi / 180
  /// Standard deviation of one phase difference in the middle of the cone at high SNR, radians.
  package var phaseSigma = 0.06
  /// Standard deviation of the phase error that echoes add, fixed for one placement, radians.
  package var multipathSigma = 0.08
  /// Between antennas, metres; half a wave of channel 9.
  package var spacing = 0.0188
  /// Farthest lean from portrait that still measures, radians.
  package var rollLimit = Double.pi / 4

  package init() {}
}
