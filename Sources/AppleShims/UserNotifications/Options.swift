@_exported import NearbyFoundation

/// The ways to alert the user that an app may request.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
  /// Apple's bit mask.
  public let rawValue: UInt
  /// Creates a set from Apple's bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// A number on the app's icon.
  public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
  /// Sounds.
  public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
  /// Visible alerts.
  public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
  /// Notifications in a car.
  public static let carPlay = UNAuthorizationOptions(rawValue: 1 << 3)
  /// Alerts that ignore the mute switch.
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
  /// A button to the app's own notification settings.
  public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 1 << 5)
  /// Quiet delivery without a prompt.
  public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
  /// Announcements read aloud.
  public static let announcement = UNAuthorizationOptions(rawValue: 1 << 7)
  /// Time-sensitive notifications.
  public static let timeSensitive = UNAuthorizationOptions(rawValue: 1 << 8)
}

/// Whether the user allows notifications.
public enum UNAuthorizationStatus: Int, Sendable {
  /// The user has not been asked yet.
  case notDetermined = 0
  /// The user denied notifications.
  case denied = 1
  /// The user allowed them.
  case authorized = 2
  /// Quiet delivery only.
  case provisional = 3
  /// Allowed for a limited time.
  case ephemeral = 4
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// Whether one kind of alert is enabled.
public enum UNNotificationSetting: Int, Sendable {
  /// The device does not support it.
  case notSupported = 0
  /// It is disabled.
  case disabled = 1
  /// It is enabled.
  case enabled = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// How an alert is shown.
public enum UNAlertStyle: Int, Sendable {
  /// It is not shown.
  case none = 0
  /// As a banner that disappears.
  case banner = 1
  /// As an alert that stays until it is dismissed.
  case alert = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// How a notification is presented while the app is in the foreground.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
  /// Apple's bit mask.
  public let rawValue: UInt
  /// Creates a set from Apple's bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Update the number on the app's icon.
  public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
  /// Play the sound.
  public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
  /// The deprecated name for `list` and `banner` together.
  public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
  /// Keep it in the list of delivered notifications.
  public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
  /// Show it as a banner.
  public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}

/// The urgency of a notification.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// It can wait.
  case passive = 0
  /// Normal urgency.
  case active = 1
  /// It may break through Focus.
  case timeSensitive = 2
  /// It may also ignore the mute switch.
  case critical = 3
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// The kinds of alerts the user allows.
public final class UNNotificationSettings: NSObject, Sendable {
  /// Whether the user allows notifications at all.
  public let authorizationStatus: UNAuthorizationStatus
  private let options: UNAuthorizationOptions

  init(_ status: UNAuthorizationStatus, _ options: UNAuthorizationOptions) {
    authorizationStatus = status
    self.options = options
    super.init()
  }

  private func setting(_ option: UNAuthorizationOptions) -> UNNotificationSetting {
    authorizationStatus == .authorized && options.contains(option) ? .enabled : .disabled
  }
  /// Whether sounds are enabled.
  public var soundSetting: UNNotificationSetting { setting(.sound) }
  /// Whether numbers on the icon are enabled.
  public var badgeSetting: UNNotificationSetting { setting(.badge) }
  /// Whether visible alerts are enabled.
  public var alertSetting: UNNotificationSetting { setting(.alert) }
  /// Whether notifications are listed; equals `alertSetting`.
  public var notificationCenterSetting: UNNotificationSetting { setting(.alert) }
  /// Whether notifications appear on the lock screen; equals `alertSetting`.
  public var lockScreenSetting: UNNotificationSetting { setting(.alert) }
  /// Always unsupported.
  public var carPlaySetting: UNNotificationSetting { .notSupported }
  /// Always unsupported.
  public var criticalAlertSetting: UNNotificationSetting { .notSupported }
  /// Whether time-sensitive notifications are enabled.
  public var timeSensitiveSetting: UNNotificationSetting { setting(.timeSensitive) }
  /// How alerts are shown.
  public var alertStyle: UNAlertStyle { alertSetting == .enabled ? .banner : .none }
}
