import NearbyPeerLink

/// Helpers for tests of a world.
extension PeerWorld {
  static let type: ServiceType = {
    guard let type = try? ServiceType("test") else { preconditionFailure("a service type") }
    return type
  }()

  @discardableResult
  mutating func invite(
    _ to: Int, from: Int, timeout: Duration = .zero, context: [UInt8]? = nil
  ) -> InvitationID? {
    let peer = apps[to].node.local
    let id = try? apps[from].node.invite(
      peer, contact: [UInt8(to)], to: apps[from].sessions[0], serviceType: Self.type, context: context,
      timeout: timeout, at: time)
    perform(from)
    return id
  }

  mutating func send(_ count: Int, from: Int, to: Int) {
    for _ in 0..<count { apps[from].send(to: Self.identity(to)) }
    perform(from)
  }

  mutating func disconnect(_ index: Int) {
    apps[index].node.disconnect(apps[index].sessions[0], at: time)
    perform(index)
  }

  func state(_ of: Int, at: Int) -> PeerState {
    apps[at].node.state(apps[at].sessions[0], Self.identity(of))
  }

  func history(_ of: Int, at: Int) -> [PeerState] { apps[at].states[Self.identity(of)] ?? [] }

  /// The histories of a world of two, for failure messages.
  var histories: String { "\(history(1, at: 0)) \(history(0, at: 1)) \(apps.map(\.ends))" }

  /// Pairs of which only one side lists the other, or whose messages have not all arrived.
  func disagreements() -> [String] {
    var found: [String] = []
    for a in apps.indices {
      for b in apps.indices where b != a {
        let (here, there) = (state(b, at: a), state(a, at: b))
        if here != there || here == .connecting {
          found.append("\(a) has \(b) \(here), \(b) has \(a) \(there)")
        }
        guard here == .connected, there == .connected else { continue }
        let sent = apps[a].periods[Self.identity(b)]?.sent
        let received = apps[b].periods[Self.identity(a)]?.received
        if sent != received { found.append("\(a) sent \(b) \(sent ?? 0), \(received ?? 0) came") }
      }
      let census = apps[a].node.census
      let live = apps.indices.count { $0 != a && state($0, at: a) == .connected }
      if census.links != live || census.connections != live || census.invitations != 0 || census.octets != 0 {
        found.append("\(a) keeps \(census) for \(live) peers")
      }
    }
    return found
  }
}
