import NearbyDeviceMachine
import Synchronization

/// Hears when the app of a device leaves the foreground, or comes back.
package protocol AppLifeFollower: AnyObject, Sendable {
  /// Called on the app's main queue.
  func lifeChanged(isInForeground: Bool)
}

/// Whether the app of a device is in front, for those who show that under Apple's names.
package final class AppLife: Sendable {
  private struct State: Sendable {
    var isInForeground = true
    var follower: (any AppLifeFollower)?
  }

  private let state = Mutex(State())
  private static let maker = Mutex<(@Sendable (AppLife) -> any AppLifeFollower)?>(nil)

  /// Has a follower made for every app whose life changes, from now on: an app may listen to what its follower posts
  /// without having asked for the follower.
  package static func follow(with make: @escaping @Sendable (AppLife) -> any AppLifeFollower) {
    maker.withLock { $0 = make }
  }

  package init() {}

  package var isInForeground: Bool { state.withLock { $0.isInForeground } }

  /// The one who follows, made at the first call; it must not keep the device alive.
  package func follower<Follower: AppLifeFollower>(_ make: () -> Follower) -> Follower {
    if let known = state.withLock({ $0.follower }) as? Follower { return known }
    let made = make()
    return state.withLock { state in
      if let known = state.follower as? Follower { return known }
      state.follower = made
      return made
    }
  }

  /// What a command says about the app; `nil` where nothing.
  package static func change(by command: DeviceMachine.Command) -> Bool? {
    if command == .enterBackground { return false }
    return command == .enterForeground || command == .relaunch ? true : nil
  }

  /// Whether that is news.
  package func set(isInForeground: Bool) -> Bool {
    state.withLock { state in
      defer { state.isInForeground = isInForeground }
      return state.isInForeground != isInForeground
    }
  }

  package func tell() {
    let (isInForeground, known) = state.withLock { ($0.isInForeground, $0.follower) }
    let follower = known ?? Self.maker.withLock { $0 }?(self)
    follower?.lifeChanged(isInForeground: isInForeground)
  }
}
