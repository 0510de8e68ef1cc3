import NearbyConcurrency
import NearbyDevice
import NearbyEventLoop
import NearbyPeerLink
import NearbyPeerNetwork

/// Messages of one member of a session that the app has not processed yet.
struct Unread: Sendable {
  struct Member: Hashable, Sendable {
    let session: SessionKey
    let identity: PeerIdentity
  }

  /// Pending octets above which reading pauses, so that the sender has to wait; datagrams are dropped.
  static let most = 8 << 20
  /// Pending octets below which reading resumes.
  static let few = 4 << 20

  /// Their size in memory, octets.
  var octets = 0
  /// The link whose reading is paused.
  var paused: LinkID?

  static func weight(of delivery: LiveStation.PeerDelivery) -> Int {
    if case .transfer(_, let event)? = delivery.event { return event.queueWeight }
    return weight(delivery.messages.count, octets: delivery.octets)
  }

  /// The size of messages in memory with their overhead, octets.
  static func weight(_ count: Int, octets: Int) -> Int { octets + 64 * count }
}

extension LiveStation.State {
  /// Counts messages that are about to be delivered.
  ///
  /// - Returns: The links whose reading has to pause.
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

  /// Whether reading of a link is paused.
  func isFull(_ link: LinkID) -> Bool { unread.values.contains { $0.paused == link } }
}

extension LiveStation {
  /// The app processed messages.
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

  /// Resumes reading for a session, even if its app has not processed its messages.
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
