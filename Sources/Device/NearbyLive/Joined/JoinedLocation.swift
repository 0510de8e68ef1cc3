import NearbyDevice
import NearbyDeviceMachine
import NearbyWorldProtocol
import Synchronization

/// What the person at a device of a joined world lets its app know of places: the world asks and remembers.
final class JoinedLocation: Sendable {
  private struct State: Sendable {
    var inUse = WorldAnswer.notDetermined
    var always = WorldAnswer.notDetermined
    var open: [WorldQuestion: @Sendable (LocationAnswer) -> Void] = [:]
  }

  private let state = Mutex(State())
  private let ask: @Sendable (WorldQuestion) -> Void

  init(ask: @escaping @Sendable (WorldQuestion) -> Void) { self.ask = ask }

  /// What a device's location side starts from in this world; regions are kept as elsewhere.
  func setup(_ elsewhere: LocationSetup) -> LocationSetup {
    var setup = elsewhere
    setup.permission = LocationPermission()
    change(&setup.permission)
    setup.keeper = Keeper(location: self, elsewhere: elsewhere.keeper)
    return setup
  }

  /// The person's word as it is now.
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

  /// - Returns: Whether it was about places, and no answer to a question.
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

  /// Questions that a world which was gone may not have heard.
  func askAgain() { for question in state.withLock({ $0.open.keys }) { ask(question) } }

  private struct Keeper: LocationKeeper {
    let location: JoinedLocation
    let elsewhere: any LocationKeeper

    func store(_ stored: StoredLocation) { elsewhere.store(stored) }
    /// The world has it.
    func store(_ permission: LocationPermission) {}
    func notice(_ text: String) { elsewhere.notice(text) }

    func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
      let asked: WorldQuestion
      switch question {
      case .whenInUse: asked = .location
      case .always: asked = .locationAlways
      // Nobody in a world makes it less than precise.
      case .fullAccuracy: return answer(.allow)
      }
      location.state.withLock { $0.open[asked] = answer }
      location.ask(asked)
    }
  }
}
