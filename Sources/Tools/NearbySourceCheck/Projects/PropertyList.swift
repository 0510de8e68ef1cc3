/// An old-style property list, as in the project.pbxproj of an Xcode project.
///
///     { key = value; "quoted key" = ( item, item ); }     /* a comment */     // a comment
///
/// Any input yields a value or an error, in time linear in its length; nesting is limited.
package indirect enum PropertyList: Equatable, Sendable {
  case text(String)
  case list([PropertyList])
  case dictionary([String: PropertyList])

  package enum Failure: Error, Equatable, Sendable {
    /// - Parameter line: From 1.
    case unexpected(line: Int)
    case tooDeep(line: Int)
  }

  /// Maximum nesting, deeper than any real project; protects the stack.
  private static let deepest = 100

  package init(parsing octets: [UInt8]) throws(Failure) {
    var reader = Reader(octets: octets)
    reader.skipSpace()
    self = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == octets.count else { throw reader.failure }
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var list: [PropertyList] { if case .list(let list) = self { list } else { [] } }
  package subscript(_ key: String) -> PropertyList? {
    if case .dictionary(let values) = self { values[key] } else { nil }
  }
  /// The strings in a list; other elements are omitted.
  package var texts: [String] { list.compactMap(\.text) }

  private struct Reader {
    let octets: [UInt8]
    var position = 0

    var failure: Failure { .unexpected(line: line) }
    private var line: Int { 1 + octets[..<min(position, octets.count)].count { $0 == 0x0A } }
    private var current: UInt8 { position < octets.count ? octets[position] : 0 }

    mutating func skipSpace() {
      while position < octets.count {
        let next = position + 1 < octets.count ? octets[position + 1] : 0
        if current <= 0x20 {
          position += 1
        } else if current == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
          while position < octets.count, current != 0x0A { position += 1 }
        } else if current == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
          position += 2
          while position < octets.count,
            !(current == UInt8(ascii: "/") && octets[position - 1] == UInt8(ascii: "*"))
          {
            position += 1
          }
          position = min(position + 1, octets.count)
        } else {
          return
        }
      }
    }

    private mutating func consume(_ symbol: UInt8) -> Bool {
      skipSpace()
      guard current == symbol, position < octets.count else { return false }
      position += 1
      return true
    }

    mutating func value(depth: Int) throws(Failure) -> PropertyList {
      guard depth < PropertyList.deepest else { throw .tooDeep(line: line) }
      skipSpace()
      if consume(UInt8(ascii: "{")) { return .dictionary(try dictionary(depth: depth)) }
      if consume(UInt8(ascii: "(")) {
        var items: [PropertyList] = []
        while !consume(UInt8(ascii: ")")) {
          items.append(try value(depth: depth + 1))
          guard
            consume(UInt8(ascii: ","))
              || {
                skipSpace(); return current == UInt8(ascii: ")")
              }()
          else {
            throw failure
          }
        }
        return .list(items)
      }
      return .text(try word())
    }

    private mutating func dictionary(depth: Int) throws(Failure) -> [String: PropertyList] {
      var values: [String: PropertyList] = [:]
      while !consume(UInt8(ascii: "}")) {
        skipSpace()
        let key = try word()
        guard consume(UInt8(ascii: "=")) else { throw failure }
        values[key] = try value(depth: depth + 1)
        guard consume(UInt8(ascii: ";")) else { throw failure }
      }
      return values
    }

    private mutating func word() throws(Failure) -> String {
      if current == UInt8(ascii: "\"") { return try quoted() }
      if current == UInt8(ascii: "<") { return try data() }
      let start = position
      while position < octets.count, Self.isPlain(current) { position += 1 }
      guard position > start else { throw failure }
      return String(decoding: octets[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws(Failure) -> String {
      position += 1
      var result: [UInt8] = []
      while position < octets.count {
        let octet = current
        position += 1
        if octet == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
        guard octet == UInt8(ascii: "\\") else {
          result.append(octet)
          continue
        }
        switch current {
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "t"): result.append(0x09)
        default: if position < octets.count { result.append(current) }
        }
        position += 1
      }
      throw failure
    }

    /// Hexadecimal data, which projects do not use; kept as text.
    private mutating func data() throws(Failure) -> String {
      let start = position
      while position < octets.count, current != UInt8(ascii: ">") { position += 1 }
      guard position < octets.count else { throw failure }
      position += 1
      return String(decoding: octets[start..<position], as: UTF8.self)
    }

    private static func isPlain(_ octet: UInt8) -> Bool {
      switch octet {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"),
        UInt8(ascii: "$"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"),
        UInt8(ascii: "~"), 0x80...0xFF:
        true
      default: false
      }
    }
  }
}
