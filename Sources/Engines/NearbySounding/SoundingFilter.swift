import NearbyBluetooth
import NearbyEstimation
import NearbyMaths

/// Estimates the distance and rate of one peer from the results of Bluetooth Channel Sounding procedures, with
/// an honest standard deviation.
///
/// A procedure measures the distance in up to three ways, and each is wrong in its own way. The peak of the
/// impulse response repeats within decimetres, but is often missing and sometimes metres short. The slope of
/// the phases is wrong by metres, differently at each place. The round-trip time hardly ever fails, but
/// scatters by metres. While nobody moves, each method's error stays the same, so no number of results
/// averages it away.
///
/// **Input:** `update` takes one result after the other. Values that are missing, negative, not finite or
/// impossible count as missing; a result older than the last one is ignored.
///
/// **Output:** a `RangeEstimate` for the time of the result, or `nil` before the first value.
///
/// **State:** two hypotheses, that the device stands and that it walks, each with a normal distribution of
/// distance, rate and the three shared errors (`SoundingState`). Both are predicted, weighed by how well they
/// foresaw each result, and mixed as they change into each other: an interacting multiple model filter (Blom
/// and Bar-Shalom, IEEE Transactions on Automatic Control 33, 1988). A method that disagrees with the others
/// only shifts its own shared error, in proportion to how large such errors usually are; a single result
/// that disagrees with its own method is taken for an outlier. `SoundingNoise` learns how much each method
/// scatters. The states contain the distance as it is measured; `SoundingCurve` corrects what depends on it.
///
/// **Invariants:** time never runs backwards; all variances are positive and finite; a result costs constant
/// time and allocates nothing.
///
/// `Docs/sounding.md` has the reasons for each figure and the measured results.
package struct SoundingFilter: Sendable {
  private struct Track: Sendable {
    var standing: SoundingState
    var walking: SoundingState
    /// Probability that the device walks.
    var walkingShare: Double
  }
  private let parameters: SoundingParameters
  private let offsets: SoundingValues
  private var track: Track?
  private var noise = SoundingNoise()
  private var time = Duration.zero
  /// Time of the last result with a value.
  private var lastValue = Duration.zero

  /// - Parameter offsets: Constant error of each method with these devices, metres, which is subtracted from
  ///   its results; values that are not finite count as 0.
  package init(
    offsets: SoundingValues = SoundingValues(impulseResponse: 0, phaseSlope: 0, roundTrip: 0),
    parameters: SoundingParameters = SoundingParameters()
  ) {
    var offsets = offsets
    for method in SoundingMethod.allCases where !offsets[method].isFinite { offsets[method] = 0 }
    self.offsets = offsets
    self.parameters = parameters
  }

  /// Adds the result of one procedure, which may contain no value.
  ///
  /// - Returns: The estimate at the time of the result; `nil` before the first value, and after
  ///   `longestGap` without any. A result older than the last one changes nothing and returns the estimate at
  ///   the last one.
  @discardableResult
  package mutating func update(_ result: SoundingResult) -> RangeEstimate? {
    if track != nil, result.time < time { return estimate }
    if track != nil, (result.time - lastValue) / .seconds(1) > parameters.longestGap { track = nil }
    let hasValue = SoundingMethod.allCases.contains { value(of: result, by: $0) != nil }
    if track == nil, hasValue { track = start(with: result) }
    guard var track else { return nil }
    predict(&track, for: (result.time - time) / .seconds(1))
    time = result.time
    if hasValue {
      lastValue = result.time
      fuse(result, &track)
    }
    self.track = track
    return estimate
  }

  /// Adds the result of one procedure, and returns what Core Bluetooth reports for it: the estimate, metres, or −1 if the
  /// tones gave no distance.
  package mutating func reportedDistance(after sounding: BluetoothSounding) -> Double {
    let estimate = update(SoundingResult(sounding))
    guard sounding.isValid, let estimate else { return -1 }
    return estimate.distance
  }

  /// The estimate at the time of the last result; `nil` before the first value.
  package var estimate: RangeEstimate? {
    guard let track else { return nil }
    let both = SoundingState(mixing: track.walking, track.standing, share: track.walkingShare)
    let (distance, slope) = parameters.curve.distance(measured: both.distance)
    return RangeEstimate(
      // A device that stands has no rate; that hypothesis's own rate is only what it would set off with.
      distance: max(0, distance), rate: track.walkingShare * track.walking.rate * slope,
      sigma: both.distanceVariance.squareRoot() * slope)
  }

  /// Probability that the device walks, 0 to 1; `nil` before the first value.
  package var walkingShare: Double? { track?.walkingShare }

  /// A value with its method's constant removed, metres.
  private func value(of result: SoundingResult, by method: SoundingMethod) -> Double? {
    result.distance(by: method).map { $0 - offsets[method] }
  }

  /// Starts a track in the middle of the first result's values.
  private mutating func start(with result: SoundingResult) -> Track {
    var (sum, count) = (0.0, 0.0)
    for method in SoundingMethod.allCases {
      guard let value = value(of: result, by: method) else { continue }
      sum += value
      count += 1
    }
    (time, lastValue, noise) = (result.time, result.time, SoundingNoise())
    let state = SoundingState(
      distance: sum / count, sigma: parameters.firstSigma, rateSigma: parameters.firstRateSigma,
      biasSigma: parameters.biasSigma)
    return Track(standing: state, walking: state, walkingShare: 0.5)
  }

  /// Predicts both hypotheses, and lets some of each become the other.
  private func predict(_ track: inout Track, for seconds: Double) {
    let setsOff = 1 - Maths.exp(-seconds / parameters.standingTime)
    let stops = 1 - Maths.exp(-seconds / parameters.walkingTime)
    let walks = track.walkingShare
    let stands = 1 - walks
    let willWalk = walks * (1 - stops) + stands * setsOff
    let willStand = 1 - willWalk
    // Both are positive: a share is never exactly 0 or 1 after a step, and a step of 0 s changes nothing.
    let walkedBefore = willWalk > 0 ? walks * (1 - stops) / willWalk : 0
    let stoodBefore = willStand > 0 ? stands * (1 - setsOff) / willStand : 0
    let (standing, walking) = (track.standing, track.walking)
    track.walking = SoundingState(mixing: walking, standing, share: walkedBefore)
    track.standing = SoundingState(mixing: standing, walking, share: stoodBefore)
    track.walkingShare = willWalk
    guard seconds > 0 else { return }
    track.standing.stand(for: seconds, parameters)
    track.walking.walk(for: seconds, parameters)
  }

  /// Fuses the values of one result into both hypotheses, weighs these, and learns the noise.
  private mutating func fuse(_ result: SoundingResult, _ track: inout Track) {
    var (standingTrust, walkingTrust) = (Self.none, Self.none)
    var standing = 1 - track.walkingShare
    var walking = track.walkingShare
    for method in SoundingMethod.allCases {
      guard let value = value(of: result, by: method) else { continue }
      let factor = SoundingNoise.factor(of: method, result, parameters)
      let variance = noise.variance(of: method, parameters) * factor
      let whileStanding = track.standing.fuse(value, by: method, noiseVariance: variance, parameters)
      let whileWalking = track.walking.fuse(value, by: method, noiseVariance: variance, parameters)
      standing *= whileStanding.likelihood
      walking *= whileWalking.likelihood
      standingTrust[method] = whileStanding.trust
      walkingTrust[method] = whileWalking.trust
    }
    track.walkingShare = walking / (walking + standing)
    for method in SoundingMethod.allCases {
      guard let value = value(of: result, by: method) else { continue }
      let standing = (1 - track.walkingShare) * standingTrust[method]
      let walking = track.walkingShare * walkingTrust[method]
      let square =
        standing * Self.square(value, by: method, track.standing)
        + walking * Self.square(value, by: method, track.walking)
      let trust = standing + walking
      guard trust > 0 else { continue }
      let factor = SoundingNoise.factor(of: method, result, parameters)
      noise.learn(square / trust / factor, trust: trust, of: method, parameters)
    }
  }

  private static let none = SoundingValues(impulseResponse: 0, phaseSlope: 0, roundTrip: 0)

  /// Expected squared error of a value given an estimate that includes it, m².
  private static func square(_ value: Double, by method: SoundingMethod, _ state: SoundingState) -> Double {
    let residual = state.residual(of: value, by: method)
    return residual * residual + state.predictedVariance(of: method)
  }
}
