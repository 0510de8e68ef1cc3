import Foundation
import NearbyConcurrency
import NearbyDevice
import NearbyEventLoop
import NearbyPeerLink
import NearbyPeerNetwork
import Synchronization

/// One local peer on the network: its machine, and the endpoint with its key that carries what the machine says.
///
/// The machine is behind a lock and fed from any thread. What it wants done is noted under that lock, in order, and
/// done on the endpoint's thread; sinks are called there too, outside the lock.
///
/// `@unchecked Sendable`: `links` and `wakeAlarm` are touched on the endpoint's thread only, the rest is immutable or
/// behind the lock.
final class LiveStation: @unchecked Sendable {
  /// What users of the station hear, noted until it is told.
  struct Delivery {
    let sink: any PeerSink
    let session: SessionKey?
    let identity: PeerIdentity?
    /// `nil` where it is messages.
    let event: PeerEvent?
    var messages: [[UInt8]] = []
    var octets = 0
  }

  struct Advertiser {
    let user: PeerUser
    let type: ServiceType
    let sink: any PeerSink
  }

  /// A session of the app's.
  struct Session {
    let sink: any PeerSink
    /// The app's own key, where it gave one.
    let certificate: PeerKey?
  }

  /// What a link's channel knows of its two ends.
  struct Binding {
    /// What ties a proof to the channel; none where it could not be had.
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
    /// Whether a session does without encryption, if its peer does too.
    var mayBePlain = false
    var advertisers: [Advertiser] = []
    var work: [PeerNode.Action] = []
    var deliveries: [Delivery] = []
    var unread: [Unread.Member: Unread] = [:]
    /// Whose proof is none.
    var refused: [(SessionKey, PeerIdentity)] = []
    var isScheduled = false
  }

  /// A link as the endpoint's thread has it.
  struct Link {
    var channel: PeerChannel?
    var attempt: PeerEndpoint.Attempt?
    /// Of a link that is dialled.
    var expected: PeerIdentity?
    var addresses: [SocketAddress] = []
    /// So much waits in the channel that no more is put there.
    var isFull = false
    var isClosing = false
  }

  let local: PeerID
  let port: UInt16
  let endpoint: PeerEndpoint
  let loop: EventLoop
  let state: Guarded<State>
  /// Where discovery sees a peer.
  let findAddresses: @Sendable (PeerIdentity) -> [SocketAddress]
  private let start = ContinuousClock.now

  /// When a thread last had something done, nanoseconds of uptime.
  private let lastAsked = Atomic<UInt64>(0)
  /// From here on two requests have nothing to do with each other, nanoseconds.
  private static let sparse: UInt64 = 10_000
  /// Messages that are told of by the endpoint's own thread.
  private static let few = 16

  // On the endpoint's thread only:
  var links: [LinkID: Link] = [:]
  var wakeAlarm: UInt64?

  init(
    local: PeerID, key: PeerKey,
    findAddresses: @escaping @Sendable (PeerIdentity) -> [SocketAddress]
  ) throws(NetworkError) {
    self.local = local
    self.findAddresses = findAddresses
    var node = PeerNode(
      local: local, stamp: Self.stamp(Date()),
      random: SystemRandomNumberGenerator())
    let relay = Relay<LiveStation, PeerEndpoint.Event> { $0.owner?.take($1) }
    endpoint = try PeerEndpoint(PeerEndpoint.Configuration(identity: key)) { relay.received($0) }
    loop = endpoint.loop
    port = try endpoint.listen()
    node.contact = PeerContact.own(port: port)
    state = Guarded(State(node: node))
    relay.attach(self)
  }

  deinit { endpoint.stop() }

  /// Nanoseconds since 1970. A clock that was set to a time before that, or after the year 2554, gives 0.
  static func stamp(_ date: Date) -> UInt64 {
    UInt64(exactly: (date.timeIntervalSince1970 * 1e9).rounded(.down)) ?? 0
  }

  var uptime: Duration { ContinuousClock.now - start }

  // MARK: Feeding, from any thread

  /// Lets the machine do something, and has done what it wants.
  @discardableResult
  func feed<Result, Failure: Error>(
    _ body: (inout PeerNode, Duration) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let now = uptime
    var mustRun = false
    let isSparse = isSparse(at: now)
    defer { if mustRun { scheduleRun(isSparse) } }
    return try state.withLock { state throws(Failure) in
      defer { mustRun = state.settle(at: now) }
      return try body(&state.node, now)
    }
  }

  /// As `feed`, with everything that is behind the lock.
  func change<Result>(_ body: (inout State, Duration) -> Result) -> Result {
    let now = uptime
    let (result, mustRun) = state.withLock { state in
      let result = body(&state, now)
      return (result, state.settle(at: now))
    }
    if mustRun { scheduleRun(isSparse(at: now)) }
    return result
  }

  /// Whether nothing was asked for just before.
  private func isSparse(at now: Duration) -> Bool {
    let parts = now.components
    // What the loop's own thread feeds while it serves says nothing of the app.
    guard !loop.isCurrent else { return false }
    let now = UInt64(truncatingIfNeeded: parts.seconds &* 1_000_000_000 &+ parts.attoseconds / 1_000_000_000)
    let last = lastAsked.load(ordering: .relaxed)
    lastAsked.store(now, ordering: .relaxed)
    return now > last &+ Self.sparse
  }

  private func scheduleRun(_ isSparse: Bool) {
    if loop.isCurrent { return loop.atTurnEnd { [self] in run() } }
    // What is sent now and then goes at once; what comes one upon the other is gathered.
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
    // Few go to the app on this thread, for they are soon done with; many on another while this one goes on.
    if deliveries.reduce(0, { $0 + $1.messages.count }) <= Self.few {
      DeliveringLoop.withLoop(loop) { for delivery in deliveries { tell(delivery) } }
    } else {
      for delivery in deliveries { tell(delivery) }
    }
  }

  private func tell(_ delivery: Delivery) {
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
    case .openDatagrams(let link): tellDatagrams(link)
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
    // Before an answer of this session can go anywhere: that waits for the same thread.
    if preference == .none {
      loop.perform { [self] in for link in links.values { link.channel?.expectPlain() } }
    }
    return key
  }

  /// Leaves every session, and waits a moment until the peers know; for the end of the process.
  func leave() {
    change { state, now in for key in state.sessions.keys { state.node.closeSession(key, at: now) } }
    // Whoever ends the process has nothing else to do; a peer that does not answer is not waited for.
    for _ in 0..<20 where state.withLock({ $0.node.census.connections > 0 }) {
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// Ends every channel at once; records that are on their way get out.
  func stop() { endpoint.stop() }
}

extension LiveStation.State {
  /// Sorts what the machine wants done into work and deliveries.
  ///
  /// - Returns: Whether somebody must be asked to do it.
  mutating func settle(at now: Duration) -> Bool {
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

  /// Gives the links what they need of a session that has a key of the app's.
  mutating func prove(_ session: SessionKey, on link: LinkID) {
    guard let certificate = sessions[session]?.certificate, let binding = bindings[link],
      !binding.exported.isEmpty
    else { return }
    // Without a proof the peer's app is shown the peer's own key, and may refuse that.
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
      LiveStation.Delivery(
        sink: sink, session: session, identity: identity, event: nil, messages: [octets],
        octets: octets.count))
  }

  private mutating func add(_ event: PeerNode.Event) {
    switch event {
    case .invited(let id, let peer, let type, let context):
      guard let advertiser = advertisers.first(where: { $0.type == type }) else { return }
      tell(advertiser.sink, .invited(id, peer, context: context))
    case .invitationWithdrawn(let id): for advertiser in advertisers { tell(advertiser.sink, .withdrawn(id)) }
    case .state(let session, let peer, let change): tell(session, .state(peer, change))
    case .askCertificate(let session, let peer, let link): ask(session, peer, link)
    case .transfer(let session, let identity, let event):
      guard let sink = sessions[session]?.sink else { return }
      deliveries.append(
        LiveStation.Delivery(
          sink: sink, session: session, identity: identity, event: .transfer(identity, event)))
    // A session says by its states what became of an invitation; back-pressure ends in an error of `send`; a
    // peer that breaks the protocol loses its place.
    case .invitationEnded, .pause, .resume, .violation: break
    }
  }

  /// Shows what the peer's app proved, else the certificate of the peer's own key.
  private mutating func ask(_ session: SessionKey, _ peer: PeerID, _ link: LinkID) {
    let proof = node.proof(on: link)
    guard !proof.isEmpty, let binding = bindings[link] else {
      return tell(session, .askCertificate(peer, chain: bindings[link]?.chain ?? []))
    }
    let role: PeerChannel.Role = binding.role == .initiator ? .acceptor : .initiator
    do throws(NetworkError) {
      let chain = try ChannelProof.check(proof, exported: binding.exported, role: role)
      tell(session, .askCertificate(peer, chain: chain))
    } catch {
      // A key that is not there is refused without a question.
      refused.append((session, peer.identity))
    }
  }

  private mutating func tell(_ session: SessionKey, _ event: PeerEvent) {
    if let sink = sessions[session]?.sink { tell(sink, event) }
  }

  private mutating func tell(_ sink: any PeerSink, _ event: PeerEvent) {
    deliveries.append(LiveStation.Delivery(sink: sink, session: nil, identity: nil, event: event))
  }
}
