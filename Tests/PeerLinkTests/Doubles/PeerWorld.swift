import NearbyPeerLink
import TestSupport

/// Nodes on a simulated network in virtual time. Links are slow, and break with or without notice.
///
/// Its apps check the rules of sessions while it runs. Violations are collected in `complaints`.
struct PeerWorld {
  /// An event that is scheduled for later.
  enum Happening {
    case dialled(from: Int, LinkID, to: Int)
    case secured(node: Int, LinkID, PeerIdentity)
    case octets(pipe: Int, toAcceptor: Bool, [UInt8])
    case closed(node: Int, LinkID)
    case wake(node: Int, Duration)
    case answer(node: Int, InvitationID, SessionKey?)
  }

  struct Scheduled {
    let time: Duration
    let number: Int
    let happening: Happening
  }

  struct End {
    let node: Int
    let link: LinkID
    /// The node's life to which this end belongs. After a restart it belongs to no node.
    let life: Int
  }

  struct Pipe {
    let dialler: End
    let acceptor: End
    /// The pipe drops octets, and neither side is notified.
    var isDead = false
    var lastArrival: [Duration] = [.zero, .zero]
  }

  var time = Duration.zero
  var random: SeededGenerator
  var apps: [PeerApp] = []
  var pipes: [Pipe] = []
  /// Pairs that can't reach each other, the lower index first.
  var partitions: Set<[Int]> = []
  /// Whether octets are delivered in pieces.
  var isCutting = true
  var longestDelay = 20
  /// Milliseconds for each direction of each link in turn, instead of random delays.
  var delays: [Int] = []
  /// Nodes that don't read from their links, and the events that wait for them.
  private var slow: Set<Int> = []
  private var unread: [(node: Int, happening: Happening)] = []
  private var queue: [Scheduled] = []
  private var scheduled = 0
  private var lives = 0

  init(_ count: Int, seed: UInt64, limits: PeerLimits = PeerLimits()) {
    random = SeededGenerator(seed: seed)
    for index in 0..<count { apps.append(makeApp(index, limits)) }
  }

  var complaints: [String] { apps.flatMap(\.complaints) }

  static func identity(_ index: Int) -> PeerIdentity {
    // Identities are not in the order of the nodes, so that the leader does not depend on who was first.
    var octets = [UInt8](repeating: UInt8(index), count: 32)
    octets[0] = UInt8(truncatingIfNeeded: 37 &* (index + 5))
    guard let identity = try? PeerIdentity(octets: octets) else { preconditionFailure("32 octets") }
    return identity
  }

  private mutating func makeApp(_ index: Int, _ limits: PeerLimits) -> PeerApp {
    lives += 1
    guard let name = try? DisplayName("same") else { preconditionFailure("a name") }
    var node = PeerNode(
      local: PeerID(identity: Self.identity(index), displayName: name), stamp: UInt64(lives) << 32,
      random: SeededGenerator(seed: UInt64(random.next())), limits: limits)
    node.contact = [UInt8(index)]
    if let type = try? ServiceType("test") { node.advertise(type) }
    return PeerApp(node: node, index: index, life: lives)
  }

  /// Ends the process and restarts it: it has the same identity, and nothing else of its state.
  mutating func restart(_ index: Int) {
    let old = apps[index]
    for pipe in pipes.indices where !pipes[pipe].isDead {
      let isDialler = isOf(pipes[pipe].dialler, old)
      guard isDialler || isOf(pipes[pipe].acceptor, old) else { continue }
      let other = isDialler ? pipes[pipe].acceptor : pipes[pipe].dialler
      pipes[pipe].isDead = true
      if Bool.random(using: &random) { schedule(delay(), .closed(node: other.node, other.link)) }
    }
    apps[index] = makeApp(index, old.node.limits)
    apps[index].complaints = old.complaints
    apps[index].answers = old.answers
    apps[index].isSending = old.isSending
  }

  private func isOf(_ end: End, _ app: PeerApp) -> Bool { end.node == app.index && end.life == app.life }

  private mutating func delay() -> Duration {
    .milliseconds(Int.random(in: 0...longestDelay, using: &random)) + .microseconds(100)
  }

  mutating func schedule(_ wait: Duration, _ happening: Happening) {
    scheduled += 1
    let entry = Scheduled(time: time + wait, number: scheduled, happening: happening)
    var (low, high) = (0, queue.count)
    while low < high {
      let middle = (low + high) / 2
      let other = queue[middle]
      // The next event is at the end of the queue.
      if (other.time, other.number) > (entry.time, entry.number) { low = middle + 1 } else { high = middle }
    }
    queue.insert(entry, at: low)
  }

  func isCut(_ a: Int, _ b: Int) -> Bool { partitions.contains([min(a, b), max(a, b)]) }

  // MARK: The network

  /// Breaks every link of a pair, with or without notifying its two sides.
  mutating func cut(_ a: Int, _ b: Int, isTold: Bool) {
    for index in pipes.indices where !pipes[index].isDead {
      let ends = [pipes[index].dialler, pipes[index].acceptor]
      guard Set(ends.map(\.node)) == [a, b] else { continue }
      pipes[index].isDead = true
      for end in ends where isTold || Bool.random(using: &random) {
        schedule(delay(), .closed(node: end.node, end.link))
      }
    }
  }

  /// One side, chosen at random, loses its links with the other. Octets in flight to the other still arrive.
  mutating func forget(_ a: Int, _ b: Int) {
    let side = Bool.random(using: &random)
    for pipe in pipes where !pipe.isDead && Set([pipe.dialler.node, pipe.acceptor.node]) == [a, b] {
      let end = side ? pipe.dialler : pipe.acceptor
      schedule(.zero, .closed(node: end.node, end.link))
    }
  }

  mutating func run(_ duration: Duration) {
    let end = time + duration
    for index in apps.indices { perform(index) }
    while let next = queue.last, next.time <= end {
      queue.removeLast()
      time = next.time
      handle(next.happening)
    }
    time = end
  }

  /// Runs the given number of events.
  mutating func run(happenings count: Int) {
    for index in apps.indices { perform(index) }
    for _ in 0..<count {
      guard let next = queue.popLast() else { return }
      time = next.time
      handle(next.happening)
    }
  }

  private mutating func handle(_ happening: Happening) {
    switch happening {
    case .dialled(let from, let link, let to): connect(from, link, to)
    case .secured(let node, let link, let remote):
      apps[node].node.linkSecured(link, remote: remote, at: time)
      perform(node)
    case .octets(let pipe, let toAcceptor, let octets):
      let target = toAcceptor ? pipes[pipe].acceptor : pipes[pipe].dialler
      guard !pipes[pipe].isDead, isOf(target, apps[target.node]) else { return }
      guard !slow.contains(target.node) else { return unread.append((target.node, happening)) }
      apps[target.node].node.received(octets.span, on: target.link, at: time)
      perform(target.node)
    case .closed(let node, let link):
      apps[node].node.linkClosed(link, at: time)
      perform(node)
    case .wake(let node, let asked):
      guard apps[node].wake == asked else { return }
      apps[node].wake = nil
      apps[node].node.timePassed(at: time)
      perform(node)
    case .answer(let node, let id, let session):
      apps[node].node.answerInvitation(id, accept: session, at: time)
      perform(node)
    }
  }

  /// Makes a node stop reading from its link with a peer.
  mutating func stopReading(_ index: Int, from peer: Int) {
    slow.insert(index)
    let link = apps[index].node.link(of: Self.identity(peer), in: apps[index].sessions[0])
    if let link { apps[index].node.readingPaused(link) }
    perform(index)
  }

  /// Makes it resume, and delivers what waits.
  mutating func goOnReading(_ index: Int, from peer: Int) {
    slow.remove(index)
    let link = apps[index].node.link(of: Self.identity(peer), in: apps[index].sessions[0])
    if let link { apps[index].node.readingResumed(link, at: time) }
    let waiting = unread.filter { $0.node == index }
    unread.removeAll { $0.node == index }
    for entry in waiting { handle(entry.happening) }
  }

  private mutating func connect(_ from: Int, _ link: LinkID, _ to: Int) {
    guard !isCut(from, to), to < apps.count else {
      return schedule(.seconds(1), .closed(node: from, link))
    }
    let accepted = apps[to].node.linkAccepted(at: time)
    pipes.append(
      Pipe(
        dialler: End(node: from, link: link, life: apps[from].life),
        acceptor: End(node: to, link: accepted, life: apps[to].life)))
    // A handshake completes on both sides before either one's octets arrive.
    let wait = delay()
    schedule(wait, .secured(node: to, accepted, Self.identity(from)))
    schedule(wait + .microseconds(50), .secured(node: from, link, Self.identity(to)))
    perform(to)
  }

  /// Executes a node's actions and passes them to its app.
  mutating func perform(_ index: Int) {
    while true {
      let actions = apps[index].node.takeActions()
      guard !actions.isEmpty else { return }
      for action in actions {
        switch action {
        case .dial(let link, _, let contact):
          schedule(delay(), .dialled(from: index, link, to: Int(contact.first ?? 255)))
        case .output(let link): drain(index, link)
        case .close(let link): close(index, link)
        case .wake(let at):
          apps[index].wake = at
          schedule(max(at - time, .zero), .wake(node: index, at))
        case .report(.invited(let id, let peer, _, _)):
          apps[index].invited.append(peer)
          answer(index, id)
        case .openDatagrams, .sendDatagram, .report, .received:
          apps[index].heard(action)
        }
      }
    }
  }

  private mutating func answer(_ index: Int, _ id: InvitationID) {
    let session = apps[index].sessions.first
    switch apps[index].answers {
    case .yes: schedule(.milliseconds(Int64(apps[index].thinks)), .answer(node: index, id, session))
    case .no: schedule(.milliseconds(1), .answer(node: index, id, nil))
    case .never: break
    case .anything:
      let wait = Duration.milliseconds(Int.random(in: 0...3000, using: &random))
      let choice = Int.random(in: 0..<10, using: &random)
      if choice < 8 { schedule(wait, .answer(node: index, id, session)) }
      if choice == 8 { schedule(wait, .answer(node: index, id, nil)) }
    }
  }

  private mutating func drain(_ index: Int, _ link: LinkID) {
    var octets: [UInt8] = []
    while let output = apps[index].node.takeOutput(link) {
      octets += output.octets
      if output.endsEncryption { apps[index].plainLinks += 1 }
    }
    guard !octets.isEmpty, let (pipe, toAcceptor) = place(index, link), !pipes[pipe].isDead else { return }
    // A partition delays octets, as TCP does, until it heals or one side times out.
    guard !isCut(pipes[pipe].dialler.node, pipes[pipe].acceptor.node) else {
      pipes[pipe].isDead = true
      return
    }
    while !octets.isEmpty {
      let count = isCutting ? min(octets.count, Int.random(in: 1...200, using: &random)) : octets.count
      deliver(pipe, toAcceptor, .octets(pipe: pipe, toAcceptor: toAcceptor, Array(octets.prefix(count))))
      octets.removeFirst(count)
    }
  }

  private mutating func deliver(_ pipe: Int, _ toAcceptor: Bool, _ happening: Happening) {
    let side = toAcceptor ? 1 : 0
    let wait = delays.isEmpty ? delay() : .milliseconds(delays[(pipe * 2 + side) % delays.count])
    let arrival = max(time + wait, pipes[pipe].lastArrival[side])
    pipes[pipe].lastArrival[side] = arrival
    schedule(arrival - time, happening)
  }

  private mutating func close(_ index: Int, _ link: LinkID) {
    drain(index, link)
    schedule(.milliseconds(1), .closed(node: index, link))
    guard let (pipe, toAcceptor) = place(index, link), !pipes[pipe].isDead else { return }
    let other = toAcceptor ? pipes[pipe].acceptor : pipes[pipe].dialler
    deliver(pipe, toAcceptor, .closed(node: other.node, other.link))
  }

  private func place(_ index: Int, _ link: LinkID) -> (pipe: Int, toAcceptor: Bool)? {
    for pipe in pipes.indices.reversed() {
      if isOf(pipes[pipe].dialler, apps[index]), pipes[pipe].dialler.link == link { return (pipe, true) }
      if isOf(pipes[pipe].acceptor, apps[index]), pipes[pipe].acceptor.link == link { return (pipe, false) }
    }
    return nil
  }
}
