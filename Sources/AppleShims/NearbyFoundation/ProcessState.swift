extension ProcessInfo {
  /// The thermal state of the device.
  public enum ThermalState: Int, Sendable {
    /// Normal.
    case nominal = 0
    /// Slightly elevated.
    case fair = 1
    /// High; performance is reduced.
    case serious = 2
    /// Too high.
    case critical = 3
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Always `nominal`: the state is not measured here.
  public var thermalState: ThermalState { .nominal }
  /// Always false: the setting is not read here.
  public var isLowPowerModeEnabled: Bool { false }
  /// Declared for source compatibility; never posted.
  public static let thermalStateDidChangeNotification = Notification.Name(
    "NSProcessInfoThermalStateDidChangeNotification")
}

extension Notification.Name {
  /// Declared for source compatibility; never posted.
  public static let NSProcessInfoPowerStateDidChange = Notification.Name(
    "NSProcessInfoPowerStateDidChangeNotification")
}
