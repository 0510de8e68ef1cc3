import NearbyPeerNetwork

/// Parses octets as a preamble, which has eight octets. An accepted one must survive a round trip.
func fuzzChannelPreamble(_ octets: [UInt8]) {
  for count in [octets.count, min(octets.count, ChannelPreamble.count)] {
    let input = Array(octets.prefix(count))
    guard let preamble = try? ChannelPreamble(parsing: input.span) else { continue }
    precondition(input.count == ChannelPreamble.count, "a preamble of \(input.count) octets was accepted")
    var again: [UInt8] = []
    preamble.write(to: &again)
    precondition(
      (try? ChannelPreamble(parsing: again.span)) == preamble,
      "a preamble changes when it is written and read back")
  }
}

/// Parses octets as the length-prefixed strings of a TXT record. Any input must be handled, and what was read
/// must survive a round trip.
func fuzzServiceText(_ octets: [UInt8]) {
  var strings: [[UInt8]] = []
  var rest = octets[...]
  while let count = rest.popFirst() {
    strings.append(Array(rest.prefix(Int(count))))
    rest = rest.dropFirst(Int(count))
  }
  let text = ServiceText(strings: strings)
  precondition(
    text.strings.allSatisfy { (1...255).contains($0.count) }, "a string is too long for a TXT record")
  precondition(ServiceText(strings: text.strings) == text, "a text changes when it is written and read back")
  precondition(Set(text.entries.map(\.key)).count == text.entries.count, "a text has the same key twice")
}

/// Reports of browsers and resolvers in any order. A service must be found once, before it changes or is
/// lost.
func fuzzServiceTable(_ octets: [UInt8]) {
  var table = ServiceTable()
  var found: Set<String> = []
  for octet in octets {
    let service = Service(name: "service \(octet >> 2 & 3)", type: "_t._tcp")
    let place = ServiceTable.Place(interface: Int32(octet >> 4 & 3), proto: Int32(octet >> 6))
    var events: [DiscoveryEvent] = []
    switch octet & 3 {
    case 0: table.sighted(service, at: place)
    case 1, 2:
      guard let address = SocketAddress(octets: [10, 0, octet & 1, octet >> 4], port: 1) else { continue }
      let resolution = ServiceTable.Resolution(address: address, text: ServiceText(), isOwn: octet & 1 == 0)
      events = table.resolved(service, at: place, resolution)
    default: events = table.vanished(service, from: place)
    }
    for event in events { check(event, &found) }
  }
  for event in table.forget(type: "_t._tcp") { check(event, &found) }
  precondition(found.isEmpty, "a service was found and never lost")
}

private func check(_ event: DiscoveryEvent, _ found: inout Set<String>) {
  switch event {
  case .found(let service):
    precondition(found.insert(service.service.name).inserted, "a service was found twice")
    precondition(!service.addresses.isEmpty, "a service was found without an address")
  case .changed(let service):
    precondition(found.contains(service.service.name), "a service changed before it was found")
  case .lost(let service):
    precondition(found.remove(service.name) != nil, "a service was lost before it was found")
  case .serving, .registered, .registrationFailed, .browsingFailed, .unavailable:
    preconditionFailure("the table reported an event that is not its own")
  }
}
