extension ProcessInfo {
  /// How warm the device is.
  public enum ThermalState: Int, Sendable {
    /// As it should be.
    case nominal = 0
    /// Warm.
    case fair = 1
    /// So warm that it slows down.
    case serious = 2
    /// Too warm.
    case critical = 3
  }

  /// Not looked at: always as it should be.
  public var thermalState: ThermalState { .nominal }
  /// Not looked at: never.
  public var isLowPowerModeEnabled: Bool { false }
  /// How warm the device is. Posted by nobody.
  public static let thermalStateDidChangeNotification = Notification.Name(
    "NSProcessInfoThermalStateDidChangeNotification")
}

extension Notification.Name {
  /// Whether power is saved. Posted by nobody.
  public static let NSProcessInfoPowerStateDidChange = Notification.Name(
    "NSProcessInfoPowerStateDidChangeNotification")
}
