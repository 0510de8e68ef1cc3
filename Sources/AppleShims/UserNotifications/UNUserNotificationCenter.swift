import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// Manages a device's local notifications. Nothing is displayed: notifications are stored, so that a test can
/// check what an app would have shown.
///
/// The simulated user grants every request for authorization. A request without a trigger is due at once, and
/// one with a time interval once that has elapsed on the device's clock; others stay pending. A due
/// notification is delivered if the app is authorized: in the background it is stored directly, in the
/// foreground the delegate decides on the main queue.
public final class UNUserNotificationCenter: NSObject, Sendable {
  private struct Contents: Sendable {
    var status = UNAuthorizationStatus.notDetermined
    var options: UNAuthorizationOptions = []
    var pending: [UNNotificationRequest] = []
    var delivered: [UNNotification] = []
    var categories: Set<UNNotificationCategory> = []
    var delegate = WeakBox<any UNUserNotificationCenterDelegate>()
  }

  private let contents = Mutex(Contents())

  override init() { super.init() }

  /// The notification centre of the current device.
  public static func current() -> UNUserNotificationCenter { Centers.center(of: NearbyDevice.bound) }

  /// Decides about notifications that are due while the app is in the foreground; held weakly.
  public var delegate: (any UNUserNotificationCenterDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Always false.
  public var supportsContentExtensions: Bool { false }

  // MARK: Permission

  /// Requests authorization, which is always granted; the handler is called on the main queue.
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    authorize(options)
    let device = NearbyDevice.bound
    device.app.later { device.perform(on: nil) { completionHandler(true, nil) } }
  }

  /// Requests authorization, which is always granted.
  @discardableResult
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    authorize(options)
    return true
  }

  private func authorize(_ options: UNAuthorizationOptions) {
    contents.withLock { contents in
      contents.status = .authorized
      contents.options.formUnion(options)
    }
  }

  private var settings: UNNotificationSettings {
    contents.withLock { UNNotificationSettings($0.status, $0.options) }
  }

  /// Passes the current settings to the handler, before returning.
  public func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) { completionHandler(settings) }
  /// The current settings.
  public func notificationSettings() async -> UNNotificationSettings { settings }

  // MARK: Requests

  /// Adds a request, replacing any pending one with the same identifier.
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    schedule(request)
    completionHandler?(nil)
  }
  /// Adds a request, replacing any pending one with the same identifier.
  public func add(_ request: UNNotificationRequest) async throws { schedule(request) }

  private func schedule(_ request: UNNotificationRequest) {
    contents.withLock { contents in
      contents.pending.removeAll { $0.identifier == request.identifier }
      contents.pending.append(request)
    }
    let device = NearbyDevice.bound
    let due: @Sendable () -> Void = { [weak self, weak device] in
      if let device { self?.come(due: request, device) }
    }
    switch request.trigger {
    case nil: device.app.later(due)
    case let trigger as UNTimeIntervalNotificationTrigger:
      device.app.later(after: .seconds(max(0, trigger.timeInterval)), due)
    default: break
    }
  }

  private func come(due request: UNNotificationRequest, _ device: NearbyDevice) {
    let isAllowed = contents.withLock { contents -> Bool? in
      guard let index = contents.pending.firstIndex(where: { $0 === request }) else { return nil }
      if request.trigger?.repeats != true { contents.pending.remove(at: index) }
      return contents.status == .authorized
    }
    guard let isAllowed else { return }
    if request.trigger?.repeats == true { schedule(request) }
    guard isAllowed else { return }
    let notification = UNNotification(request)
    guard device.app.life.isInForeground else { return keep(notification) }
    device.perform(on: nil) { [weak self] in
      guard let self else { return }
      delegate?.userNotificationCenter(self, willPresent: notification) { [weak self] options in
        if !options.isDisjoint(with: [.alert, .banner, .list]) { self?.keep(notification) }
      }
    }
  }

  private func keep(_ notification: UNNotification) {
    contents.withLock { contents in
      contents.delivered.removeAll { $0.request.identifier == notification.request.identifier }
      contents.delivered.append(notification)
    }
  }

  /// Passes the pending requests to the handler, before returning.
  public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) { completionHandler(contents.withLock { $0.pending }) }
  /// The pending requests.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] {
    contents.withLock { $0.pending }
  }
  /// Removes the pending requests with these identifiers.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    contents.withLock { $0.pending.removeAll { identifiers.contains($0.identifier) } }
  }
  /// Removes all pending requests.
  public func removeAllPendingNotificationRequests() { contents.withLock { $0.pending = [] } }

  // MARK: Delivered notifications

  /// Passes the delivered notifications to the handler, before returning.
  public func getDeliveredNotifications(
    completionHandler: @escaping @Sendable ([UNNotification]) -> Void
  ) { completionHandler(contents.withLock { $0.delivered }) }
  /// The delivered notifications.
  public func deliveredNotifications() async -> [UNNotification] { contents.withLock { $0.delivered } }
  /// Removes the delivered notifications with these identifiers.
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    contents.withLock { $0.delivered.removeAll { identifiers.contains($0.request.identifier) } }
  }
  /// Removes all delivered notifications.
  public func removeAllDeliveredNotifications() { contents.withLock { $0.delivered = [] } }

  // MARK: Categories

  /// Registers the app's categories. Stored without effect.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    contents.withLock { $0.categories = categories }
  }
  /// Passes the registered categories to the handler, before returning.
  public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) { completionHandler(contents.withLock { $0.categories }) }
  /// The registered categories.
  public func notificationCategories() async -> Set<UNNotificationCategory> {
    contents.withLock { $0.categories }
  }

  /// Has no effect: there is no icon.
  public func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) { completionHandler?(nil) }
  /// Has no effect: there is no icon.
  public func setBadgeCount(_ newBadgeCount: Int) async throws {}
}

/// The notification centres of all devices that still exist.
private enum Centers {
  private struct Entry: Sendable {
    weak var life: AppLife?
    let center: UNUserNotificationCenter
  }
  private static let all = Mutex<[ObjectIdentifier: Entry]>([:])

  static func center(of device: NearbyDevice) -> UNUserNotificationCenter {
    let life = device.app.life
    return all.withLock { all in
      if let entry = all[ObjectIdentifier(life)], entry.life === life { return entry.center }
      all = all.filter { $0.value.life != nil }
      let center = UNUserNotificationCenter()
      all[ObjectIdentifier(life)] = Entry(life: life, center: center)
      return center
    }
  }
}
