/// A service as DNS-SD names it (RFC 6763).
package struct Service: Hashable, Sendable {
  /// Name of the instance: UTF-8, 1 to 63 octets.
  package var name: String
  /// For example `_cerca._tcp`.
  package var type: String
  package init(name: String, type: String) {
    self.name = name
    self.type = type
  }

  /// - Throws: `.badService` if it breaks a rule of RFC 6335, section 5.1, or RFC 6763, section 4.1.1.
  package func check() throws(NetworkError) {
    guard (1...63).contains(name.utf8.count), !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw .badService("the name must have 1 to 63 octets and no control characters")
    }
    try Self.checkType(type)
  }

  package static func checkType(_ type: String) throws(NetworkError) {
    guard type.hasPrefix("_"), type.hasSuffix("._tcp") || type.hasSuffix("._udp") else {
      throw .badService("a type is _name._tcp or _name._udp")
    }
    let label = Array(type.utf8.dropFirst().dropLast(5))
    let isLegal = label.allSatisfy { octet in
      switch octet {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    let hasLetter = label.contains { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
    let dash = UInt8(ascii: "-")
    let hasDoubled = zip(label, label.dropFirst()).contains { $0 == dash && $1 == dash }
    guard (1...15).contains(label.count), isLegal, hasLetter, label.first != dash, label.last != dash,
      !hasDoubled
    else {
      throw .badService(
        "a type's name has 1 to 15 letters, digits and single hyphens inside, a letter at least")
    }
  }
}

/// The content of a TXT record: keys in order, each with its value, which is `nil` for a key without `=`.
package struct ServiceText: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: [UInt8]?
  }
  package private(set) var entries: [Entry] = []
  package init() {}

  /// Creates a text with keys in alphabetical order.
  ///
  /// - Throws: `.badService`, see `append`.
  package init(_ pairs: [String: String]) throws(NetworkError) {
    for (key, value) in pairs.sorted(by: { $0.key < $1.key }) { try append(key, Array(value.utf8)) }
  }

  /// - Throws: `.badService` if the pair has more than 255 octets, or the key is not valid (RFC 6763, section
  ///   6.4).
  package mutating func append(_ key: String, _ value: [UInt8]?) throws(NetworkError) {
    let isKey = !key.isEmpty && key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    guard isKey else { throw .badService("a key of the text is printable ASCII without '='") }
    guard key.utf8.count + (value.map { $0.count + 1 } ?? 0) <= 255 else {
      throw .badService("a key with its value may have 255 octets")
    }
    entries.append(Entry(key: key, value: value))
  }

  /// The strings of the record.
  package var strings: [[UInt8]] {
    entries.map { entry in Array(entry.key.utf8) + (entry.value.map { [UInt8(ascii: "=")] + $0 } ?? []) }
  }

  /// Parses the strings of a record. Strings that are not valid pairs, and keys that occurred before, are
  /// ignored (RFC 6763, section 6.4).
  package init(strings: [[UInt8]]) {
    for string in strings {
      let parts = string.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first, let key = String(validating: first, as: UTF8.self) else { continue }
      let value = parts.count > 1 ? Array(parts[1]) : nil
      guard !entries.contains(where: { $0.key == key }) else { continue }
      try? append(key, value)
    }
    // The library does not preserve the order.
    entries.sort { $0.key < $1.key }
  }
}

/// A service that was found, with every address at which it can be reached from here.
package struct FoundService: Hashable, Sendable {
  package var service: Service
  package var text: ServiceText
  /// The nearest first.
  package var addresses: [SocketAddress]
  /// Whether this process registered it, with the same ``ServiceDiscovery``.
  package var isOwn: Bool
}

/// Which implementation of DNS-SD is used.
package enum DiscoveryWay: Equatable, Sendable {
  /// The machine's Avahi daemon.
  case daemon
  /// Avahi inside this process.
  case embedded
}

/// What ``ServiceDiscovery`` reports.
package enum DiscoveryEvent: Equatable, Sendable {
  /// The implementation in use from now on; everything found before has been reported lost.
  case serving(DiscoveryWay)
  /// A registration is published; its name differs from the requested one if that was taken.
  case registered(ServiceDiscovery.Registration, Service)
  case registrationFailed(ServiceDiscovery.Registration, NetworkError)
  case found(FoundService)
  /// The text or addresses of a service have changed.
  case changed(FoundService)
  case lost(Service)
  case browsingFailed(type: String, NetworkError)
  /// Neither implementation works; both are tried again from time to time.
  case unavailable(NetworkError)
}
