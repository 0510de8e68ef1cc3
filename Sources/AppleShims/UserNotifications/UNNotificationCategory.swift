import Foundation

/// What an action takes.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
  /// Apple's bits.
  public let rawValue: UInt
  /// Of Apple's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The device has to be unlocked.
  public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
  /// It destroys something.
  public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
  /// The app comes to the front.
  public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
}

/// A way to answer a notification.
public final class UNNotificationAction: NSObject, Sendable {
  /// The app's name for it.
  public let identifier: String
  /// What the button says.
  public let title: String
  /// What it takes.
  public let options: UNNotificationActionOptions

  /// Makes one.
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.identifier = identifier
    self.title = title
    self.options = options
    super.init()
  }
}

/// How notifications of a category are shown.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
  /// Apple's bits.
  public let rawValue: UInt
  /// Of Apple's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The app hears when they are sent away.
  public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1 << 0)
  /// In a car too.
  public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 1 << 1)
  /// With their heading where previews are hidden.
  public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 1 << 2)
  /// With their second heading where previews are hidden.
  public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 1 << 3)
}

/// Ways to answer notifications of a kind.
public final class UNNotificationCategory: NSObject, Sendable {
  /// The app's name for it.
  public let identifier: String
  /// The ways.
  public let actions: [UNNotificationAction]
  /// Intents that it belongs to.
  public let intentIdentifiers: [String]
  /// How they are shown.
  public let options: UNNotificationCategoryOptions

  /// Makes one.
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.identifier = identifier
    self.actions = actions
    self.intentIdentifiers = intentIdentifiers
    self.options = options
    super.init()
  }
}
