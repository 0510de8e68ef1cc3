import Dispatch
import Foundation
import NearbyDevice
import NearbyPeerLink
import NearbyPeerNetwork
import Synchronization

/// DNS-SD for a device: the peers on the network for all its browsers, and the records of its advertisers.
///
/// There is one DNS-SD client for the whole device, started when it is first needed. Requests run on a queue, so
/// that no app waits for a daemon.
final class PeerDirectory: PeerDiscovery {
  private struct Browser {
    let type: String
    let sink: any PeerSink
    var machine: DiscoveryMachine
    var wake: Duration?
  }

  private struct Advert {
    let sink: any PeerSink
    var registration: ServiceDiscovery.Registration?
  }

  private struct State {
    var browsers: [PeerUser: Browser] = [:]
    var adverts: [PeerUser: Advert] = [:]
    var found: [Service: FoundService] = [:]
    var discovery: ServiceDiscovery?
    var isServing = true
    var hasEnded = false
  }

  private let preference: ServiceDiscovery.Preference
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "swift-nearby.peers")
  private let start = ContinuousClock.now

  init(_ preference: ServiceDiscovery.Preference) { self.preference = preference }

  /// The largest number of services to keep.
  private static let maximumFound = 4096

  /// The DNS-SD type. Avahi rejects names of one character, which RFC 6335 allows: those are extended on the network.
  static func name(of type: ServiceType) -> String {
    type.text.utf8.count > 1 ? type.dnsServiceType : "_\(type.text)-nearby._tcp"
  }

  /// The instance's name: readable, and unique through the first digits of the identity.
  static func instance(of peer: PeerID) -> String {
    var name = ""
    // DNS-SD allows 63 octets; control characters would not be readable.
    for character in peer.displayName.text
    where !character.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      guard name.utf8.count + String(character).utf8.count <= 46 else { break }
      name.append(character)
    }
    return "\(name) \(peer.identity.description.prefix(16))"
  }

  // MARK: Browsers

  func browse(_ user: PeerUser, own: PeerIdentity, type: ServiceType, sink: any PeerSink) {
    let name = Self.name(of: type)
    state.withLock { state in
      guard state.browsers[user] == nil else { return }
      state.browsers[user] = Browser(type: name, sink: sink, machine: DiscoveryMachine(own: own))
    }
    queue.async { [self] in
      guard let discovery = serving(sink) else { return }
      let known = state.withLock { $0.found.values.filter { $0.service.type == name } }
      for service in known.sorted(by: { $0.service.name < $1.service.name }) { see(service, by: user) }
      do throws(NetworkError) { try discovery.browse(name) } catch { sink.received(.didNotStart) }
    }
  }

  func stopBrowsing(_ user: PeerUser) {
    let isLast = state.withLock { state -> String? in
      guard let browser = state.browsers.removeValue(forKey: user) else { return nil }
      guard !state.browsers.values.contains(where: { $0.type == browser.type }) else { return nil }
      state.found = state.found.filter { $0.key.type != browser.type }
      return browser.type
    }
    guard let type = isLast else { return }
    queue.async { [self] in
      let (discovery, isWanted) = state.withLock { state in
        (state.discovery, state.browsers.values.contains { $0.type == type })
      }
      if !isWanted { discovery?.stopBrowsing(type) }
    }
  }

  /// The addresses at which one browser sees a peer.
  func contact(of identity: PeerIdentity, for user: PeerUser) -> [UInt8] {
    state.withLock { $0.browsers[user]?.machine.contacts(of: identity).first } ?? []
  }

  /// The addresses at which any browser sees a peer.
  func addresses(of identity: PeerIdentity) -> [SocketAddress] {
    let contacts = state.withLock { state in
      state.browsers.values.flatMap { $0.machine.contacts(of: identity) }
    }
    return contacts.flatMap(PeerContact.addresses)
  }

  // MARK: Advertisers

  func advertise(
    _ user: PeerUser, _ peer: AdvertisedPeer, type: ServiceType, port: UInt16, sink: any PeerSink
  ) {
    let isNew = state.withLock { state in
      guard state.adverts[user] == nil else { return false }
      state.adverts[user] = Advert(sink: sink)
      return true
    }
    guard isNew else { return }
    let service = Service(name: Self.instance(of: peer.peer), type: Self.name(of: type))
    queue.async { [self] in
      guard state.withLock({ $0.adverts[user] != nil }), let discovery = serving(sink) else { return }
      do throws(NetworkError) {
        let registration = try discovery.register(
          service, text: ServiceText(strings: peer.textEntries), port: port)
        state.withLock { $0.adverts[user]?.registration = registration }
      } catch {
        sink.received(.didNotStart)
      }
    }
  }

  func stopAdvertising(_ user: PeerUser) {
    // On the queue, after a registration in progress.
    queue.async { [self] in
      let (advert, discovery) = state.withLock { ($0.adverts.removeValue(forKey: user), $0.discovery) }
      if let registration = advert?.registration { discovery?.unregister(registration) }
    }
  }

  /// Withdraws all records. Call when the process ends.
  func end() {
    let discovery = state.withLock { state in
      state.hasEnded = true
      defer { state.discovery = nil }
      return state.discovery
    }
    discovery?.stop()
  }

  // MARK: On the queue

  /// The DNS-SD client; notifies the sink if it cannot be started.
  private func serving(_ sink: any PeerSink) -> ServiceDiscovery? {
    let (existing, isServing, hasEnded) = state.withLock { ($0.discovery, $0.isServing, $0.hasEnded) }
    guard !hasEnded else { return nil }
    if !isServing { sink.received(.didNotStart) }
    if let existing { return existing }
    do throws(NetworkError) {
      let made = try ServiceDiscovery(preference) { [weak self] event in
        guard let self else { return }
        queue.async { self.handle(event) }
      }
      state.withLock { $0.discovery = made }
      return made
    } catch {
      DeviceTrouble.set("\(error)", for: .peerNetwork)
      sink.received(.didNotStart)
      return nil
    }
  }

  private func handle(_ event: DiscoveryEvent) {
    switch event {
    case .serving:
      DeviceTrouble.set(nil, for: .peerNetwork)
      state.withLock { $0.isServing = true }
    case .unavailable(let error):
      DeviceTrouble.set("\(error)", for: .peerNetwork)
      let sinks = state.withLock { state in
        state.isServing = false
        return state.browsers.values.map(\.sink) + state.adverts.values.map(\.sink)
      }
      for sink in sinks { sink.received(.didNotStart) }
    case .registered: break
    case .registrationFailed(let registration, let error):
      DeviceTrouble.set("\(error)", for: .peerNetwork)
      let sink = state.withLock { state in
        state.adverts.values.first { $0.registration == registration }?.sink
      }
      sink?.received(.didNotStart)
    case .browsingFailed(let type, let error):
      DeviceTrouble.set("\(error)", for: .peerNetwork)
      let sinks = state.withLock { $0.browsers.values.filter { $0.type == type }.map(\.sink) }
      for sink in sinks { sink.received(.didNotStart) }
    case .found(let service), .changed(let service):
      let users = state.withLock { state in
        let users = state.browsers.filter { $0.value.type == service.service.type }.keys.sorted()
        let isKnown = state.found[service.service] != nil
        guard isKnown || state.found.count < Self.maximumFound else { return [PeerUser]() }
        if !users.isEmpty { state.found[service.service] = service }
        return users
      }
      for user in users { see(service, by: user) }
    case .lost(let service):
      let users = state.withLock { state in
        state.found[service] = nil
        return state.browsers.filter { $0.value.type == service.type }.keys.sorted()
      }
      for user in users { change(user) { $0.goodbye(Self.source(of: service), at: $1) } }
    }
  }

  private static func source(of service: Service) -> DiscoveryMachine.Source {
    // The addresses of all interfaces are already merged.
    DiscoveryMachine.Source(interface: 0, instance: service.name)
  }

  private func see(_ found: FoundService, by user: PeerUser) {
    // A service of the same type from other software, or of an unknown version.
    guard let advertised = try? AdvertisedPeer(textEntries: found.text.strings) else { return }
    let contact = PeerContact.octets(of: found.addresses)
    change(user) {
      $0.seen(advertised, from: Self.source(of: found.service), contact: contact, timeToLive: nil, at: $1)
    }
  }

  private func change(
    _ user: PeerUser, _ body: (inout DiscoveryMachine, Duration) -> [DiscoveryMachine.Event]
  ) {
    let now = ContinuousClock.now - start
    let (events, sink) = state.withLock { state -> ([DiscoveryMachine.Event], (any PeerSink)?) in
      guard var browser = state.browsers[user] else { return ([], nil) }
      let events = body(&browser.machine, now)
      state.browsers[user] = browser
      return (events, browser.sink)
    }
    for event in events {
      switch event {
      case .found(let peer), .updated(let peer): sink?.received(.found(peer))
      case .lost(let peer): sink?.received(.lost(peer))
      case .wake(let time):
        let wait = max(.zero, time - now)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))) { [weak self] in
          self?.change(user) { $0.timePassed(at: $1) }
        }
      }
    }
  }
}
