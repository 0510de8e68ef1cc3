import Foundation
import NearbyBluetooth
import NearbySounding
import Synchronization

/// How to measure the distance to a peripheral by Channel Sounding.
///
/// Source: Apple's documentation of `CBChannelSoundingSessionConfiguration`.
open class CBChannelSoundingSessionConfiguration: NSObject {
  /// What this device does in a procedure. The raw value is our own.
  public enum Role: Int, Sendable {
    /// Begins the procedures.
    case initiator = 0
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// What this device does in a procedure.
  public let role: Role

  /// Creates a configuration.
  public init(role: Role) {
    self.role = role
    super.init()
  }
}

/// The result of one Channel Sounding procedure.
///
/// Source: Apple's documentation of `CBChannelSoundingProcedureResults`.
open class CBChannelSoundingProcedureResults: NSObject, @unchecked Sendable {
  // All stored properties are immutable.
  /// Metres; negative if the procedure gave no valid measurement.
  public let distance: Double

  init(distance: Double) {
    self.distance = distance
    super.init()
  }
}

extension CBPeripheral {
  /// Starts to measure the distance to the connected peripheral.
  ///
  /// Results go to `peripheral(_:didReceive:error:)`, at most four times a second, and less often if this device measures
  /// several peripherals. The end goes to `peripheral(_:didCompleteChannelSoundingSession:)`, with
  /// `channelSoundingConfigurationFailed` if the peripheral does not support it, if it was not set up with
  /// AccessorySetupKit, or if the app is in the background; with `operationNotSupported` if this device does not support
  /// it. The session ends with the connection, and when the app enters the background. No-op while a session runs.
  public func startChannelSoundingSession(_ configuration: CBChannelSoundingSessionConfiguration) {
    let isNew = contents.withLock { contents in
      guard contents.sounding == nil else { return false }
      contents.sounding = SoundingFilter(offsets: .ofCalibratedDevices)
      return true
    }
    if isNew { access.perform(.startSounding(peer)) }
  }

  /// Ends the session; `peripheral(_:didCompleteChannelSoundingSession:)` follows, without an error. No-op without a
  /// session.
  public func cancelChannelSoundingSession() { access.perform(.stopSounding(peer)) }

  /// A procedure has ended. Its distance is that of all procedures so far; one whose tones gave no distance counts as
  /// without a valid measurement.
  func sounded(_ result: Result<BluetoothSounding, BluetoothFailure>) {
    switch result {
    case .failure(let failure): delegate?.peripheral(self, didReceive: nil, error: failure.error)
    case .success(let sounding):
      let distance = contents.withLock { $0.sounding?.reportedDistance(after: sounding) } ?? -1
      delegate?.peripheral(
        self, didReceive: CBChannelSoundingProcedureResults(distance: distance), error: nil)
    }
  }

  func soundingEnded(_ failure: BluetoothFailure?) {
    contents.withLock { $0.sounding = nil }
    delegate?.peripheral(self, didCompleteChannelSoundingSession: failure?.error)
  }
}
