import NearbyMaths

/// What `DirectionFilter` assumes of hands and antennas.
package struct DirectionFilterParameters: Equatable, Sendable {
  /// A scanning hand turns at 0.7 rad/s rms and changes its mind within half a second: 2 rad²/s³.
  package var motion = RangeMotion(accelerationDensity: 2, memory: 0.5)
  /// Smallest standard deviation assumed for any angle, radians: antenna patterns differ by a degree.
  package var smallestSigma = 0.02
  /// Replaces a caller's sigma that is not positive, radians.
  package var usualSigma = 0.1
  /// Deviations up to this many sigmas have full weight.
  package var knee = 2.0
  /// The gate, as for ranges, is this many noise sigmas plus this many prediction sigmas.
  package var gateOfNoise = 5.0
  package var gateOfMotion = 2.5
  /// Angles that must agree before the track yields, and for how long at least, seconds.
  package var witnesses = 3
  package var shortestDoubt = 0.25
  /// Part of an angle's stated variance that angles from one place share, because its echoes are the same, and the share
  /// by which each angle changes its average.
  package var echoShare = 0.25
  package var echoRate = 0.2
  /// Prediction sigma, radians, beyond which two agreeing angles start a new track.
  package var sigmaWhenLost = 0.7

  package init() {}
}

/// Estimates the direction of one peer from its angles as they arrive, robustly, on the sphere.
///
/// It is the counterpart of `RangeFilter`, in the device's own frame. Turning the device moves every
/// direction, so its memory is short. It allocates only while there is a challenger. Source:
/// `Docs/range-filter.md`, section 7.
package struct DirectionFilter: Sendable {
  /// All filters with default parameters share one box.
  private let constants: ImmutableBox<DirectionFilterParameters>
  /// Normalised innovation squared of the last angle: χ² with 2 degrees of freedom while the model holds.
  package private(set) var lastNIS: Double?

  private typealias Reading = DirectionTrack.Reading
  private struct Challenger: Sendable {
    var track: DirectionTrack
    var witnesses: Int
    var since: Duration
    var latest: Duration
  }
  /// Variance of the error that recent angles share because echoes last, radians², along each axis. It is part of every
  /// stated sigma, for no number of angles averages it away.
  private(set) var sharedVariance = 0.0
  private var track: DirectionTrack?
  private var time: Duration = .zero
  /// The track of angles that the current track rejected, or of the first angles; boxed because it is rarely
  /// present.
  private var challenger: ImmutableBox<Challenger>?

  private static let usual = ImmutableBox(DirectionFilterParameters())

  package init(parameters: DirectionFilterParameters = DirectionFilterParameters()) {
    constants = parameters == Self.usual.value ? Self.usual : ImmutableBox(parameters)
  }

  /// Adds one pair of angles.
  ///
  /// - Parameters:
  ///   - azimuth: In radians, positive to the right; wraps.
  ///   - elevation: In radians, −π/2 to π/2, positive up.
  ///   - azimuthSigma, elevationSigma: Standard deviations in radians; a value that is not positive is
  ///     replaced by the usual one.
  ///   - at: Time of the measurement. Angles older than the last ones are ignored, as are impossible ones.
  /// - Returns: The estimate after these angles; `nil` until two have agreed.
  @discardableResult
  package mutating func update(
    azimuth: Double, elevation: Double, azimuthSigma: Double, elevationSigma: Double,
    at now: Duration
  ) -> DirectionEstimate? {
    absorb(
      azimuth: azimuth, elevation: elevation, azimuthSigma: azimuthSigma, elevationSigma: elevationSigma,
      at: now)
    return predicted(at: now)
  }

  /// Does what `update` does, without computing the estimate.
  mutating func absorb(
    azimuth: Double, elevation: Double, azimuthSigma: Double, elevationSigma: Double, at now: Duration
  ) {
    lastNIS = nil
    let isLate = (track != nil || challenger != nil) && now < time
    guard azimuth.isFinite, elevation.magnitude <= Double.pi / 2, !isLate else { return }
    let sighting = Reading(
      azimuth: azimuth, elevation: elevation, azimuthSigma: usable(azimuthSigma),
      elevationSigma: usable(elevationSigma), floor: constants.value.smallestSigma)
    let seconds = (now - time).dividedBySecond
    time = now
    shareEchoes(of: sighting)
    track?.predict(over: seconds, motion: constants.value.motion)
    if let lost = track, lost.sigma > constants.value.sigmaWhenLost {
      track = nil
      challenger = nil
    }
    addReading(sighting)
  }

  /// Returns the estimate at a time, predicted past the last angle; `nil` before the filter has a track.
  package func predicted(at now: Duration) -> DirectionEstimate? {
    guard var track else { return nil }
    if now > time { track.predict(over: (now - time).dividedBySecond, motion: constants.value.motion) }
    let sigma = (track.sigma * track.sigma + sharedVariance).squareRoot()
    return DirectionEstimate(direction: track.direction, sigma: sigma)
  }

  private mutating func shareEchoes(of sighting: Reading) {
    let stated = (sighting.rightwardVariance + sighting.upwardVariance) / 2
    let share = track == nil && challenger == nil ? 1 : constants.value.echoRate
    sharedVariance += share * (constants.value.echoShare * stated - sharedVariance)
  }

  private func usable(_ sigma: Double) -> Double {
    sigma > 0 && sigma < 10 ? sigma : constants.value.usualSigma
  }

  private mutating func addReading(_ sighting: Reading) {
    guard var track else { return challenge(sighting, needed: 2, doubt: 0) }
    let residual = track.offset(of: sighting.direction)
    let noise = track.noise(of: sighting)
    let along = track.along.distanceVariance + noise.along
    let across = track.across.distanceVariance + noise.across
    let nis =
      residual.along * residual.along / along + residual.across * residual.across / across
    lastNIS = nis
    let size = (residual.along * residual.along + residual.across * residual.across).squareRoot()
    guard size <= gate(track, noise) else {
      return challenge(
        sighting, needed: constants.value.witnesses, doubt: constants.value.shortestDoubt)
    }
    // The deviation per axis, weighted as in `Docs/range-filter.md`, equation 9.
    let deviation = (nis / 2).squareRoot()
    let ratio = deviation > constants.value.knee ? constants.value.knee / deviation : 1
    let weight = ratio * ratio * ratio * ratio
    if deviation < 2 { challenger = nil }
    track.fuse(residual: residual, variance: (noise.along / weight, noise.across / weight))
    self.track = track
  }

  private func gate(
    _ track: DirectionTrack, _ noise: (along: Double, across: Double)
  ) -> Double {
    constants.value.gateOfNoise * max(noise.along, noise.across).squareRoot()
      + constants.value.gateOfMotion * track.sigma
  }

  /// Adds an angle to the challenger, which becomes the track once enough angles agree for long enough.
  private mutating func challenge(_ sighting: Reading, needed: Int, doubt: Double) {
    guard var rival = challenger?.value else {
      challenger = ImmutableBox(newChallenger(sighting))
      return
    }
    rival.track.predict(over: (time - rival.latest) / .seconds(1), motion: constants.value.motion)
    rival.latest = time
    let residual = rival.track.offset(of: sighting.direction)
    let noise = rival.track.noise(of: sighting)
    let size = (residual.along * residual.along + residual.across * residual.across).squareRoot()
    guard size <= gate(rival.track, noise), rival.track.sigma < constants.value.sigmaWhenLost else {
      rival.witnesses -= 1
      challenger = ImmutableBox(rival.witnesses > 0 ? rival : newChallenger(sighting))
      return
    }
    rival.track.fuse(residual: residual, variance: noise)
    rival.witnesses += 1
    guard rival.witnesses >= needed, (rival.latest - rival.since) / .seconds(1) >= doubt else {
      challenger = ImmutableBox(rival)
      return
    }
    track = rival.track
    challenger = nil
  }

  private func newChallenger(_ sighting: Reading) -> Challenger {
    Challenger(
      track: DirectionTrack(sighting, rateVariance: constants.value.motion.rateVariance),
      witnesses: 1, since: time, latest: time)
  }
}
