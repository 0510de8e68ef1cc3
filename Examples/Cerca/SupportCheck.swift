import NearbyInteraction

/// What this device supports. Cerca checks it before it starts anything.
public enum SupportCheck: Equatable, Sendable {
  /// The device can't measure distances.
  case unsupported
  /// Distance without direction: no arrow.
  case distanceOnly
  /// Distance and arrow.
  case distanceAndDirection

  /// The support of the device that runs this.
  public static var current: SupportCheck {
    let capabilities = NISession.deviceCapabilities
    guard capabilities.supportsPreciseDistanceMeasurement else { return .unsupported }
    return capabilities.supportsDirectionMeasurement ? .distanceAndDirection : .distanceOnly
  }
}
