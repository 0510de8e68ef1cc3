import NearbyDeviceMachine
import Synchronization

/// Notified when a device's app leaves or enters the foreground.
package protocol AppLifeFollower: AnyObject, Sendable {
  /// Called on the app's main queue.
  func lifeChanged(isInForeground: Bool)
}

/// Whether a device's app is in the foreground, for modules that publish it under Apple's names.
package final class AppLife: Sendable {
  private struct State: Sendable {
    var isInForeground = true
    var follower: (any AppLifeFollower)?
  }

  private let state = Mutex(State())
  private static let maker = Mutex<(@Sendable (AppLife) -> any AppLifeFollower)?>(nil)

  /// Sets the function that creates a follower for each app whose life changes from now on. An app may listen
  /// to what its follower posts without ever requesting the follower.
  package static func registerFollower(with make: @escaping @Sendable (AppLife) -> any AppLifeFollower) {
    maker.withLock { $0 = make }
  }

  package init() {}

  package var isInForeground: Bool { state.withLock { $0.isInForeground } }

  /// Returns the follower, which the first call creates. It must not retain the device.
  package func follower<Follower: AppLifeFollower>(_ make: () -> Follower) -> Follower {
    if let known = state.withLock({ $0.follower }) as? Follower { return known }
    let made = make()
    return state.withLock { state in
      if let known = state.follower as? Follower { return known }
      state.follower = made
      return made
    }
  }

  /// Whether the app is in the foreground after a command; `nil` if the command does not affect it.
  package static func change(by command: DeviceMachine.Command) -> Bool? {
    if command == .enterBackground { return false }
    return command == .enterForeground || command == .relaunch ? true : nil
  }

  /// - Returns: Whether the value changed.
  package func set(isInForeground: Bool) -> Bool {
    state.withLock { state in
      defer { state.isInForeground = isInForeground }
      return state.isInForeground != isInForeground
    }
  }

  /// Whether `notifyFollower` has an effect. If not, callers must not wait for the main queue, which may be blocked.
  package var isFollowed: Bool { state.withLock { $0.follower != nil } || Self.maker.withLock { $0 != nil } }

  package func notifyFollower() {
    let (isInForeground, known) = state.withLock { ($0.isInForeground, $0.follower) }
    let follower = known ?? Self.maker.withLock { $0 }?(self)
    follower?.lifeChanged(isInForeground: isInForeground)
  }
}
