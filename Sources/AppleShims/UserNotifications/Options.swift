@_exported import NearbyFoundation

/// How an app may draw attention.
public struct UNAuthorizationOptions: OptionSet, Hashable, Sendable {
  /// Apple's bits.
  public let rawValue: UInt
  /// Of Apple's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// With a number at the app's icon.
  public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
  /// With a sound.
  public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
  /// With text.
  public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
  /// In a car.
  public static let carPlay = UNAuthorizationOptions(rawValue: 1 << 3)
  /// In spite of silence.
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
  /// With a button for the app's own settings.
  public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 1 << 5)
  /// Silently, without being asked.
  public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
  /// Read out.
  public static let announcement = UNAuthorizationOptions(rawValue: 1 << 7)
  /// In spite of a wish for quiet.
  public static let timeSensitive = UNAuthorizationOptions(rawValue: 1 << 8)
}

/// What the user lets the app do.
public enum UNAuthorizationStatus: Int, Sendable {
  /// Not asked yet.
  case notDetermined = 0
  /// Nothing.
  case denied = 1
  /// What it asked for.
  case authorized = 2
  /// Silently.
  case provisional = 3
  /// For a while.
  case ephemeral = 4
}

/// Whether one way to draw attention is open.
public enum UNNotificationSetting: Int, Sendable {
  /// It is not there.
  case notSupported = 0
  /// It is closed.
  case disabled = 1
  /// It is open.
  case enabled = 2
}

/// How text is shown.
public enum UNAlertStyle: Int, Sendable {
  /// Not at all.
  case none = 0
  /// For a while.
  case banner = 1
  /// Until it is answered.
  case alert = 2
}

/// What is done about a notification while the app is in front.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
  /// Apple's bits.
  public let rawValue: UInt
  /// Of Apple's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The number at the app's icon is set.
  public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
  /// The sound is played.
  public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
  /// Both of the next, by an old name.
  public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
  /// It is kept among those delivered.
  public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
  /// It is shown.
  public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}

/// How much a notification matters.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// It can wait.
  case passive = 0
  /// As usual.
  case active = 1
  /// In spite of a wish for quiet.
  case timeSensitive = 2
  /// In spite of silence.
  case critical = 3
}

/// What the user lets the app do, way by way.
public final class UNNotificationSettings: NSObject, Sendable {
  /// On the whole.
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
  /// Sounds.
  public var soundSetting: UNNotificationSetting { setting(.sound) }
  /// Numbers at the icon.
  public var badgeSetting: UNNotificationSetting { setting(.badge) }
  /// Text.
  public var alertSetting: UNNotificationSetting { setting(.alert) }
  /// Among those delivered.
  public var notificationCenterSetting: UNNotificationSetting { setting(.alert) }
  /// On the locked screen.
  public var lockScreenSetting: UNNotificationSetting { setting(.alert) }
  /// There is no car.
  public var carPlaySetting: UNNotificationSetting { .notSupported }
  /// Nothing here is silent.
  public var criticalAlertSetting: UNNotificationSetting { .notSupported }
  /// In spite of a wish for quiet.
  public var timeSensitiveSetting: UNNotificationSetting { setting(.timeSensitive) }
  /// How text is shown.
  public var alertStyle: UNAlertStyle { alertSetting == .enabled ? .banner : .none }
}
