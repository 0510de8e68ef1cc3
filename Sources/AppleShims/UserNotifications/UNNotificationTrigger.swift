import CoreLocation
import Foundation

/// The event that delivers a notification.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  // All stored properties are immutable.
  /// Whether the notification is delivered repeatedly.
  public let repeats: Bool
  init(repeats: Bool) {
    self.repeats = repeats
    super.init()
  }
}

/// Delivers a notification after a time interval on the device's clock.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// The interval in seconds; greater than 0, and at least 60 if it repeats.
  public let timeInterval: TimeInterval
  private let start = Date()

  /// Creates a trigger.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }
  /// The next delivery, counted from the trigger's creation.
  public func nextTriggerDate() -> Date? { start + timeInterval }
}

/// Delivers a notification at a calendar date. Never fires here: such requests stay pending.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// The date components to match.
  public let dateComponents: DateComponents

  /// Creates a trigger.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }
  /// The next matching date.
  public func nextTriggerDate() -> Date? {
    Calendar.current.nextDate(after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
  }
}

/// Delivers a notification on entering or leaving a region. Never fires here: such requests stay pending.
public final class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// The region.
  public let region: CLRegion

  /// Creates a trigger.
  public init(region: CLRegion, repeats: Bool) {
    self.region = region
    super.init(repeats: repeats)
  }
}

/// Marks a notification from a server. There are none here.
public final class UNPushNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {}

/// A request to deliver a notification.
public final class UNNotificationRequest: NSObject, @unchecked Sendable {
  // All stored properties are immutable; the content is a copy.
  /// The request's identifier. Adding another request with the same identifier replaces this one.
  public let identifier: String
  /// The content to show.
  public let content: UNNotificationContent
  /// The trigger; `nil` delivers immediately.
  public let trigger: UNNotificationTrigger?

  /// Creates a request.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = UNNotificationContent(content.fields)
    self.trigger = trigger
    super.init()
  }
}

/// A delivered notification.
public final class UNNotification: NSObject, Sendable {
  // All stored properties are immutable.
  /// The time of delivery.
  public let date: Date
  /// The request that was delivered.
  public let request: UNNotificationRequest
  init(_ request: UNNotificationRequest) {
    date = Date()
    self.request = request
    super.init()
  }
}

/// The action of a user who opens the notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The action of a user who dismisses the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// The user's response to a notification. Never created here.
public final class UNNotificationResponse: NSObject, Sendable {
  // All stored properties are immutable.
  /// The notification.
  public let notification: UNNotification
  /// The identifier of the chosen action.
  public let actionIdentifier: String
  init(_ notification: UNNotification, action: String) {
    self.notification = notification
    actionIdentifier = action
    super.init()
  }
}
