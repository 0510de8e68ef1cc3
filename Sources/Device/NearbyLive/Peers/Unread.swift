import NearbyConcurrency
import NearbyDevice
import NearbyEventLoop
import NearbyPeerLink
import NearbyPeerNetwork

/// Messages that came from a member of a session and that the app has not taken yet.
struct Unread: Sendable {
  struct Member: Hashable, Sendable {
    let session: SessionKey
    let identity: PeerIdentity
  }

  /// From here on nothing more is taken off the network, so that the sender has to wait; datagrams are lost.
  static let most = 8 << 20
  /// Below, it goes on.
  static let few = 4 << 20

  /// What they weigh in memory.
  var octets = 0
  /// The link that is not read for now.
  var paused: LinkID?

  static func weight(of delivery: LiveStation.Delivery) -> Int {
    if case .transfer(_, let event)? = delivery.event { return event.queueWeight }
    return weight(delivery.messages.count, octets: delivery.octets)
  }

  /// What messages weigh in memory, octets, with what is around each.
  static func weight(_ count: Int, octets: Int) -> Int { octets + 64 * count }
}

extension LiveStation.State {
  /// Counts what is about to be told.
  ///
  /// - Returns: Links that are to be read no more.
  mutating func countUnread() -> [LinkID] {
    var full: [LinkID] = []
    for delivery in deliveries {
      guard let session = delivery.session, let identity = delivery.identity, sessions[session] != nil else {
        continue
      }
      let member = Unread.Member(session: session, identity: identity)
      var entry = unread[member] ?? Unread()
      entry.octets += Unread.weight(of: delivery)
      if entry.octets > Unread.most, let link = node.link(of: identity, in: session), entry.paused != link {
        entry.paused = link
        node.readingPaused(link)
        full.append(link)
      }
      unread[member] = entry
    }
    return full
  }

  /// Whether a link is not read for now.
  func isFull(_ link: LinkID) -> Bool { unread.values.contains { $0.paused == link } }
}

extension LiveStation {
  /// The app took messages.
  func took(_ weight: Int, of member: Unread.Member) {
    let now = uptime
    let resumed = state.withLock { state -> LinkID? in
      guard var entry = state.unread[member] else { return nil }
      entry.octets = max(0, entry.octets - weight)
      var resumed: LinkID?
      if entry.octets <= Unread.few, let link = entry.paused {
        resumed = link
        entry.paused = nil
        state.node.readingResumed(link, at: now)
      }
      state.unread[member] = entry.octets > 0 ? entry : nil
      return resumed
    }
    if let resumed { resumeReading([resumed]) }
  }

  /// Takes what comes for a session, whether or not its app has taken what came.
  func resumeReading(of session: SessionKey) {
    let now = uptime
    let links = state.withLock { state -> [LinkID] in
      let paused = state.unread.compactMap { $0.key.session == session ? $0.value.paused : nil }
      for member in state.unread.keys where member.session == session { state.unread[member]?.paused = nil }
      for link in paused { state.node.readingResumed(link, at: now) }
      return paused
    }
    if !links.isEmpty { resumeReading(links) }
  }

  private func resumeReading(_ resumed: [LinkID]) {
    loop.perform { [self] in for link in resumed { links[link]?.channel?.resumeReading() } }
  }
}
