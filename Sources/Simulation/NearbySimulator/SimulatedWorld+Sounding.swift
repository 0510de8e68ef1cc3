import NearbyMaths
import NearbySchedule

/// What one Bluetooth Channel Sounding procedure between two simulated radios measured.
package struct SimulatedSounding: Equatable, Sendable {
  /// Distances by the three methods, metres, ≥ 0; `nil` without a result.
  package var impulseResponse: Double?
  package var phaseSlope: Double?
  package var roundTrip: Double?
  /// dBm.
  package var power: Double
  package var hasGoodTones: Bool
}

/// Figures of Channel Sounding, fitted to recordings of two boards with Nordic radios and one antenna each in a park, 5
/// to 45 m apart. `Docs/bluetooth-air.md` lists them beside the recorded ones.
enum SoundingFigures {
  /// Standard deviation of the error that all methods share while nobody moves, metres: from echoes, and from the pair's
  /// calibration. The recordings' means differ by 0.6 m, of which 0.3 m are the surveyed distances' own.
  static let sharedSigma = 0.45
  static let pairSigma = 0.15
  /// Noise of the impulse response's peak, metres.
  static let peakSigma = 0.13
  /// How much longer the slope of the phases is, metres, which sees the mean of all paths: log-normal, with this median
  /// and this standard deviation of the logarithm. Recorded: 0.6 to 3.7 m.
  static let slopeExcess = 1.7
  static let slopeSpread = 0.6
  /// Noise of the slope near by, and what is added to it far away, metres.
  static let slopeSigma = 0.4
  static let farSlopeSigma = 0.45
  /// Noise of the round-trip time near by, and what is added to it far away, metres.
  static let tripSigma = 1.2
  static let farTripSigma = 2.2
  /// How much that noise differs between pairs: standard deviation of its logarithm.
  static let tripSpread = 0.12
  /// Share of procedures without any distance from the tones, far away.
  static let failure = 0.27
  /// Where the signal is half as bad as far away, metres.
  static let halfway = 8.5
  /// Share of the others without an impulse response, near by and far away.
  static let peakFailure = 0.06
  static let farPeakFailure = 0.28
  /// Share of impulse responses that are metres short, at rest, and at a walk of 1 m/s in addition; their mean
  /// shortfall, metres.
  static let shortShare = 0.07
  static let shortShareWalking = 0.3
  static let shortfall = 1.2
  /// Standard deviation of an impulse response with an interfered tone, metres: 90 % are within 4 m. Source: "Phase-
  /// based ranging under interference", IEEE Internet of Things Journal, 2023.
  static let interferedSigma = 2.4
  /// How many times as long as a pulse's the excess of a blocked path is: with a sixth of the bandwidth, a late path
  /// cannot be told from the direct one.
  static let blockedFactor = 3.0
}

extension SimulatedWorld {
  /// Performs one Channel Sounding procedure.
  ///
  /// Errors from echoes are fields over the positions of both ends, so that they last while both rest.
  ///
  /// - Returns: `nil` if the procedure was aborted: a packet of either side did not arrive.
  package mutating func sounding(
    from initiator: LowEnergyRadio, to reflector: LowEnergyRadio, at time: Duration
  ) -> SimulatedSounding? {
    // 17 is a channel amid the band.
    guard let power = lowEnergyPower(from: reflector, to: initiator, channel: 17, at: time),
      lowEnergyPower(from: initiator, to: reflector, channel: 17, at: time) != nil
    else { return nil }
    let seconds = time.inSeconds
    let (here, ownVelocity) = bodies[initiator.body.index].trajectory.motion(at: seconds)
    let (there, otherVelocity) = bodies[reflector.body.index].trajectory.motion(at: seconds)
    let obstruction = obstruction(here, there, seconds: seconds)
    let draw = SoundingDraw(
      seed: seed, initiator.identity, reflector.identity, here, there, time: time,
      interference: 1 - (1 - extraLoss) * (1 - initiator.extraLoss) * (1 - reflector.extraLoss),
      speed: (otherVelocity - ownVelocity).length, obstruction: obstruction)
    return draw.result(power: power)
  }
}

/// The random parts of one procedure.
private struct SoundingDraw {
  let distance: Double
  /// Seems farther through walls: the signal is as weak as at this distance, metres.
  let effectiveDistance: Double
  /// Error that the methods share, metres.
  let shared: Double
  let slope: EchoField
  let peakStrength: Double
  let tripScale: Double
  let interference: Double
  let speed: Double
  var noise: NoiseStream

  init(
    seed: UInt64, _ initiator: UInt64, _ reflector: UInt64, _ here: SIMD3<Double>, _ there: SIMD3<Double>,
    time: Duration, interference: Double, speed: Double, obstruction: Material?
  ) {
    typealias Figures = SoundingFigures
    let purpose = SimulatedWorld.Purpose.sounding.rawValue
    noise = NoiseStream(seed: seed, initiator, reflector, UInt64(bitPattern: time.inNanoseconds), purpose)
    let pair = SplitMix64.mixed(min(initiator, reflector)) ^ max(initiator, reflector)
    let (first, second) = initiator < reflector ? (here, there) : (there, here)
    func key(_ number: UInt64) -> UInt64 {
      var stream = NoiseStream(seed: seed, pair, number, purpose)
      return stream.next()
    }
    let peak = EchoField(key: key(1), first, second)
    slope = EchoField(key: key(2), first, second)
    peakStrength = peak.strength
    tripScale = Maths.exp(Figures.tripSpread * peak.bias)
    distance = (there - here).length
    let obstruction = obstruction ?? Material(attenuation: 0, delay: 0, excess: 0)
    effectiveDistance = distance * Maths.powerRatio(min(obstruction.attenuation, 40) / 2)
    let blocked = MultipathField(key: key(3), wavelength: 1.5).value(first, second)
    shared =
      Figures.sharedSigma * peak.value + Figures.pairSigma * peak.bias + obstruction.delay
      + Figures.blockedFactor * obstruction.excess * Maths.exp(0.75 * blocked)
    self.interference = interference
    self.speed = speed
  }

  /// From 0 near by to 1 far away.
  private var farness: Double {
    let ratio = effectiveDistance / SoundingFigures.halfway
    let fourth = ratio * ratio * ratio * ratio
    return fourth / (1 + fourth)
  }

  func result(power: Double) -> SimulatedSounding {
    typealias Figures = SoundingFigures
    var noise = noise
    let far = farness
    let failure = min(0.9, Figures.failure * far * Maths.exp(0.35 * slope.bias))
    // A disturbed procedure loses half of its tones.
    let disturbed = failure + (1 - failure) * interference / 2
    let hasTones = noise.uniform() >= disturbed
    let hasGoodTones = noise.uniform() >= disturbed
    let hasPeak = noise.uniform() >= Figures.peakFailure + Figures.farPeakFailure * far
    let slopeSigma = (Figures.slopeSigma + Figures.farSlopeSigma * far) * slope.strength
    let (peak, phase) = (peak(&noise), slopeSigma * noise.normal())
    let excess = Figures.slopeExcess * Maths.exp(Figures.slopeSpread * slope.value)
    let trip = (Figures.tripSigma + Figures.farTripSigma * far) * tripScale * noise.normal()
    func measured(_ error: Double) -> Double? {
      let value = distance + shared + error
      return value >= 0 ? value : nil
    }
    return SimulatedSounding(
      impulseResponse: hasTones && hasPeak ? measured(peak) : nil,
      phaseSlope: hasTones ? measured(excess + phase) : nil, roundTrip: measured(trip), power: power,
      hasGoodTones: hasGoodTones)
  }

  /// Error of the impulse response's peak beside the shared one, metres.
  private func peak(_ noise: inout NoiseStream) -> Double {
    typealias Figures = SoundingFigures
    var error = Figures.peakSigma * peakStrength * peakStrength * noise.normal()
    let (short, length) = (noise.uniform(), noise.uniform())
    if short < Figures.shortShare + Figures.shortShareWalking * min(1, speed) {
      error += Figures.shortfall * Maths.log(max(length, 1e-9))
    }
    let (isDisturbed, disturbance) = (noise.uniform() < interference, noise.normal())
    return isDisturbed ? error + Figures.interferedSigma * disturbance : error
  }
}
