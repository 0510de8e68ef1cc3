import NearbyCommandLine
import NearbyDevice

/// Errors for a machine without usable Bluetooth.
enum BluetoothTrouble {
  /// A scenario with which every beacon command works.
  static let scenario = "Examples/Scenarios/beacons.json"

  /// Says which part is missing.
  ///
  /// - Parameter simulating: Whether the command also runs in a scenario.
  static func error(simulating: Bool) -> CommandError {
    // A device whose world can't be joined has no Bluetooth either; the library has already printed why.
    if DeviceTrouble.reason(of: .radio)?.hasPrefix("NEARBY_WORLD") == true { return .reported }
    return .unavailable(sentence(DeviceTrouble.reason(of: .bluetooth), simulating: simulating))
  }

  static func sentence(_ reason: String?, simulating: Bool) -> String {
    let cause = reason ?? "no adapter found, or bluetoothd is not running"
    let advice = simulating ? ". To simulate it: --scenario \(scenario)" : ""
    return "No usable Bluetooth: \(cause)\(advice)"
  }
}
