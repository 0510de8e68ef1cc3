/// The kind of service that peers look for: the `type` of `_type._tcp`.
package struct ServiceType: Hashable, Comparable, Sendable {
  /// Source: RFC 6335, section 5.1.
  package static let maximumOctets = 15

  package let text: String

  /// - Parameter text: 1 to 15 of `a-z`, `0-9` and `-`, with at least one letter and no hyphen at the start,
  ///   at the end or next to another (RFC 6335, section 5.1).
  package init(_ text: String) throws(PeerLinkError) {
    let octets = Array(text.utf8)
    guard !octets.isEmpty else { throw .name(.serviceType, at: 0, .empty) }
    guard octets.count <= Self.maximumOctets else {
      throw .name(
        .serviceType, at: Self.maximumOctets, .tooLong(count: octets.count, maximum: Self.maximumOctets))
    }
    for (index, octet) in octets.enumerated() {
      switch octet {
      case 0x61...0x7A, 0x30...0x39: continue
      case 0x2D:
        let isMisplaced = index == 0 || index == octets.count - 1 || octets[index - 1] == 0x2D
        if isMisplaced { throw .name(.serviceType, at: index, .misplacedHyphen) }
      default: throw .name(.serviceType, at: index, .notLowercaseLetterDigitOrHyphen(found: octet))
      }
    }
    guard octets.contains(where: { $0 >= 0x61 }) else { throw .name(.serviceType, at: 0, .noLetter) }
    self.text = text
  }

  /// Folds capitals of ASCII to small letters: DNS compares names without case (RFC 6763, section 4.1.3; RFC
  /// 1035, section 2.3.3).
  ///
  /// - Parameter text: As for `init(_:)`, but `A-Z` are letters too.
  package init(ignoringCaseOf text: String) throws(PeerLinkError) {
    try self.init(Self.folded(text))
  }

  /// The text with capitals of ASCII as small letters.
  package static func folded(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The DNS-SD service type of the reliable channel.
  package var dnsServiceType: String { "_\(text)._tcp" }

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
