import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyEventLoop
import NearbyPeerLink
import NearbyPeerNetwork
import NearbyPeerRelay
import Synchronization

/// One local peer on the network: its machine, and the endpoint with its key that carries the machine's octets.
///
/// The machine is behind a lock and fed from any thread. Its actions are queued under that lock, in order, and
/// executed on the endpoint's thread, which also calls sinks, outside the lock.
///
/// `@unchecked Sendable`: `links` and `wakeAlarm` are used on the endpoint's thread only; everything else is
/// immutable or behind the lock.
final class LiveStation: @unchecked Sendable {
  /// A pending delivery to a user of the station.
  struct PeerDelivery {
    let sink: any PeerSink
    let session: SessionKey?
    let identity: PeerIdentity?
    /// `nil` for messages.
    let event: PeerEvent?
    var messages: [[UInt8]] = []
    var octets = 0
  }

  struct Advertiser {
    let user: PeerUser
    let type: ServiceType
    let sink: any PeerSink
  }

  /// A session of the app.
  struct Session {
    let sink: any PeerSink
    /// The app's own key, if it has one.
    let certificate: PeerKey?
  }

  /// The identities of a link's channel.
  struct Binding {
    /// The value that binds a proof to the channel; empty if TLS could not export it.
    let exported: [UInt8]
    /// This side's.
    let role: PeerChannel.Role
    /// The certificates of the peer's own key, in DER.
    let chain: [[UInt8]]
  }

  struct State {
    var node: PeerNode
    var sessions: [SessionKey: Session] = [:]
    var bindings: [LinkID: Binding] = [:]
    /// Whether a session runs without encryption, if its peer agrees.
    var mayBePlain = false
    var advertisers: [Advertiser] = []
    var work: [PeerNode.Action] = []
    var deliveries: [PeerDelivery] = []
    var unread: [Unread.Member: Unread] = [:]
    /// Peers whose certificate failed verification.
    var refused: [(SessionKey, PeerIdentity)] = []
    var isScheduled = false
  }

  /// The endpoint thread's state of a link.
  struct Link {
    var channel: PeerChannel?
    var attempt: PeerEndpoint.Attempt?
    /// For a dialled link.
    var expected: PeerIdentity?
    var addresses: [SocketAddress] = []
    /// Whether the channel has so much pending output that no more is added.
    var isFull = false
    var isClosing = false
  }

  let local: PeerID
  /// 0 if the station is reached through a NATS server.
  let port: UInt16
  let endpoint: PeerEndpoint
  let loop: EventLoop
  let state: Guarded<State>
  /// Returns the addresses at which discovery sees a peer.
  let findAddresses: @Sendable (PeerIdentity) -> [SocketAddress]
  private let start = ContinuousClock.now

  /// When a thread last queued work, nanoseconds of uptime.
  private let lastAsked = Atomic<UInt64>(0)
  /// The gap between two requests from which they no longer count as a burst, nanoseconds.
  private static let sparse: UInt64 = 10_000
  /// The largest number of messages that the endpoint's thread delivers itself.
  private static let few = 16

  /// `nil` on the local network.
  let relay: RelayStation?

  // Used on the endpoint's thread only:
  var links: [LinkID: Link] = [:]
  var wakeAlarm: UInt64?

  init(
    local: PeerID, key: PeerKey, road: RelayRoad? = nil,
    findAddresses: @escaping @Sendable (PeerIdentity) -> [SocketAddress]
  ) throws(NetworkError) {
    self.local = local
    self.findAddresses = findAddresses
    var node = PeerNode(
      local: local, stamp: Self.stamp(Date()),
      random: SystemRandomNumberGenerator())
    let events = Relay<LiveStation, PeerEndpoint.Event> { $0.owner?.handle($1) }
    endpoint = try PeerEndpoint(PeerEndpoint.Configuration(identity: key)) { events.received($0) }
    loop = endpoint.loop
    port = road == nil ? try endpoint.listen() : 0
    let relay = road == nil ? nil : Self.makeRelay(local.identity, endpoint)
    self.relay = relay
    node.contact = Self.contact(port: port)
    state = Guarded(State(node: node))
    events.attach(self)
    road?.perform { [weak relay] in relay?.start(on: $0) }
  }

  deinit {
    relay?.stop()
    endpoint.stop()
  }

  /// Nanoseconds since 1970; 0 if the clock is set to a time before that, or after the year 2554.
  static func stamp(_ date: Date) -> UInt64 {
    UInt64(exactly: (date.timeIntervalSince1970 * 1e9).rounded(.down)) ?? 0
  }

  var uptime: Duration { ContinuousClock.now - start }

  // MARK: Feeding, from any thread

  /// Feeds the machine and has its actions executed.
  @discardableResult
  func feed<Result, Failure: Error>(
    _ body: (inout PeerNode, Duration) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let now = uptime
    var mustRun = false
    let isSparse = isSparse(at: now)
    defer { if mustRun { scheduleRun(isSparse) } }
    return try state.withLock { state throws(Failure) in
      defer { mustRun = state.queueActions(at: now) }
      return try body(&state.node, now)
    }
  }

  /// Like `feed`, with access to all state behind the lock.
  func change<Result>(_ body: (inout State, Duration) -> Result) -> Result {
    let now = uptime
    let (result, mustRun) = state.withLock { state in
      let result = body(&state, now)
      return (result, state.queueActions(at: now))
    }
    if mustRun { scheduleRun(isSparse(at: now)) }
    return result
  }

  /// Whether no other request came just before.
  private func isSparse(at now: Duration) -> Bool {
    let parts = now.components
    // Requests from the loop's own thread say nothing about the app's pace.
    guard !loop.isCurrent else { return false }
    let now = UInt64(truncatingIfNeeded: parts.seconds &* 1_000_000_000 &+ parts.attoseconds / 1_000_000_000)
    let last = lastAsked.load(ordering: .relaxed)
    lastAsked.store(now, ordering: .relaxed)
    return now > last &+ Self.sparse
  }

  private func scheduleRun(_ isSparse: Bool) {
    if loop.isCurrent { return loop.atTurnEnd { [self] in run() } }
    // Send isolated messages immediately; batch bursts.
    if isSparse {
      loop.performNow { [self] in run() }
    } else {
      loop.perform { [self] in run() }
    }
  }

  // MARK: On the endpoint's thread

  private func run() {
    let (work, deliveries, full) = state.withLock { state in
      state.isScheduled = false
      let taken = (state.work, state.deliveries, state.countUnread())
      state.work = []
      state.deliveries = []
      return taken
    }
    for link in full { links[link]?.channel?.pauseReading() }
    for action in work { perform(action) }
    guard !deliveries.isEmpty else { return }
    // Deliver small batches inline; hand large ones to the session's queue so that this thread can keep reading.
    if deliveries.reduce(0, { $0 + $1.messages.count }) <= Self.few {
      DeliveringLoop.withLoop(loop) { for delivery in deliveries { deliver(delivery) } }
    } else {
      for delivery in deliveries { deliver(delivery) }
    }
  }

  private func deliver(_ delivery: PeerDelivery) {
    if let event = delivery.event {
      delivery.sink.received(event)
    } else if let identity = delivery.identity {
      delivery.sink.received(.received(identity, delivery.messages))
    }
  }

  private func perform(_ action: PeerNode.Action) {
    switch action {
    case .dial(let link, let identity, let contact): dial(link, identity, contact)
    case .output(let link): pump(link)
    case .close(let link): close(link)
    case .openDatagrams(let link): openDatagrams(link)
    case .sendDatagram(let link, let octets): sendDatagram(octets, on: link)
    case .wake(let time): setAlarm(time)
    case .report, .received: break
    }
  }

  private func setAlarm(_ time: Duration) {
    loop.cancel(wakeAlarm)
    wakeAlarm = loop.schedule(after: max(.zero, time - uptime)) { [weak self] in
      self?.feed { $0.timePassed(at: $1) }
    }
  }

  // MARK: Users

  func openSession(
    _ preference: EncryptionPreference, _ certificate: PeerKey?, _ sink: any PeerSink
  ) -> SessionKey {
    let key = change { state, _ in
      let key = state.node.openSession(preference, asksCertificates: true)
      state.sessions[key] = Session(sink: sink, certificate: certificate)
      if preference == .none { state.mayBePlain = true }
      for link in state.bindings.keys { state.prove(key, on: link) }
      return key
    }
    // Before any answer of this session is sent, which happens on the same thread.
    if preference == .none {
      loop.perform { [self] in for link in links.values { link.channel?.expectPlain() } }
    }
    return key
  }

  /// Leaves every session and waits briefly for the peers to receive it. Call when the process ends.
  func leave() {
    change { state, now in for key in state.sessions.keys { state.node.closeSession(key, at: now) } }
    // Blocking is fine while the process ends, but a peer that does not answer must not delay that.
    for _ in 0..<20 where state.withLock({ $0.node.census.connections > 0 }) {
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// Ends every channel at once; records in transit are still sent.
  func stop() {
    endpoint.stop()
    relay?.stop()
  }
}

extension LiveStation.State {
  /// Sorts the machine's actions into work and deliveries.
  ///
  /// - Returns: Whether a turn of the endpoint's thread has to be scheduled.
  mutating func queueActions(at now: Duration) -> Bool {
    sortActions()
    while let (session, identity) = refused.popLast() {
      node.certificateDecided(session, identity, isAccepted: false, at: now)
      sortActions()
    }
    guard !isScheduled, !work.isEmpty || !deliveries.isEmpty else { return false }
    isScheduled = true
    return true
  }

  private mutating func sortActions() {
    for action in node.takeActions() {
      switch action {
      case .received(let session, let identity, let octets): add(octets, of: identity, in: session)
      case .report(let event): add(event)
      case .dial, .output, .close, .openDatagrams, .sendDatagram, .wake: work.append(action)
      }
    }
  }

  /// Gives the links the proof of a session that has a key of the app.
  mutating func prove(_ session: SessionKey, on link: LinkID) {
    guard let certificate = sessions[session]?.certificate, let binding = bindings[link],
      !binding.exported.isEmpty
    else { return }
    // Without a proof the peer's app gets the certificate of this peer's own key, and may reject it.
    guard
      let proof = try? ChannelProof.make(of: certificate, exported: binding.exported, role: binding.role)
    else { return }
    node.setProof(proof, of: session, on: link)
  }

  private mutating func add(
    _ octets: [UInt8], of identity: PeerIdentity, in session: SessionKey
  ) {
    if let last = deliveries.indices.last, deliveries[last].session == session,
      deliveries[last].event == nil, deliveries[last].identity == identity
    {
      deliveries[last].messages.append(octets)
      deliveries[last].octets += octets.count
      return
    }
    guard let sink = sessions[session]?.sink else { return }
    deliveries.append(
      LiveStation.PeerDelivery(
        sink: sink, session: session, identity: identity, event: nil, messages: [octets],
        octets: octets.count))
  }

  private mutating func add(_ event: PeerNode.Event) {
    switch event {
    case .invited(let id, let peer, let type, let context):
      guard let advertiser = advertisers.first(where: { $0.type == type }) else { return }
      enqueue(advertiser.sink, .invited(id, peer, context: context))
    case .invitationWithdrawn(let id):
      for advertiser in advertisers { enqueue(advertiser.sink, .withdrawn(id)) }
    case .state(let session, let peer, let change): enqueue(session, .state(peer, change))
    case .askCertificate(let session, let peer, let link): ask(session, peer, link)
    case .transfer(let session, let identity, let event):
      guard let sink = sessions[session]?.sink else { return }
      deliveries.append(
        LiveStation.PeerDelivery(
          sink: sink, session: session, identity: identity, event: .transfer(identity, event)))
    // The session's states already report the result of an invitation, `send` reports back-pressure as an error,
    // and a peer that violates the protocol is disconnected.
    case .invitationEnded, .pause, .resume, .violation: break
    }
  }

  /// Presents the certificate that the peer's app proved, or else that of the peer's own key.
  private mutating func ask(_ session: SessionKey, _ peer: PeerID, _ link: LinkID) {
    let proof = node.proof(on: link)
    guard !proof.isEmpty, let binding = bindings[link] else {
      return enqueue(session, .askCertificate(peer, chain: bindings[link]?.chain ?? []))
    }
    let role: PeerChannel.Role = binding.role == .initiator ? .acceptor : .initiator
    do throws(NetworkError) {
      let chain = try ChannelProof.check(proof, exported: binding.exported, role: role)
      enqueue(session, .askCertificate(peer, chain: chain))
    } catch {
      // A key without a valid proof is rejected without asking the app.
      refused.append((session, peer.identity))
    }
  }

  private mutating func enqueue(_ session: SessionKey, _ event: PeerEvent) {
    if let sink = sessions[session]?.sink { enqueue(sink, event) }
  }

  private mutating func enqueue(_ sink: any PeerSink, _ event: PeerEvent) {
    deliveries.append(LiveStation.PeerDelivery(sink: sink, session: nil, identity: nil, event: event))
  }
}
