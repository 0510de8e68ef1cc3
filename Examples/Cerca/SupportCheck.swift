import NearbyInteraction

/// Whether Cerca can do anything on this device: looked at before anything is started.
public enum SupportCheck: Equatable, Sendable {
  /// Nothing to measure with.
  case unsupported
  /// No arrow.
  case distanceOnly
  /// Distance and arrow.
  case distanceAndDirection

  /// Of the device that runs this.
  public static var current: SupportCheck {
    let capabilities = NISession.deviceCapabilities
    guard capabilities.supportsPreciseDistanceMeasurement else { return .unsupported }
    return capabilities.supportsDirectionMeasurement ? .distanceAndDirection : .distanceOnly
  }
}
