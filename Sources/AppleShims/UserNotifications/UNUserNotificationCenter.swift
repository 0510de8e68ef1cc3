import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// Notifications to the user of a device. There is nobody to see them: they are kept, so that a test can look at
/// what an app would have shown.
///
/// The user allows what the app asks for. A request without a trigger is due at once, one with a time when that has
/// passed on the device's clock; the others stay pending. What is due is delivered if the user was asked: while the
/// app is behind it is kept, while it is in front its delegate says, on the main queue, whether it is.
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

  /// That of the device whose app is asking.
  public static func current() -> UNUserNotificationCenter { Centers.center(of: NearbyDevice.bound) }

  /// Hears of what is due while the app is in front. Not kept alive.
  public var delegate: (any UNUserNotificationCenterDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Nothing shows content of the app's own.
  public var supportsContentExtensions: Bool { false }

  // MARK: Permission

  /// Asks the user, who agrees; the handler is called on the main queue.
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    authorize(options)
    let device = NearbyDevice.bound
    device.app.later { device.perform(on: nil) { completionHandler(true, nil) } }
  }

  /// Asks the user, who agrees.
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

  /// What the user allows.
  public func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) { completionHandler(settings) }
  /// What the user allows.
  public func notificationSettings() async -> UNNotificationSettings { settings }

  // MARK: Requests

  /// Has something said, in place of what has the same name.
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    schedule(request)
    completionHandler?(nil)
  }
  /// Has something said, in place of what has the same name.
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

  /// What has not been due yet.
  public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) { completionHandler(contents.withLock { $0.pending }) }
  /// What has not been due yet.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] {
    contents.withLock { $0.pending }
  }
  /// Takes some back.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    contents.withLock { $0.pending.removeAll { identifiers.contains($0.identifier) } }
  }
  /// Takes all back.
  public func removeAllPendingNotificationRequests() { contents.withLock { $0.pending = [] } }

  // MARK: What was delivered

  /// What the user would find.
  public func getDeliveredNotifications(
    completionHandler: @escaping @Sendable ([UNNotification]) -> Void
  ) { completionHandler(contents.withLock { $0.delivered }) }
  /// What the user would find.
  public func deliveredNotifications() async -> [UNNotification] { contents.withLock { $0.delivered } }
  /// Takes some away.
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    contents.withLock { $0.delivered.removeAll { identifiers.contains($0.request.identifier) } }
  }
  /// Takes all away.
  public func removeAllDeliveredNotifications() { contents.withLock { $0.delivered = [] } }

  // MARK: Categories

  /// Says which kinds there are. Kept, and without effect.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    contents.withLock { $0.categories = categories }
  }
  /// The kinds that there are.
  public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) { completionHandler(contents.withLock { $0.categories }) }
  /// The kinds that there are.
  public func notificationCategories() async -> Set<UNNotificationCategory> {
    contents.withLock { $0.categories }
  }

  /// Without effect: there is no icon.
  public func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) { completionHandler?(nil) }
  /// Without effect: there is no icon.
  public func setBadgeCount(_ newBadgeCount: Int) async throws {}
}

/// The centres of devices, for as long as the devices are there.
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
