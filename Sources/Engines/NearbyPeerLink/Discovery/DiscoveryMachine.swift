/// Finds out which peers of one service type exist, from the records that are seen on all interfaces.
///
/// One peer may be seen on several interfaces, at several addresses and, after a restart, under several
/// instance names; the app is notified once, by identity. The local peer is never reported. The machine has
/// no clock or socket of its own.
package struct DiscoveryMachine: Sendable {
  package enum Event: Equatable, Sendable {
    case found(AdvertisedPeer)
    /// The peer's name or info changed.
    case updated(AdvertisedPeer)
    case lost(PeerID)
    /// Call `timePassed(at:)` then; replaces any wake requested before.
    case wake(at: Duration)
  }

  /// Where a record was seen.
  package struct Source: Hashable, Comparable, Sendable {
    /// The shell's number of the interface, and of the address family if the shell distinguishes those.
    package let interface: UInt32
    package let instance: String

    package init(interface: UInt32, instance: String) {
      self.interface = interface
      self.instance = instance
    }

    package static func < (left: Self, right: Self) -> Bool {
      (left.interface, left.instance) < (right.interface, right.instance)
    }
  }

  private struct Sighting: Sendable {
    let source: Source
    var advertised: AdvertisedPeer
    /// In the shell's form.
    var contact: [UInt8]
    /// Counts up: if two sightings differ, the later one is right.
    var serial: UInt64
    var expiry: Duration?
  }

  private struct Known: Sendable {
    let identity: PeerIdentity
    var reported: AdvertisedPeer
  }

  /// How long a goodbye can still be revoked, so that a change of network is not reported (RFC 6762, section
  /// 10.1).
  package static let goodbyeTime = Duration.seconds(1)
  /// Largest number of records kept; further ones are ignored.
  package static let maximumSightings = 4096

  private let own: PeerIdentity
  private var sightings: [Sighting] = []
  /// In the order in which they were found.
  private var known: [Known] = []
  private var serial: UInt64 = 0
  private var askedWake: Duration?

  package init(own: PeerIdentity) { self.own = own }

  /// Notes that a record was resolved, for the first time or again.
  ///
  /// - Parameters:
  ///   - contact: Address and port in the shell's own form, returned by `contacts(of:)`.
  ///   - timeToLive: `nil` if the shell's resolver tracks expiry itself.
  package mutating func seen(
    _ advertised: AdvertisedPeer, from source: Source, contact: [UInt8], timeToLive: Duration?,
    at uptime: Duration
  ) -> [Event] {
    guard advertised.peer.identity != own else { return removed(source, at: uptime) }
    guard timeToLive.map({ $0 > .zero }) ?? true else { return goodbye(source, at: uptime) }
    serial += 1
    let sighting = Sighting(
      source: source, advertised: advertised, contact: contact, serial: serial,
      expiry: timeToLive.map { uptime + $0 })
    if let index = sightings.firstIndex(where: { $0.source == source }) {
      sightings[index] = sighting
    } else if sightings.count < Self.maximumSightings {
      sightings.append(sighting)
    }
    return reportDifferences(at: uptime)
  }

  /// Notes that a record's owner withdrew it; it expires after `goodbyeTime`.
  package mutating func goodbye(_ source: Source, at uptime: Duration) -> [Event] {
    guard let index = sightings.firstIndex(where: { $0.source == source }) else { return [] }
    let expiry = uptime + Self.goodbyeTime
    sightings[index].expiry = min(sightings[index].expiry ?? expiry, expiry)
    return reportDifferences(at: uptime)
  }

  /// Notes that a record no longer exists.
  package mutating func removed(_ source: Source, at uptime: Duration) -> [Event] {
    sightings.removeAll { $0.source == source }
    return reportDifferences(at: uptime)
  }

  /// Forgets everything seen on an interface that went down.
  package mutating func interfaceDown(_ interface: UInt32, at uptime: Duration) -> [Event] {
    sightings.removeAll { $0.source.interface == interface }
    return reportDifferences(at: uptime)
  }

  /// Forgets everything without reporting it, because browsing stopped, as Apple's browser does.
  package mutating func stop() {
    sightings = []
    known = []
    askedWake = nil
  }

  package mutating func timePassed(at uptime: Duration) -> [Event] { reportDifferences(at: uptime) }

  /// The known peers, in the order in which they were found.
  package var peers: [AdvertisedPeer] { known.map(\.reported) }

  /// Where a peer can be reached, without duplicates, the latest sighting first.
  package func contacts(of identity: PeerIdentity) -> [[UInt8]] {
    var contacts: [[UInt8]] = []
    let own = sightings.filter { $0.advertised.peer.identity == identity }
    for sighting in own.sorted(by: { $0.serial > $1.serial }) where !contacts.contains(sighting.contact) {
      contacts.append(sighting.contact)
    }
    return contacts
  }

  /// Compares the sightings with what was reported, and returns the differences.
  private mutating func reportDifferences(at uptime: Duration) -> [Event] {
    sightings.removeAll { $0.expiry.map { $0 <= uptime } ?? false }
    var events: [Event] = []
    var latest: [PeerIdentity: Sighting] = [:]
    for sighting in sightings {
      let identity = sighting.advertised.peer.identity
      if latest[identity].map({ $0.serial < sighting.serial }) ?? true { latest[identity] = sighting }
    }
    known.removeAll { peer in
      guard latest[peer.identity] == nil else { return false }
      events.append(.lost(peer.reported.peer))
      return true
    }
    for index in known.indices {
      guard let now = latest.removeValue(forKey: known[index].identity)?.advertised else { continue }
      guard now != known[index].reported else { continue }
      known[index].reported = now
      events.append(.updated(now))
    }
    for sighting in latest.values.sorted(by: { $0.serial < $1.serial }) {
      let advertised = sighting.advertised
      known.append(Known(identity: advertised.peer.identity, reported: advertised))
      events.append(.found(advertised))
    }
    return events + wake()
  }

  private mutating func wake() -> [Event] {
    let next = sightings.compactMap(\.expiry).min()
    guard next != askedWake else { return [] }
    askedWake = next
    return next.map { [.wake(at: $0)] } ?? []
  }
}
