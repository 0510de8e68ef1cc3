/// What `DirectionFilter` takes for granted of hands and antennas.
package struct DirectionFilterParameters: Equatable, Sendable {
  /// A hand that scans turns by 0.7 rad/s rms and changes its mind within half a second: 2 rad²/s³.
  package var motion = RangeMotion(accelerationDensity: 2, memory: 0.5)
  /// Smallest standard deviation believed of any angle, radians: antennas' patterns differ by a degree.
  package var smallestSigma = 0.02
  /// Taken where a caller's sigma is no positive number, radians.
  package var usualSigma = 0.1
  /// Deviations up to this many sigmas have full weight.
  package var knee = 2.0
  /// As for ranges: noise sigmas plus prediction sigmas.
  package var gateOfNoise = 5.0
  package var gateOfMotion = 2.5
  /// Angles that must agree before the track gives way, and for how long, seconds.
  package var witnesses = 3
  package var shortestDoubt = 0.25
  /// Beyond this standard deviation of the prediction, radians, two agreeing angles start a new track.
  package var sigmaWhenLost = 0.7

  package init() {}
}

/// Direction of one peer from its angles: online, robust, on the sphere.
///
/// The counterpart of `RangeFilter`, in the device's own frame: turning the device moves every direction, so
/// that the memory is short. Value type; allocates only while a challenger is heard.
/// Source: `Docs/range-filter.md`, section 7.
package struct DirectionFilter: Sendable {
  /// Shared by all filters that take the same for granted.
  private let constants: ImmutableBox<DirectionFilterParameters>
  /// Normalised innovation squared of the last angle taken: χ² with 2 degrees of freedom while the model
  /// holds.
  package private(set) var lastNIS: Double?

  private typealias Reading = DirectionTrack.Reading
  private struct Challenger: Sendable {
    var track: DirectionTrack
    var witnesses: Int
    var since: Duration
    var latest: Duration
  }
  private var track: DirectionTrack?
  private var time: Duration = .zero
  /// Angles that rejected each other, or that the track rejected.
  /// Rare, so it is kept elsewhere.
  private var challenger: ImmutableBox<Challenger>?

  private static let usual = ImmutableBox(DirectionFilterParameters())

  package init(parameters: DirectionFilterParameters = DirectionFilterParameters()) {
    constants = parameters == Self.usual.value ? Self.usual : ImmutableBox(parameters)
  }

  /// Takes one pair of angles.
  ///
  /// - Parameters:
  ///   - azimuth: Radians, positive to the right; wraps.
  ///   - elevation: Radians, −π/2 to π/2, positive up.
  ///   - azimuthSigma, elevationSigma: Standard deviations, radians; no positive number means the usual one.
  ///   - at: Time of the measurement; one before the last taken is ignored, as are impossible angles.
  /// - Returns: The estimate after it; `nil` until two agreed.
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

  /// As `update`, for who asks for the estimate later.
  mutating func absorb(
    azimuth: Double, elevation: Double, azimuthSigma: Double, elevationSigma: Double, at now: Duration
  ) {
    lastNIS = nil
    let isLate = (track != nil || challenger != nil) && now < time
    guard azimuth.isFinite, elevation.magnitude <= Double.pi / 2, !isLate else { return }
    let sighting = Reading(
      azimuth: azimuth, elevation: elevation, azimuthSigma: usable(azimuthSigma),
      elevationSigma: usable(elevationSigma), floor: constants.value.smallestSigma)
    let seconds = (now - time) / .seconds(1)
    time = now
    track?.predict(over: seconds, motion: constants.value.motion)
    if let lost = track, lost.sigma > constants.value.sigmaWhenLost {
      track = nil
      challenger = nil
    }
    take(sighting)
  }

  /// The estimate at a time, carried past the last angle; `nil` before the filter has a track.
  package func predicted(at now: Duration) -> DirectionEstimate? {
    guard var track else { return nil }
    if now > time { track.predict(over: (now - time) / .seconds(1), motion: constants.value.motion) }
    return DirectionEstimate(direction: track.direction, sigma: track.sigma)
  }

  private func usable(_ sigma: Double) -> Double {
    sigma > 0 && sigma < 10 ? sigma : constants.value.usualSigma
  }

  private mutating func take(_ sighting: Reading) {
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
    // The deviation of one axis; Docs/range-filter.md, equation 9.
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

  /// Lets an angle speak for a track of its own, which takes over once enough agree.
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
