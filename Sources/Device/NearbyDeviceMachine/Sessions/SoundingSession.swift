import NearbyBluetooth
import NearbyEstimation
import NearbySounding

/// A session's Channel Sounding with an accessory, from permission until it stops.
struct SoundingSession: Sendable {
  let configuration: PeerConfiguration
  /// The accessory on Bluetooth.
  let peer: BluetoothPeer
  /// The app got `startedRunning`.
  var hasReportedRunning = false
  /// When a procedure last gave a distance; `nil` before the first.
  private(set) var lastHeard: Duration?
  /// `nil` without camera assistance.
  var assistance: AssistedPeer?
  private var filter = SoundingFilter(offsets: .ofCalibratedDevices)

  /// Largest standard deviation with which a distance is reported, metres. Half a metre of error does not
  /// average out while both devices stand still, so ultra-wideband's limit would hide half of the distances.
  private static let largestSigma = 2.0

  init(_ configuration: PeerConfiguration, with peer: BluetoothPeer) {
    self.configuration = configuration
    self.peer = peer
  }

  /// Receives what a procedure measured.
  ///
  /// - Returns: What is known now, to be delivered to the app; `nil` if the procedure gave no distance.
  mutating func receive(_ sounding: BluetoothSounding, camera: CameraView, at now: Duration) -> Ranging
    .Report?
  {
    let estimate = filter.update(SoundingResult(sounding))
    guard sounding.isValid, let estimate else {
      assistance?.receive(nil, camera, at: now)
      return nil
    }
    lastHeard = now
    let isKnown = estimate.sigma <= Self.largestSigma
    assistance?.receive(
      PeerReading(time: now, range: estimate.distance, rangeSigma: estimate.sigma), camera, at: now)
    var report = Ranging.Report(
      estimate: PeerEstimate(distance: isKnown ? estimate : nil, direction: nil))
    guard assistance != nil else { return report }
    report.assisted = assistance?.assist(&report.estimate, camera, at: now)
    report.reasons = assistance?.newReasons(camera, at: now)
    return report
  }

  /// When the accessory is gone, unless it is heard before.
  func deadline(_ timeout: Duration) -> Duration? { lastHeard.map { $0 + timeout } }
}

/// What Bluetooth reports about a session's Channel Sounding.
package enum SoundingInput: Hashable, Sendable {
  /// A procedure's result; `nil` if it was aborted.
  case sounded(BluetoothSounding?)
  /// Channel Sounding is over, or could not be started.
  case ended(BluetoothFailure?)
}

extension AssistanceParameters {
  /// For distances by Channel Sounding, whose errors are half a metre and do not average out while both devices
  /// stand still. `Docs/sounding.md` has the measurements.
  static let sounding: Self = {
    var parameters = AssistanceParameters(track: .visualInertial)
    parameters.rangeSigma = 0.4
    parameters.biasSigma = 0.3
    parameters.echoSigma = 0.15
    parameters.correlationLength = 1.5
    parameters.horizontalSigma = 0.8
    parameters.verticalSigma = 1.2
    parameters.restRadius = 0.5
    parameters.holdRadius = 1.0
    return parameters
  }()
}
