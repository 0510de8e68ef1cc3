import Foundation

/// The behaviour of an action.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
  /// Apple's bit mask.
  public let rawValue: UInt
  /// Creates a set from Apple's bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The device must be unlocked.
  public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
  /// The action is destructive.
  public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
  /// The action brings the app to the foreground.
  public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
}

/// An action the user can choose for a notification.
public final class UNNotificationAction: NSObject, Sendable {
  /// The action's identifier.
  public let identifier: String
  /// The title of its button.
  public let title: String
  /// Its behaviour.
  public let options: UNNotificationActionOptions

  /// Creates an action.
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.identifier = identifier
    self.title = title
    self.options = options
    super.init()
  }
}

/// How notifications of a category are handled.
public struct UNNotificationCategoryOptions: OptionSet, Hashable, Sendable {
  /// Apple's bit mask.
  public let rawValue: UInt
  /// Creates a set from Apple's bit mask.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Report dismissals to the app.
  public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1 << 0)
  /// Show notifications in a car too.
  public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 1 << 1)
  /// Show the title even if previews are hidden.
  public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 1 << 2)
  /// Show the subtitle even if previews are hidden.
  public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 1 << 3)
}

/// A category of notifications and its actions.
public final class UNNotificationCategory: NSObject, Sendable {
  /// The category's identifier.
  public let identifier: String
  /// The actions.
  public let actions: [UNNotificationAction]
  /// Identifiers of related intents.
  public let intentIdentifiers: [String]
  /// How its notifications are handled.
  public let options: UNNotificationCategoryOptions

  /// Creates a category.
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
