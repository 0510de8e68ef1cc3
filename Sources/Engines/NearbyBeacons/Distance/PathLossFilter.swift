import NearbyMaths
import NearbySchedule

/// Tells distance from loudness: a Kalman filter over path loss, with the fading as a second state.
///
/// What is heard is the loss of the distance, plus fading that lasts until something moves, plus jitter.
/// Both states forget by the fade clock, not by seconds: a scene that stands still says one thing a
/// hundred times, and is averaged for long; a walk is followed within seconds. Docs/beacons.md.
package struct PathLossFilter: Hashable, Sendable {
  package let model: PathLossModel
  /// Path loss of the distance, dB, and the fading's.
  private var loss: Double
  private var fade = 0.0
  private var lossVariance: Double
  private var fadeVariance: Double
  private var covariance = 0.0
  /// Variance of what does not change while a beacon is heard: its power, as told.
  private let powerVariance: Double
  private var clock = FadeClock()
  private var lastTime: Duration?

  /// Fades that a distance is remembered for while walking.
  private static let memory = 3.0
  /// Fades a second of a walk: who hears more is not faster, but hears more often.
  private static let walk = 1.0
  /// Fades a second that others cause who pass by, without either end moving.
  private static let passers = 0.1
  /// Standard deviations beyond which a packet counts less.
  private static let clip = 3.0
  /// RSSIs a receiver can have; 127 means that there is none, dBm.
  package static let possible = -120...20

  /// Whether an RSSI says something: 127 is the specification's word for none, 0 what BlueZ and drivers say instead.
  static func isFigure(_ rssi: Int) -> Bool { rssi != 0 && possible.contains(rssi) }

  /// - Parameter powerSpread: How well the beacon's power is known, dB; `model.powerSpread` if absent.
  package init(model: PathLossModel = PathLossModel(), powerSpread: Double? = nil) {
    self.model = model
    loss = model.loss(at: model.priorDistance)
    lossVariance = model.priorSpread * model.priorSpread
    fadeVariance = model.fading * model.fading
    let spread = powerSpread ?? model.powerSpread
    powerVariance = spread * spread
  }

  /// Takes one packet's path loss: measured power minus RSSI, dB.
  ///
  /// - Parameter time: Not before the last; an earlier one is taken as the last.
  package mutating func update(loss heard: Double, at time: Duration) {
    guard heard.isFinite else { return }
    let heard = min(max(heard, -150), 150)
    let seconds = max((time - (lastTime ?? time)).inSeconds, 0)
    clock.take(heard, after: seconds)
    if seconds > 0 { forget(seconds) }
    lastTime = max(time, lastTime ?? time)
    correct(heard)
  }

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

  /// What it comes to as of the last packet; `nil` before the first.
  package var estimate: DistanceEstimate? {
    guard lastTime != nil else { return nil }
    return DistanceEstimate(loss: loss, variance: lossVariance + powerVariance, model: model)
  }
}
