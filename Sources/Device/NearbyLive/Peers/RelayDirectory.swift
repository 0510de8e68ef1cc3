import Dispatch
import Foundation
import NearbyDevice
import NearbyNATS
import NearbyPeerLink
import NearbyPeerNetwork
import NearbyPeerRelay
import Synchronization

/// Discovery through a NATS server: advertisers announce themselves every few seconds and when a browser asks, and count
/// as lost when their announcements stop.
final class RelayDirectory: PeerDiscovery {
  private struct Browser {
    let type: ServiceType
    let sink: any PeerSink
    var machine: DiscoveryMachine
    var wake: Duration?
  }

  private struct Advert {
    let type: ServiceType
    let peer: AdvertisedPeer
  }

  private struct State {
    /// The connection of the subscriptions.
    var bus: NATSBus?
    var browsers: [PeerUser: Browser] = [:]
    var adverts: [PeerUser: Advert] = [:]
    /// Announcements of the types that are browsed for, and questions about those that are advertised.
    var announcements: [ServiceType: NATSSubscription] = [:]
    var questions: [ServiceType: NATSSubscription] = [:]
    /// Types about which somebody asked, until they are answered.
    var asked: Set<ServiceType> = []
    /// When the next announcement or expiry is due.
    var due: Duration?
    var announced: Duration = .zero
  }

  /// Between two announcements, seconds; a random part keeps advertisers apart.
  private static let beat = 4.0..<5.0
  /// How long an announcement counts: two may be lost.
  private static let lifetime = Duration.seconds(15)
  /// Questions that come within this time get one answer, seconds.
  private static let answerTime = 0.05
  private static let waiting: (messages: Int32, octets: Int32) = (4096, 8 << 20)

  private let road: RelayRoad
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "swift-nearby.relay-directory")
  private let start = ContinuousClock.now

  init(_ road: RelayRoad) {
    self.road = road
    road.onReconnect { [weak self] in self?.reconnected($0) }
  }

  // MARK: Browsers

  func browse(_ user: PeerUser, own: PeerIdentity, type: ServiceType, sink: any PeerSink) {
    let isNew = state.withLock { state in
      guard state.browsers[user] == nil else { return false }
      state.browsers[user] = Browser(type: type, sink: sink, machine: DiscoveryMachine(own: own))
      return true
    }
    guard isNew else { return }
    road.perform { [self] bus in
      guard let bus, subscribe(bus, type) else { return sink.received(.didNotStart) }
      if !bus.isConnected { sink.received(.didNotStart) }
      try? bus.publish([], to: RelaySubject.questions(about: type))
    }
  }

  /// Forgets the subscriptions of an earlier connection.
  private func use(_ bus: NATSBus) {
    // Dropped outside the lock: a subscription's last message may wait for it.
    let old = state.withLock { state -> [NATSSubscription] in
      guard state.bus !== bus else { return [] }
      state.bus = bus
      defer { (state.announcements, state.questions) = ([:], [:]) }
      return Array(state.announcements.values) + Array(state.questions.values)
    }
    _ = old
  }

  private func subscribe(_ bus: NATSBus, _ type: ServiceType) -> Bool {
    use(bus)
    guard state.withLock({ $0.announcements[type] == nil }) else { return true }
    let made = try? bus.subscribe(RelaySubject.announcements(of: type), waiting: Self.waiting) {
      [weak self] message in self?.announced(message.octets, of: type)
    }
    guard let made else { return false }
    state.withLock { state in
      if state.browsers.values.contains(where: { $0.type == type }) { state.announcements[type] = made }
    }
    return true
  }

  func stopBrowsing(_ user: PeerUser) {
    // Dropped outside the lock.
    let unused = state.withLock { state -> NATSSubscription? in
      guard let type = state.browsers.removeValue(forKey: user)?.type else { return nil }
      guard !state.browsers.values.contains(where: { $0.type == type }) else { return nil }
      return state.announcements.removeValue(forKey: type)
    }
    _ = unused
  }

  func contact(of identity: PeerIdentity, for user: PeerUser) -> [UInt8] {
    state.withLock { $0.browsers[user]?.machine.contacts(of: identity).first } ?? []
  }

  func addresses(of identity: PeerIdentity) -> [SocketAddress] { [] }

  private func announced(_ octets: [UInt8], of type: ServiceType) {
    // From anybody: what is invalid is ignored.
    guard let announcement = try? RelayAnnouncement(parsing: octets) else { return }
    let users = state.withLock { $0.browsers.filter { $0.value.type == type }.keys.sorted() }
    let advertised = announcement.advertised
    let source = DiscoveryMachine.Source(interface: 0, instance: "\(advertised.peer.identity)")
    for user in users {
      change(user) { machine, now in
        announcement.isHere
          ? machine.seen(
            advertised, from: source, contact: PeerContact.relay, timeToLive: Self.lifetime, at: now)
          : machine.goodbye(source, at: now)
      }
    }
  }

  private func change(
    _ user: PeerUser, _ body: (inout DiscoveryMachine, Duration) -> [DiscoveryMachine.Event]
  ) {
    let now = ContinuousClock.now - start
    let (events, sink) = state.withLock { state -> ([DiscoveryMachine.Event], (any PeerSink)?) in
      guard var browser = state.browsers[user] else { return ([], nil) }
      let events = body(&browser.machine, now)
      for case .wake(let time) in events { browser.wake = time }
      state.browsers[user] = browser
      return (events, browser.sink)
    }
    for event in events {
      switch event {
      case .found(let peer), .updated(let peer): sink?.received(.found(peer))
      case .lost(let peer): sink?.received(.lost(peer))
      case .wake: beat()
      }
    }
  }

  // MARK: Advertisers

  func advertise(
    _ user: PeerUser, _ peer: AdvertisedPeer, type: ServiceType, port: UInt16, sink: any PeerSink
  ) {
    let isNew = state.withLock { state in
      guard state.adverts[user] == nil else { return false }
      state.adverts[user] = Advert(type: type, peer: peer)
      return true
    }
    guard isNew else { return }
    road.perform { [self] bus in
      guard let bus, answerQuestions(bus, type) else { return sink.received(.didNotStart) }
      if !bus.isConnected { sink.received(.didNotStart) }
      announce(user, isHere: true, on: bus)
      beat()
    }
  }

  private func answerQuestions(_ bus: NATSBus, _ type: ServiceType) -> Bool {
    use(bus)
    guard state.withLock({ $0.questions[type] == nil }) else { return true }
    let made = try? bus.subscribe(RelaySubject.questions(about: type), waiting: Self.waiting) {
      [weak self] _ in self?.asked(type)
    }
    guard let made else { return false }
    state.withLock { state in
      if state.adverts.values.contains(where: { $0.type == type }) { state.questions[type] = made }
    }
    return true
  }

  func stopAdvertising(_ user: PeerUser) {
    road.perform { [self] bus in
      if let bus { announce(user, isHere: false, on: bus) }
      let unused = state.withLock { state -> NATSSubscription? in
        guard let type = state.adverts.removeValue(forKey: user)?.type else { return nil }
        guard !state.adverts.values.contains(where: { $0.type == type }) else { return nil }
        return state.questions.removeValue(forKey: type)
      }
      _ = unused
    }
  }

  private func announce(_ user: PeerUser, isHere: Bool, on bus: NATSBus) {
    guard let advert = state.withLock({ $0.adverts[user] }) else { return }
    let octets = RelayAnnouncement(advert.peer, isHere: isHere).octets
    // The next one may arrive.
    try? bus.publish(octets, to: RelaySubject.announcements(of: advert.type))
  }

  /// Somebody asks who advertises.
  private func asked(_ type: ServiceType) {
    guard state.withLock({ $0.asked.insert(type).inserted }) else { return }
    queue.asyncAfter(deadline: .now() + Self.answerTime) { [weak self] in self?.answer(type) }
  }

  private func answer(_ type: ServiceType) {
    let users = state.withLock { state in
      state.asked.remove(type)
      return state.adverts.filter { $0.value.type == type }.keys.sorted()
    }
    road.perform { [self] bus in if let bus { for user in users { announce(user, isHere: true, on: bus) } } }
  }

  // MARK: Time

  /// Waits for the next announcement or expiry, unless it waits for an earlier one already.
  private func beat() {
    let now = ContinuousClock.now - start
    let due = state.withLock { state -> Duration? in
      let expiry = state.browsers.values.compactMap(\.wake).min()
      let announcement =
        state.adverts.isEmpty ? nil : state.announced + .seconds(.random(in: Self.beat))
      guard let next = [expiry, announcement].compactMap(\.self).min(), next < state.due ?? .seconds(1 << 40)
      else { return nil }
      state.due = next
      return next
    }
    guard let due else { return }
    let wait = max(0.01, (due - now) / .seconds(1))
    queue.asyncAfter(deadline: .now() + wait) { [weak self] in self?.timePassed(due) }
  }

  private func timePassed(_ due: Duration) {
    let now = ContinuousClock.now - start
    let (adverts, users) = state.withLock { state -> ([PeerUser], [PeerUser]) in
      guard state.due == due else { return ([], []) }
      state.due = nil
      let users = state.browsers.filter { $0.value.wake.map { $0 <= now } ?? false }.keys.sorted()
      for user in users { state.browsers[user]?.wake = nil }
      guard now >= state.announced + .seconds(Self.beat.lowerBound) else { return ([], users) }
      state.announced = now
      return (state.adverts.keys.sorted(), users)
    }
    for user in users { change(user) { $0.timePassed(at: $1) } }
    road.perform { [self] bus in
      if let bus, bus.isConnected { for user in adverts { announce(user, isHere: true, on: bus) } }
      beat()
    }
  }

  private func reconnected(_ bus: NATSBus) {
    let (adverts, browsed) = state.withLock { state in
      (state.adverts.sorted { $0.key < $1.key }, Set(state.browsers.values.map(\.type)).sorted())
    }
    for (user, advert) in adverts where answerQuestions(bus, advert.type) {
      announce(user, isHere: true, on: bus)
    }
    for type in browsed where subscribe(bus, type) {
      try? bus.publish([], to: RelaySubject.questions(about: type))
    }
  }

  func end() {
    let (users, subscriptions) = state.withLock { state in
      defer { (state.announcements, state.questions) = ([:], [:]) }
      return (state.adverts.keys.sorted(), Array(state.announcements.values) + Array(state.questions.values))
    }
    _ = subscriptions
    for user in users { stopAdvertising(user) }
    let done = DispatchSemaphore(value: 0)
    road.perform { _ in done.signal() }
    _ = done.wait(timeout: .now() + 1)
    road.end()
  }
}
