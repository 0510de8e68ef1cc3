import NearbyOctets

/// A link compressed to at most 18 octets, kept as it was sent.
///
/// Source: github.com/google/eddystone, eddystone-url/README.md. A text octet of 0 to 6 stands for one of
/// `endings` followed by a slash, 7 to 13 for the ending alone.
package struct EddystoneURL: Hashable, Sendable {
  /// Power at 0 m in dBm.
  package let power: Int8
  /// Index into `schemes`.
  package let scheme: UInt8
  /// The text's octets, most significant first, split into 8, 8 and 1 so that nothing is allocated.
  private let first: UInt64
  private let second: UInt64
  private let last: UInt8
  /// Number of text octets.
  package let count: Int

  package static let schemes = ["http://www.", "https://www.", "http://", "https://"]
  static let endings = [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]
  /// Octets. Source: Eddystone protocol specification, Eddystone-URL: an encoded URL has 0 to 17.
  static let maximumText = 17
  /// Octets of type, power and scheme.
  static let headerSize = 3

  /// - Parameter text: At most 17 octets, each a printable ASCII character or the code of an ending, 0 to 13.
  package init?(power: Int8, scheme: UInt8, text: Span<UInt8>) {
    guard text.count <= Self.maximumText, scheme < 4 else { return nil }
    for index in text.indices where !Self.isLegal(text[index]) { return nil }
    self.init(power: power, scheme: scheme, text, from: 0)
  }

  /// - Parameter start: Index at which the text begins; it extends to the end.
  init(power: Int8, scheme: UInt8, _ text: Span<UInt8>, from start: Int) {
    self.power = power
    self.scheme = scheme
    count = text.count - start
    func word(_ from: Int) -> UInt64 {
      (0..<8).reduce(0) { value, index in
        let place = start + from + index
        return value << 8 | (place < text.count ? UInt64(text[place]) : 0)
      }
    }
    (first, second) = (word(0), word(8))
    last = start + 16 < text.count ? text[start + 16] : 0
  }

  /// Compresses a link; `nil` if its scheme is unknown, it contains other characters, or it stays too long.
  package init?(power: Int8, link: String) {
    let octets = Array(link.utf8)
    func matches(_ name: String, at place: Int) -> Bool { octets[place...].starts(with: name.utf8) }
    guard let scheme = Self.schemes.firstIndex(where: { matches($0, at: 0) }) else { return nil }
    var place = Self.schemes[scheme].utf8.count
    var text: [UInt8] = []
    while place < octets.count {
      guard let ending = Self.endings.firstIndex(where: { matches($0, at: place) }) else {
        text.append(octets[place])
        place += 1
        continue
      }
      place += Self.endings[ending].utf8.count
      let hasSlash = place < octets.count && octets[place] == UInt8(ascii: "/")
      if hasSlash { place += 1 }
      text.append(UInt8(ending + (hasSlash ? 0 : 7)))
    }
    // Octets below 0x20 would be read as endings.
    guard octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    self.init(power: power, scheme: UInt8(scheme), text: text.span)
  }

  @inline(__always)
  static func isLegal(_ octet: UInt8) -> Bool { octet < 14 || octet > 0x20 && octet < 0x7F }

  /// The text octets as they are sent.
  package var text: [UInt8] {
    Array((first.bigEndianOctets + second.bigEndianOctets + [last]).prefix(count))
  }

  /// Power at 1 m in dBm.
  package var measuredPower: Int { Int(power) - Eddystone.firstMetre }

  /// The expanded link.
  package var link: String {
    text.reduce(into: Self.schemes[Int(scheme)]) { link, octet in
      switch octet {
      case 0..<7: link += Self.endings[Int(octet)] + "/"
      case 7..<14: link += Self.endings[Int(octet) - 7]
      case _: link.unicodeScalars.append(Unicode.Scalar(octet))
      }
    }
  }

  /// The octets after the service UUID.
  package var serviceOctets: [UInt8] {
    [Eddystone.FrameType.url, UInt8(bitPattern: power), scheme] + text
  }
}
