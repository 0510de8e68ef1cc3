import NearbyMaths
import NearbySchedule

/// Estimates distance from loudness, with a Kalman filter over path loss and fading.
///
/// The measured loss is that of the distance, plus fading that lasts until something moves, plus jitter. Both
/// states are forgotten by the fade clock instead of by seconds. So a scene at rest, which repeats one
/// measurement a hundred times, is averaged over a long time, and a walk is followed within seconds. Source:
/// `Docs/beacons.md`, section 3.
package struct PathLossFilter: Hashable, Sendable {
  package let model: PathLossModel
  /// Path loss of the distance, and of the fading (`fade`), dB.
  private var loss: Double
  private var fade = 0.0
  private var lossVariance: Double
  private var fadeVariance: Double
  private var covariance = 0.0
  /// Variance of what stays constant while a beacon is heard: the error of its stated power.
  private let powerVariance: Double
  private var clock = FadeClock()
  private var lastTime: Duration?

  /// Number of fades over which a distance is remembered while walking.
  private static let memory = 3.0
  /// Fades per second of a walk. A higher rate counts as this one, because it comes from more frequent
  /// packets and not from faster motion.
  private static let walk = 1.0
  /// Fades per second that passers-by cause while neither end moves.
  private static let passers = 0.1
  /// Standard deviations beyond which a packet counts less.
  private static let clip = 3.0
  /// RSSIs that a receiver can measure, dBm.
  package static let possible = -120...20

  /// Whether an RSSI is a measurement: Bluetooth uses 127 for "not available", BlueZ and drivers use 0.
  static func isFigure(_ rssi: Int) -> Bool { rssi != 0 && possible.contains(rssi) }

  /// - Parameter powerSpread: Standard deviation of the beacon's power in dB; `nil` for `model.powerSpread`.
  package init(model: PathLossModel = PathLossModel(), powerSpread: Double? = nil) {
    self.model = model
    loss = model.loss(at: model.priorDistance)
    lossVariance = model.priorSpread * model.priorSpread
    fadeVariance = model.fading * model.fading
    let spread = powerSpread ?? model.powerSpread
    powerVariance = spread * spread
  }

  /// Adds one packet's path loss: measured power minus RSSI, dB.
  ///
  /// - Parameter time: A time before the last one counts as the last one.
  package mutating func update(loss heard: Double, at time: Duration) {
    guard heard.isFinite else { return }
    let heard = min(max(heard, -150), 150)
    let seconds = max((time - (lastTime ?? time)).inSeconds, 0)
    clock.add(heard, after: seconds)
    if seconds > 0 { forget(seconds) }
    lastTime = max(time, lastTime ?? time)
    correct(heard)
  }

  /// Lets both states return to their priors. Source: `Docs/beacons.md`, equations 3 and 4.
  private mutating func forget(_ seconds: Double) {
    let rate = clock.rate
    let walking = min(rate, Self.walk)
    let moved = walking * walking / (walking + Self.passers) * seconds / Self.memory
    let (keepsLoss, keepsFade) = (Maths.exp(-moved), Maths.exp(-rate * seconds))
    let middle = model.loss(at: model.priorDistance)
    loss = middle + keepsLoss * (loss - middle)
    fade *= keepsFade
    let (prior, fading) = (model.priorSpread * model.priorSpread, model.fading * model.fading)
    lossVariance = prior + keepsLoss * keepsLoss * (lossVariance - prior)
    fadeVariance = fading + keepsFade * keepsFade * (fadeVariance - fading)
    covariance *= keepsLoss * keepsFade
  }

  /// The Kalman update; a packet beyond `clip` standard deviations counts less.
  private mutating func correct(_ heard: Double) {
    let (withLoss, withFade) = (lossVariance + covariance, fadeVariance + covariance)
    var expected = withLoss + withFade + model.jitter * model.jitter
    let surprise = heard - loss - fade
    let deviations = surprise.magnitude / expected.squareRoot()
    if deviations > Self.clip { expected *= deviations / Self.clip }
    let (lossGain, fadeGain) = (withLoss / expected, withFade / expected)
    loss += lossGain * surprise
    fade += fadeGain * surprise
    lossVariance -= lossGain * withLoss
    fadeVariance -= fadeGain * withFade
    covariance -= lossGain * withFade
  }

  /// The estimate as of the last packet; `nil` before the first.
  package var estimate: DistanceEstimate? {
    guard lastTime != nil else { return nil }
    return DistanceEstimate(loss: loss, variance: lossVariance + powerVariance, model: model)
  }
}
