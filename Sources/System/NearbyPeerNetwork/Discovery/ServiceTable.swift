/// Joins what is heard of services on each interface and protocol to one view of each service.
///
/// A machine: sightings and resolutions in, events out; what came first is told first.
package struct ServiceTable: Sendable {
  /// Where a service was heard: interface and protocol as the library counts them.
  package struct Place: Hashable, Comparable, Sendable {
    package var interface: Int32
    package var proto: Int32
    package init(interface: Int32, proto: Int32) {
      self.interface = interface
      self.proto = proto
    }

    package static func < (left: Place, right: Place) -> Bool {
      (left.interface, left.proto) < (right.interface, right.proto)
    }
  }

  private struct Entry {
    var places: [Place: Resolution?] = [:]
    /// What came last, wherever.
    var text: ServiceText?
    var told: FoundService?
  }

  package struct Resolution: Hashable, Sendable {
    package var address: SocketAddress
    package var text: ServiceText
    package var isOwn: Bool

    package init(address: SocketAddress, text: ServiceText, isOwn: Bool) {
      self.address = address
      self.text = text
      self.isOwn = isOwn
    }
  }

  private var entries: [Service: Entry] = [:]

  package init() {}

  /// A service was heard of at a place.
  package mutating func sighted(_ service: Service, at place: Place) {
    if entries[service, default: Entry()].places[place] == nil {
      entries[service, default: Entry()].places[place] = .some(nil)
    }
  }

  /// Whether a service is heard of at a place.
  package func isSighted(_ service: Service, at place: Place) -> Bool {
    entries[service]?.places[place] != nil
  }

  /// Where a service is, or what it says, became known at a place.
  package mutating func resolved(_ service: Service, at place: Place, _ resolution: Resolution)
    -> [DiscoveryEvent]
  {
    guard isSighted(service, at: place) else { return [] }
    entries[service]?.places[place] = .some(resolution)
    entries[service]?.text = resolution.text
    return tell(service)
  }

  /// A service is gone from a place.
  package mutating func vanished(_ service: Service, from place: Place) -> [DiscoveryEvent] {
    entries[service]?.places[place] = nil
    return tell(service)
  }

  /// A search ended: everything of the type is forgotten, without a word unless asked for.
  package mutating func forget(type: String) -> [DiscoveryEvent] {
    let gone = entries.keys.filter { $0.type == type }.sorted { $0.name < $1.name }
    return gone.compactMap { service in
      entries.removeValue(forKey: service)?.told.map { _ in .lost(service) }
    }
  }

  private mutating func tell(_ service: Service) -> [DiscoveryEvent] {
    guard let entry = entries[service] else { return [] }
    let places = entry.places.sorted { $0.key < $1.key }
    let resolutions = places.compactMap(\.value)
    guard let last = resolutions.last else {
      // Still heard of somewhere without an address yet: as good as gone, if it was there before.
      entries[service]?.told = nil
      if entry.places.isEmpty { entries[service] = nil }
      return entry.told == nil ? [] : [.lost(service)]
    }
    var addresses: [SocketAddress] = []
    for resolution in resolutions where !addresses.contains(resolution.address) {
      addresses.append(resolution.address)
    }
    // The text of places differs for moments only, while it changes.
    let text = entry.text ?? last.text
    let found = FoundService(
      service: service, text: text, addresses: addresses.sorted(by: SocketAddress.preferred),
      isOwn: resolutions.contains(where: \.isOwn))
    guard found != entry.told else { return [] }
    entries[service]?.told = found
    return [entry.told == nil ? .found(found) : .changed(found)]
  }
}
