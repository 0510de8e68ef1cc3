import NearbyMaths

/// The properties of one kind of radio: power, clock, antennas, and how well it detects the first path.
package struct RadioCharacteristics: Equatable, Sendable {
  /// Power of a frame at the antenna, dBm. −14.3 is the regulatory limit of −41.3 dBm/MHz over 500 MHz.
  package var transmitPower = -14.3
  /// Received power at which half of the frames are lost, dBm.
  package var sensitivity = -95.0
  /// Frames from farther than this never arrive, metres; `nil` leaves the range to power alone.
  package var rangeLimit: Double?
  /// Standard deviation across units of the crystal's offset from its nominal rate, ppm.
  package var clockOffsetSigma = 3.0
  /// Fixes every unit's offset, ppm, instead of drawing it.
  package var clockOffset: Double?
  /// Slow temperature drift of the crystal: amplitude, ppm, and period, seconds.
  package var clockDrift = 0.3
  package var clockDriftPeriod = 600.0
  /// Standard deviation of a receiver's estimate of the other's clock rate, ppm, which single-sided ranging
  /// uses as a correction; `nil` for a radio that does not correct.
  package var carrierEstimateSigma: Double?
  /// Delay between the clock's reference and the antenna, transmit and receive together, seconds: the true
  /// value, and the factory calibration.
  package var antennaDelay = 515e-9
  package var calibratedAntennaDelay = 515e-9
  /// Standard deviation across units of the range error that a miscalibrated antenna delay adds at one end,
  /// metres.
  package var antennaDelaySigma = 0.01
  /// Standard deviation of one receive timestamp at high SNR, metres.
  package var timestampSigma = 0.012
  /// Standard deviation of the error from echoes near the first path, fixed for one placement, metres.
  package var multipathSigma = 0.02
  /// Standard deviation of the error that depends on the direction of the other end and nothing else, metres:
  /// the antenna and the wall behind it.
  package var directionBias = 0.0
  /// Range error of the weakest frame relative to a strong one, metres: a weak pulse crosses the detector's
  /// threshold later.
  package var powerBias = 0.0
  /// Chance that a timestamp locks on a later echo, and the mean of that delay, metres.
  package var outlierChance = 0.0005
  package var outlierMean = 1.5
  /// Whether errors differ from place to place and change on several scales of motion, as recorded ones of modules do.
  /// No recording of moving phones has a truth good enough to tell, so theirs change on one scale.
  package var variesByPlace = false
  /// Share of a moving radio's ranges that are off by metres, because their time stamps do not belong together.
  package var wildChance = 0.0
  /// Standard deviation of the received power over places at one distance, dB.
  package var fadingSigma = 0.0
  /// How much of a change in power the receiver reports, 0 to 1. A DW1000 reports ever less above −85 dBm.
  package var powerSlope = 1.0
  /// Chance that a frame is lost at any power.
  package var frameLoss = 0.0
  /// Loss out of the device's face relative to its back, dB.
  package var rearLoss = 4.0
  /// Maximum loss between antennas at right angles, dB.
  package var crossPolarisationLoss = 6.0
  /// A path counts as blocked if total power exceeds first-path power by more than this, dB.
  package var blockedPathThreshold = 6.0
  /// Standard deviation of a power reading, dB.
  package var powerReadingSigma = 0.8
  /// `nil` for a radio with one antenna.
  package var array: AntennaArray?

  package init() {}

  /// A phone, fitted to a recorded pair of iPhones: bias 0.04 m, spread 0.01 m at rest, array in the back.
  package static let phone: RadioCharacteristics = {
    var phone = RadioCharacteristics()
    phone.carrierEstimateSigma = 0.1
    phone.calibratedAntennaDelay = phone.antennaDelay - 2 * 0.04 / speedOfLight
    phone.fadingSigma = 2
    phone.powerReadingSigma = 0.4
    phone.array = AntennaArray()
    return phone
  }()

  /// A watch: a phone's radio with one antenna.
  package static let watch: RadioCharacteristics = {
    var watch = phone
    watch.array = nil
    return watch
  }()

  /// A DW1000 module, fitted to recorded static and moving ranges.
  package static let module: RadioCharacteristics = {
    var module = RadioCharacteristics()
    module.sensitivity = -102
    module.antennaDelaySigma = 0.01
    module.timestampSigma = 0.033
    module.multipathSigma = 0.07
    module.powerBias = 0.24
    module.calibratedAntennaDelay = module.antennaDelay + 2 * 0.035 / speedOfLight
    module.outlierChance = 0.001
    module.variesByPlace = true
    module.wildChance = 0.0027
    module.fadingSigma = 8.5
    module.powerSlope = 0.35
    module.powerReadingSigma = 0.4
    module.frameLoss = 0.009
    module.crossPolarisationLoss = 3
    module.rearLoss = 0
    return module
  }()

  /// A module that is mounted at a fixed place and whose stamps other radios only listen to, fitted to
  /// recorded time differences.
  package static let anchor: RadioCharacteristics = {
    var anchor = module
    // Fitted by itself: what differs between places is in the error by direction.
    anchor.variesByPlace = false
    anchor.wildChance = 0
    anchor.antennaDelaySigma = 0.02
    anchor.fadingSigma = 0
    anchor.frameLoss = 0
    anchor.powerSlope = 1
    anchor.directionBias = 0.13
    anchor.timestampSigma = 0.05
    anchor.outlierChance = 0.052
    anchor.outlierMean = 2.3
    return anchor
  }()

  /// A radio that echoes do not reach neither fades nor loses frames to them.
  var fading: Double { multipathSigma > 0 ? fadingSigma : 0 }
  var lossByEchoes: Double { multipathSigma > 0 ? frameLoss : 0 }

  /// What the receiver reports of a power, dBm.
  ///
  /// A DW1000 saturates (DW1000 User Manual 2.18, section 4.7.2, figure 22): its readings change by less than the power,
  /// about −79 dBm, by how much differs between recordings.
  func reportedPower(_ power: Double, fading: Double, _ place: PlaceFigures) -> Double {
    guard powerSlope < 1 else { return power + fading }
    let slope = min(1, max(0.04, powerSlope * place.powerSlope))
    return -79 + slope * (power + 79) + min(0.8, slope) * fading
  }

  /// The built-in kinds by name, sorted alphabetically.
  package static let table: [(name: String, characteristics: RadioCharacteristics)] = [
    ("anchor", anchor), ("module", module), ("phone", phone), ("watch", watch),
  ]
}

/// The antennas in a device's back that measure direction by phase difference.
package struct AntennaArray: Equatable, Sendable {
  /// Half the opening angle of the cone around the device's −z axis within which the array measures, radians.
  package var fieldOfView = 60 * Double.pi / 180
  /// Standard deviation of one phase difference at the centre of the cone at high SNR, radians.
  package var phaseSigma = 0.017
  /// Standard deviation of the phase error from echoes, fixed for one placement, radians.
  package var multipathSigma = 0.08
  /// Distance between antennas, metres; half a wavelength on channel 9.
  package var spacing = 0.0188
  /// Maximum lean from portrait at which the array still measures, radians.
  package var rollLimit = Double.pi / 4

  package init() {}
}
