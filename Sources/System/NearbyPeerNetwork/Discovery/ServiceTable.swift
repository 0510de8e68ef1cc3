/// Combines what is found on each interface and protocol into one view of each service.
///
/// It is a machine: sightings and resolutions go in, events come out, in the same order.
package struct ServiceTable: Sendable {
  /// Where a service was seen: interface and protocol, in the library's numbers.
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
    /// The text resolved last, at any place.
    var text: ServiceText?
    var reported: FoundService?
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

  /// Notes that a service was seen at a place.
  package mutating func sighted(_ service: Service, at place: Place) {
    if entries[service, default: Entry()].places[place] == nil {
      entries[service, default: Entry()].places[place] = .some(nil)
    }
  }

  /// Whether a service is currently seen at a place.
  package func isSighted(_ service: Service, at place: Place) -> Bool {
    entries[service]?.places[place] != nil
  }

  /// Notes a service's address and text at a place.
  package mutating func resolved(_ service: Service, at place: Place, _ resolution: Resolution)
    -> [DiscoveryEvent]
  {
    guard isSighted(service, at: place) else { return [] }
    entries[service]?.places[place] = .some(resolution)
    entries[service]?.text = resolution.text
    return reportDifference(service)
  }

  /// Notes that a service has vanished from a place.
  package mutating func vanished(_ service: Service, from place: Place) -> [DiscoveryEvent] {
    entries[service]?.places[place] = nil
    return reportDifference(service)
  }

  /// Forgets all services of a type, because its search has ended.
  ///
  /// - Returns: `.lost` for each service that was reported, which the caller may drop.
  package mutating func forget(type: String) -> [DiscoveryEvent] {
    let gone = entries.keys.filter { $0.type == type }.sorted { $0.name < $1.name }
    return gone.compactMap { service in
      entries.removeValue(forKey: service)?.reported.map { _ in .lost(service) }
    }
  }

  private mutating func reportDifference(_ service: Service) -> [DiscoveryEvent] {
    guard let entry = entries[service] else { return [] }
    let places = entry.places.sorted { $0.key < $1.key }
    let resolutions = places.compactMap(\.value)
    guard let last = resolutions.last else {
      // A service that is seen somewhere, but has no address any more, counts as lost if it was reported.
      entries[service]?.reported = nil
      if entry.places.isEmpty { entries[service] = nil }
      return entry.reported == nil ? [] : [.lost(service)]
    }
    var addresses: [SocketAddress] = []
    for resolution in resolutions where !addresses.contains(resolution.address) {
      addresses.append(resolution.address)
    }
    // The texts of different places differ only for moments, while the text changes.
    let text = entry.text ?? last.text
    let found = FoundService(
      service: service, text: text, addresses: addresses.sorted(by: SocketAddress.preferred),
      isOwn: resolutions.contains(where: \.isOwn))
    guard found != entry.reported else { return [] }
    entries[service]?.reported = found
    return [entry.reported == nil ? .found(found) : .changed(found)]
  }
}
