import Synchronization

/// Who uses the peer network of a live device.
final class LivePeerUsers: Sendable {
  private struct State: Sendable {
    var made = 0
    var sinks: [PeerUser: any PeerSink] = [:]
  }

  private let state = Mutex(State())

  func insert(_ sink: any PeerSink) -> PeerUser {
    state.withLock { state in
      state.made += 1
      let user = PeerUser(number: state.made)
      state.sinks[user] = sink
      return user
    }
  }

  func remove(_ user: PeerUser) { state.withLock { $0.sinks[user] = nil } }

  func sink(of user: PeerUser) -> (any PeerSink)? { state.withLock { $0.sinks[user] } }
}
