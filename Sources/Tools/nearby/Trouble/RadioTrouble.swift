import NearbyCommandLine
import NearbyDevice

/// Errors for a device that has no usable chip.
enum RadioTrouble {
  /// The true cause, once.
  ///
  /// - Parameter advice: What to do if no chip was named at all.
  static func error(advice: String) -> CommandError {
    // The library has already printed why the chip or the world can't be used.
    if DeviceTrouble.reason(of: .radio) != nil { return .reported }
    return .unavailable("no UWB chip that can range; \(advice)")
  }
}
