import CoreLocation
import Foundation

/// When a notification is delivered.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  // Immutable.
  /// Whether again and again.
  public let repeats: Bool
  init(repeats: Bool) {
    self.repeats = repeats
    super.init()
  }
}

/// After a time on the device's clock.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// Seconds, more than 0; at least 60 where it repeats.
  public let timeInterval: TimeInterval
  private let start = Date()

  /// Makes one.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
  /// When next, counted from when it was made.
  public func nextTriggerDate() -> Date? { start + timeInterval }
}

/// At a time of the calendar. Nothing here comes due by the calendar: such requests stay pending.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// What the time has to match.
  public let dateComponents: DateComponents

  /// Makes one.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }
  /// When next.
  public func nextTriggerDate() -> Date? {
    Calendar.current.nextDate(after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
  }
}

/// Where a region is entered or left. Nothing here comes due by place: such requests stay pending.
public final class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// Which region.
  public let region: CLRegion

  /// Makes one.
  public init(region: CLRegion, repeats: Bool) {
    self.region = region
    super.init(repeats: repeats)
  }
}

/// From outside. Nothing is sent here.
public final class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// What to say, and when.
public final class UNNotificationRequest: NSObject, @unchecked Sendable {
  // Immutable, its content a copy.
  /// The app's name for it: a new one of the same name replaces it.
  public let identifier: String
  /// What to say.
  public let content: UNNotificationContent
  /// When; `nil` at once.
  public let trigger: UNNotificationTrigger?

  /// Makes one.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = UNNotificationContent(content.fields)
    self.trigger = trigger
    super.init()
  }
}

/// What was delivered.
public final class UNNotification: NSObject, Sendable {
  // Immutable.
  /// When.
  public let date: Date
  /// What was asked for.
  public let request: UNNotificationRequest
  init(_ request: UNNotificationRequest) {
    date = Date()
    self.request = request
    super.init()
  }
}

/// The answer to a notification by a tap on it.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The answer to a notification by sending it away.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// How the user answered. Nobody answers here.
public final class UNNotificationResponse: NSObject, Sendable {
  // Immutable.
  /// What was answered.
  public let notification: UNNotification
  /// With which of the app's actions.
  public let actionIdentifier: String
  init(_ notification: UNNotification, action: String) {
    self.notification = notification
    actionIdentifier = action
    super.init()
  }
}
