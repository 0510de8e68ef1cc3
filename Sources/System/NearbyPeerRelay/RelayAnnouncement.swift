import NearbyPeerLink

/// What an advertiser tells the subscribers of its service type.
///
/// | octets | |
/// |---|---|
/// | 0 | 1 while it advertises, 0 when it stops |
/// | then, as often as needed | one octet with the length, and a string of the TXT record that PeerLink uses in DNS-SD |
package struct RelayAnnouncement: Equatable, Sendable {
  /// Octets that an announcement may have: more than PeerLink's largest record.
  package static let maximumOctets = 2048

  package let advertised: AdvertisedPeer
  package let isHere: Bool

  package init(_ advertised: AdvertisedPeer, isHere: Bool) {
    self.advertised = advertised
    self.isHere = isHere
  }

  package var octets: [UInt8] {
    var octets: [UInt8] = [isHere ? 1 : 0]
    for entry in advertised.textEntries where entry.count <= 255 {
      octets.append(UInt8(entry.count))
      octets += entry
    }
    return octets
  }

  /// - Throws: `PeerLinkError.name` if an entry is missing or invalid, or the message is cut.
  package init(parsing octets: [UInt8]) throws(PeerLinkError) {
    guard let first = octets.first, first <= 1, octets.count <= Self.maximumOctets else {
      throw .name(.version, at: 0, .empty)
    }
    var entries: [[UInt8]] = []
    var rest = octets.dropFirst()
    while let count = rest.popFirst() {
      guard rest.count >= Int(count) else {
        throw .name(.discoveryEntry, at: octets.count, .tooLong(count: Int(count), maximum: rest.count))
      }
      entries.append(Array(rest.prefix(Int(count))))
      rest = rest.dropFirst(Int(count))
    }
    advertised = try AdvertisedPeer(textEntries: entries)
    isHere = first == 1
  }
}
