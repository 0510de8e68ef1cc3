import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// The base class of objects that respond to events. There are no events here.
@preconcurrency @MainActor
open class UIResponder: NSObject {
  /// Creates a responder.
  public override init() { super.init() }
}

/// A device's app: whether it is in the foreground, and the notifications of its changes.
///
/// In a simulated world, `Phone.suspend` and `resume` change the state; on the page of a shared world, a
/// person does. Notifications carry the application as their object. In a test's world each phone's app has
/// its own `NotificationCenter.default`; the observers of code outside all phones are notified of every
/// phone's changes, and can tell them apart by the object.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
  /// The state of an app.
  public enum State: Int, Sendable {
    /// In the foreground.
    case active = 0
    /// Moving to or from the foreground.
    case inactive = 1
    /// In the background.
    case background = 2
    /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
    @available(*, unavailable, message: "No value has this case.")
    case _unlisted
  }

  /// Weak because the life retains its follower, and thereby this application.
  private weak var life: AppLife?
  /// Overrides `applicationState` while the notifications of a change are posted.
  private var passing: State?
  private var lastTask = 0

  private init(life: AppLife) {
    self.life = life
    super.init()
  }

  /// The application of the current device.
  public static var shared: UIApplication {
    follower(of: NearbyDevice.bound.app.life).application.value
  }

  /// Whether the app is in the foreground. In the background once the app's world has ended.
  public var applicationState: State { passing ?? (life?.isInForeground == true ? .active : .background) }
  /// Stored without effect.
  public var isIdleTimerDisabled = false
  /// Stored without effect.
  public var applicationIconBadgeNumber = 0
  /// Always true.
  public var isProtectedDataAvailable: Bool { true }
  /// Always unlimited.
  public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
  /// Stored; never called.
  public weak var delegate: (any UIApplicationDelegate)?

  /// The URL of the app's settings, which cannot be opened here.
  public nonisolated static let openSettingsURLString = "app-settings:"

  /// Always false: no URL can be opened here.
  public func canOpenURL(_ url: URL) -> Bool { false }
  /// Calls the handler with `false`: no URL can be opened here.
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) { completion?(false) }

  /// Options for opening a URL.
  public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
    /// Apple's name of the option.
    public let rawValue: String
    /// Creates an option from Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Open only universal links handled by an app.
    public static let universalLinksOnly = OpenExternalURLOptionsKey(rawValue: "universalLinksOnly")
  }

  /// Returns a new identifier. Background code is not limited here, so the expiration handler is never
  /// called.
  public func beginBackgroundTask(
    withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    lastTask += 1
    return UIBackgroundTaskIdentifier(rawValue: lastTask)
  }
  /// Has no effect.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
  /// Always available.
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }
  /// Always false: there are no remote notifications here.
  public var isRegisteredForRemoteNotifications: Bool { false }
  /// Has no effect.
  public func unregisterForRemoteNotifications() {}
  /// Has no effect.
  public func registerForRemoteNotifications() {}

  // MARK: Notifications

  private static func follower(of life: AppLife) -> Follower {
    life.follower { Follower(UIApplication(life: life)) }
  }

  /// Installs a follower for the life of every app, once. Every notification name below forces it, so that
  /// observers are notified even if the process never used `UIApplication.shared`.
  private nonisolated static let follows: Void = AppLife.registerFollower { life in
    nonisolated(unsafe) var follower: (any AppLifeFollower)?
    MainActor.unchecked { follower = UIApplication.follower(of: life) }
    return follower ?? Silence()
  }

  private nonisolated static func notification(_ name: String) -> Notification.Name {
    follows
    return Notification.Name(name)
  }

  /// The app is in the background.
  public nonisolated static let didEnterBackgroundNotification =
    notification("UIApplicationDidEnterBackgroundNotification")
  /// The app is about to enter the foreground.
  public nonisolated static let willEnterForegroundNotification =
    notification("UIApplicationWillEnterForegroundNotification")
  /// The app is active in the foreground.
  public nonisolated static let didBecomeActiveNotification =
    notification("UIApplicationDidBecomeActiveNotification")
  /// The app is about to leave the foreground.
  public nonisolated static let willResignActiveNotification =
    notification("UIApplicationWillResignActiveNotification")
  /// Declared for source compatibility; never posted.
  public nonisolated static let didFinishLaunchingNotification =
    notification("UIApplicationDidFinishLaunchingNotification")
  /// Declared for source compatibility; never posted.
  public nonisolated static let willTerminateNotification =
    notification("UIApplicationWillTerminateNotification")
  /// Declared for source compatibility; never posted.
  public nonisolated static let didReceiveMemoryWarningNotification =
    notification("UIApplicationDidReceiveMemoryWarningNotification")

  fileprivate func changed(isInForeground: Bool) {
    let steps: [(State, String)] =
      isInForeground
      ? [(.background, "WillEnterForeground"), (.active, "DidBecomeActive")]
      : [(.active, "WillResignActive"), (.background, "DidEnterBackground")]
    for (state, name) in steps {
      passing = state
      post(Notification.Name("UIApplication\(name)Notification"))
    }
    passing = nil
  }

  /// Notifies the phone's own observers, and then those that code outside all phones has added.
  private func post(_ name: Notification.Name) {
    let centre = NotificationCenter.default
    centre.post(name: name, object: self)
    DeviceOfThread.outside {
      let process = NotificationCenter.default
      if process !== centre { process.post(name: name, object: self) }
    }
  }

  /// Forwards changes of the device's app life to the application, which is used on the main queue only.
  private final class Follower: AppLifeFollower {
    let application: UncheckedSendable<UIApplication>
    init(_ application: UIApplication) { self.application = UncheckedSendable(application) }
    func lifeChanged(isInForeground: Bool) {
      // Called on the main queue, but not necessarily on the main thread, depending on who runs the world.
      MainActor.unchecked { [application] in application.value.changed(isInForeground: isInForeground) }
    }
  }
}

/// A follower that ignores all changes.
private final class Silence: AppLifeFollower {
  func lifeChanged(isInForeground: Bool) {}
}

extension MainActor {
  /// Runs a closure as if on the main actor. On Linux, blocks of the main queue may run on a thread that
  /// waits for them, which the actor's runtime check does not accept.
  fileprivate static func unchecked(_ body: @MainActor () -> Void) {
    withoutActuallyEscaping(body) { body in
      typealias Plain = () -> Void
      unsafeBitCast(body, to: Plain.self)()
    }
  }
}

/// Declared for source compatibility; never called.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {}

/// Identifies a background task.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// The task's number.
  public let rawValue: Int
  /// Creates an identifier from a number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Not a task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// Whether the app may run in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
  /// Access is restricted, and the user cannot change that.
  case restricted = 0
  /// The user denied it.
  case denied = 1
  /// The app may run in the background.
  case available = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}
