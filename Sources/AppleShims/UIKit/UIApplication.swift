import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// Takes part in the app's events; there are none here.
@preconcurrency @MainActor
open class UIResponder: NSObject {
  /// Makes one.
  public override init() { super.init() }
}

/// The app on a device: whether it is in front, and the notifications that tell when that changes.
///
/// In a world `Phone.suspend` and `resume` change it, on a shared world's page a person does. Notifications have
/// the application as their object: where several phones' apps live in one process, listen with
/// `object: UIApplication.shared`, since the notification centre is the process's.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
  /// How an app stands.
  public enum State: Int, Sendable {
    /// In front.
    case active = 0
    /// On its way to the front, or from there.
    case inactive = 1
    /// Behind.
    case background = 2
  }

  private let life: AppLife
  /// What `applicationState` is while the notifications of a change are posted.
  private var passing: State?
  private var lastTask = 0

  private init(life: AppLife) {
    self.life = life
    super.init()
  }

  /// That of the device whose app is asking.
  public static var shared: UIApplication {
    follower(of: NearbyDevice.bound.app.life).application.value
  }

  /// Whether the app is in front.
  public var applicationState: State { passing ?? (life.isInForeground ? .active : .background) }
  /// Kept, and without effect.
  public var isIdleTimerDisabled = false
  /// Kept, and without effect.
  public var applicationIconBadgeNumber = 0
  /// All that it takes is there.
  public var isProtectedDataAvailable: Bool { true }
  /// There is none.
  public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
  /// Nobody to tell.
  public weak var delegate: (any UIApplicationDelegate)?

  /// The address of the app's settings, which nothing here opens.
  public nonisolated static let openSettingsURLString = "app-settings:"

  /// There is nothing to open an address with.
  public func canOpenURL(_ url: URL) -> Bool { false }
  /// There is nothing to open an address with: the handler hears `false`.
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) { completion?(false) }

  /// How an address may be opened.
  public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
    /// Apple's name.
    public let rawValue: String
    /// Of Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Only by an app.
    public static let universalLinksOnly = OpenExternalURLOptionsKey(rawValue: "universalLinksOnly")
  }

  /// Code may run on behind: there is no limit to be told of.
  public func beginBackgroundTask(
    withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    lastTask += 1
    return UIBackgroundTaskIdentifier(rawValue: lastTask)
  }
  /// Nothing to end.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
  /// Code may run on behind.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }
  /// Never: nothing is sent from outside.
  public var isRegisteredForRemoteNotifications: Bool { false }
  /// Nothing is sent from outside.
  public func unregisterForRemoteNotifications() {}
  /// Nothing is sent from outside.
  public func registerForRemoteNotifications() {}

  // MARK: Notifications

  private static func follower(of life: AppLife) -> Follower {
    life.follower { Follower(UIApplication(life: life)) }
  }

  /// Who names a notification hears it, whether or not he ever asked for the application.
  private nonisolated static let follows: Void = AppLife.follow { life in
    nonisolated(unsafe) var follower: (any AppLifeFollower)?
    MainActor.unchecked { follower = UIApplication.follower(of: life) }
    return follower ?? Silence()
  }

  private nonisolated static func notification(_ name: String) -> Notification.Name {
    follows
    return Notification.Name(name)
  }

  /// The app is behind.
  public nonisolated static let didEnterBackgroundNotification =
    notification("UIApplicationDidEnterBackgroundNotification")
  /// The app is about to come to the front.
  public nonisolated static let willEnterForegroundNotification =
    notification("UIApplicationWillEnterForegroundNotification")
  /// The app is in front.
  public nonisolated static let didBecomeActiveNotification =
    notification("UIApplicationDidBecomeActiveNotification")
  /// The app is about to leave the front.
  public nonisolated static let willResignActiveNotification =
    notification("UIApplicationWillResignActiveNotification")
  /// The app was launched. Posted by nobody.
  public nonisolated static let didFinishLaunchingNotification =
    notification("UIApplicationDidFinishLaunchingNotification")
  /// The app is about to end. Posted by nobody.
  public nonisolated static let willTerminateNotification =
    notification("UIApplicationWillTerminateNotification")
  /// Memory is short. Posted by nobody.
  public nonisolated static let didReceiveMemoryWarningNotification =
    notification("UIApplicationDidReceiveMemoryWarningNotification")

  fileprivate func changed(isInForeground: Bool) {
    let steps: [(State, String)] =
      isInForeground
      ? [(.background, "WillEnterForeground"), (.active, "DidBecomeActive")]
      : [(.active, "WillResignActive"), (.background, "DidEnterBackground")]
    for (state, name) in steps {
      passing = state
      NotificationCenter.default.post(
        name: Notification.Name("UIApplication\(name)Notification"), object: self)
    }
    passing = nil
  }

  /// Follows the device's life for the application, which is only touched on the main queue.
  private final class Follower: AppLifeFollower {
    let application: UncheckedSendable<UIApplication>
    init(_ application: UIApplication) { self.application = UncheckedSendable(application) }
    func lifeChanged(isInForeground: Bool) {
      // Called on the main queue, by a world that may be run from the main thread or beside it.
      MainActor.unchecked { [application] in application.value.changed(isInForeground: isInForeground) }
    }
  }
}

/// Follows nothing.
private final class Silence: AppLifeFollower {
  func lifeChanged(isInForeground: Bool) {}
}

extension MainActor {
  /// Runs a closure as the main actor's. On Linux the main queue's blocks may run on the thread that waits for
  /// them, which the actor does not know as its own.
  fileprivate static func unchecked(_ body: @MainActor () -> Void) {
    withoutActuallyEscaping(body) { body in
      typealias Plain = () -> Void
      unsafeBitCast(body, to: Plain.self)()
    }
  }
}

/// Hears of the app's life on Apple's systems. Nobody calls it here.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {}

/// Tells one background task from another.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// A number.
  public let rawValue: Int
  /// Of a number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// None.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// Whether code may run on behind.
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// It is not this user's to say.
  case restricted = 0
  /// The user does not allow it.
  case denied = 1
  /// It may.
  case available = 2
}
