/// The content of a peer's TXT record: identity, name and the app's info.
///
/// PeerLink's own entries are `~v` (version 1), `~id` (identity, 64 hexadecimal digits) and `~n` (name).
/// DNS-SD instance names are chosen by the shell, because their 63 octets cannot hold an identity and a name.
package struct AdvertisedPeer: Equatable, Sendable {
  package static let version = "1"

  package var peer: PeerID
  package var info: DiscoveryInfo

  package init(peer: PeerID, info: DiscoveryInfo) {
    self.peer = peer
    self.info = info
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.peer == right.peer && left.peer.displayName == right.peer.displayName && left.info == right.info
  }

  /// The strings of the TXT record, each `key=value`, at most 255 octets.
  package var textEntries: [[UInt8]] {
    let own = ["~v=\(Self.version)", "~id=\(peer.identity)", "~n=\(peer.displayName.text)"]
    return (own + info.entries.map { "\($0.key)=\($0.value)" }).map { Array($0.utf8) }
  }

  /// Parses the strings of a TXT record. If a key occurs twice, the first one counts, and a string without a
  /// key is ignored (RFC 6763, section 6.4).
  ///
  /// - Throws: `PeerLinkError.name` if one of PeerLink's entries is missing or invalid, or the app's exceed
  ///   the limits.
  package init(textEntries: [[UInt8]]) throws(PeerLinkError) {
    var own: [String: String] = [:]
    var infos: [String: String] = [:]
    var seen: Set<String> = []
    for entry in textEntries {
      guard entry.count <= DiscoveryInfo.maximumEntryOctets else {
        throw .name(.discoveryEntry, at: 255, .tooLong(count: entry.count, maximum: 255))
      }
      guard let text = String(validating: entry, as: UTF8.self) else {
        throw .name(.discoveryEntry, at: 0, .notUTF8)
      }
      let key = String(text.prefix { $0 != "=" })
      guard !key.isEmpty, seen.insert(key.lowercased()).inserted else { continue }
      let value = String(text.dropFirst(key.count + 1))
      if key.hasPrefix(DiscoveryInfo.reservedPrefix) { own[key] = value } else { infos[key] = value }
    }
    guard own["~v"] == Self.version else { throw .name(.version, at: 0, .empty) }
    guard let identity = own["~id"] else { throw .name(.identity, at: 0, .empty) }
    peer = PeerID(
      identity: try PeerIdentity(hexadecimal: identity), displayName: try DisplayName(own["~n"] ?? ""))
    info = try DiscoveryInfo(infos)
  }
}
