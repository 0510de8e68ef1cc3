/// What an advertiser publishes for the app: keys and values, as in a DNS-SD TXT record.
package struct DiscoveryInfo: Equatable, Sendable {
  /// Largest size of one `key=value` in octets.
  package static let maximumEntryOctets = 255
  /// Largest size of all entries with their length octets. Apple recommends 400 octets; RFC 6763, section
  /// 6.2, considers up to 1300, which fit one packet. PeerLink's own three entries take up to 160 of those.
  package static let maximumOctets = 1140
  /// Prefix of PeerLink's own keys, which apps' keys may not have.
  package static let reservedPrefix = "~"

  /// Sorted by key, so that equal info produces equal records.
  package let entries: [Entry]

  package struct Entry: Equatable, Sendable {
    package let key: String
    package let value: String
  }

  private init(checked entries: [Entry]) { self.entries = entries }

  package init(_ dictionary: [String: String]) throws(PeerLinkError) {
    var total = 0
    var seen: Set<String> = []
    var entries: [Entry] = []
    for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      try Self.check(key: key)
      guard seen.insert(key.lowercased()).inserted else { throw .name(.discoveryKey, at: 0, .duplicate) }
      let count = key.utf8.count + 1 + value.utf8.count
      guard count <= Self.maximumEntryOctets else {
        throw .name(
          .discoveryEntry, at: Self.maximumEntryOctets,
          .tooLong(count: count, maximum: Self.maximumEntryOctets))
      }
      total += count + 1
      entries.append(Entry(key: key, value: value))
    }
    guard total <= Self.maximumOctets else {
      throw .name(
        .discoveryInfo, at: Self.maximumOctets, .tooLong(count: total, maximum: Self.maximumOctets))
    }
    self.entries = entries
  }

  package var dictionary: [String: String] {
    Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Checks that a key is printable ASCII without `=` (RFC 6763, section 6.4) and not reserved.
  private static func check(key: String) throws(PeerLinkError) {
    guard !key.isEmpty else { throw .name(.discoveryKey, at: 0, .empty) }
    guard !key.hasPrefix(reservedPrefix) else { throw .name(.discoveryKey, at: 0, .reserved) }
    for (index, octet) in key.utf8.enumerated() where !(0x20...0x7E).contains(octet) || octet == 0x3D {
      throw .name(.discoveryKey, at: index, .notPrintableASCIIWithoutEquals(found: octet))
    }
  }
}
