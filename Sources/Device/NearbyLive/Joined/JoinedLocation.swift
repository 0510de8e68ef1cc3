import NearbyDevice
import NearbyDeviceMachine
import NearbyWorldProtocol
import Synchronization

/// Location permission of a device in a joined world: the world asks the person and stores the answers.
final class JoinedLocation: Sendable {
  private struct State: Sendable {
    var inUse = WorldAnswer.notDetermined
    var always = WorldAnswer.notDetermined
    var open: [WorldQuestion: @Sendable (LocationAnswer) -> Void] = [:]
  }

  private let state = Mutex(State())
  private let ask: @Sendable (WorldQuestion) -> Void

  init(ask: @escaping @Sendable (WorldQuestion) -> Void) { self.ask = ask }

  /// The initial state of a device's location side in this world; regions are stored by the given setup's keeper.
  func setup(_ elsewhere: LocationSetup) -> LocationSetup {
    var setup = elsewhere
    setup.permission = LocationPermission()
    change(&setup.permission)
    setup.keeper = Keeper(location: self, elsewhere: elsewhere.keeper)
    return setup
  }

  /// Applies the person's current answers.
  func change(_ permission: inout LocationPermission) {
    let (inUse, always) = state.withLock { ($0.inUse, $0.always) }
    permission.isOnce = inUse == .allowedOnce
    permission.wasAskedForAlways = always != .notDetermined
    permission.authorization =
      switch inUse {
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .allowed: always == .allowed ? .always : .whenInUse
      case .allowedOnce: .whenInUse
      }
  }

  /// - Returns: Whether the change answers no open question, so that the device has to be notified.
  func heard(_ answer: WorldAnswer, to question: WorldQuestion) -> Bool {
    let waiting = state.withLock { state -> (@Sendable (LocationAnswer) -> Void)? in
      if question == .location { state.inUse = answer } else { state.always = answer }
      return answer == .notDetermined ? nil : state.open.removeValue(forKey: question)
    }
    guard let waiting else { return true }
    switch answer {
    case .allowed: waiting(.allow)
    case .allowedOnce: waiting(.allowOnce)
    case .denied, .notDetermined: waiting(.deny)
    }
    return false
  }

  /// Repeats the open questions after a reconnection: the world may not have received them.
  func askAgain() { for question in state.withLock({ $0.open.keys }) { ask(question) } }

  private struct Keeper: LocationKeeper {
    let location: JoinedLocation
    let elsewhere: any LocationKeeper

    func store(_ stored: StoredLocation) { elsewhere.store(stored) }
    /// The world stores it.
    func store(_ permission: LocationPermission) {}
    func notice(_ text: String) { elsewhere.notice(text) }

    func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
      let asked: WorldQuestion
      switch question {
      case .whenInUse: asked = .location
      case .always: asked = .locationAlways
      // A world has no reduced accuracy.
      case .fullAccuracy: return answer(.allow)
      }
      location.state.withLock { $0.open[asked] = answer }
      location.ask(asked)
    }
  }
}
