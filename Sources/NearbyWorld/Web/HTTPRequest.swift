/// The head of one HTTP/1.1 request that has no body.
///
/// Strict wherever leniency would give a request two meanings (RFC 9112 §2.2, §3.2, §5.1): lines end with CR LF, lines
/// are not folded, names are tokens, no control characters, and `Host` appears exactly once. Nothing is cut: a head
/// that is too long is refused as a whole.
package struct HTTPRequest: Equatable, Sendable {
  /// Octets of the longest head, its empty line included.
  package static let longestHead = 16_384
  static let fieldLimit = 100

  let method: String
  /// As sent, still percent-encoded; begins with a slash.
  let path: String
  /// What follows the question mark, as sent.
  let query: String
  /// HTTP/1.0, whose connections end with the answer.
  let isVersion10: Bool
  /// By name in lower case: the values of all lines with that name, in order.
  private let fields: [String: [String]]

  /// A refusal: the status of the answer, and a sentence for the client.
  struct Refusal: Error, Equatable, Sendable {
    let status: HTTPStatus
    let reason: String
  }

  /// - Parameter head: From the request line to the empty line, both included.
  init(parsing head: ArraySlice<UInt8>) throws(Refusal) {
    var lines = try Self.lines(of: head)[...]
    let first = try Self.requestLine(lines.popFirst() ?? [])
    (method, path, query, isVersion10) = (first.method, first.path, first.query, first.isVersion10)
    guard lines.count <= Self.fieldLimit else {
      throw Refusal(status: .tooLarge, reason: "more than \(Self.fieldLimit) header fields")
    }
    var fields: [String: [String]] = [:]
    for line in lines {
      let (name, value) = try Self.field(line)
      fields[name, default: []].append(value)
    }
    self.fields = fields
    guard fields["host"]?.count == 1 else {
      throw Refusal(status: .badRequest, reason: "exactly one Host field expected")
    }
    guard fields["transfer-encoding"] == nil, fields["content-length"].map({ $0 == ["0"] }) ?? true else {
      throw Refusal(status: .badRequest, reason: "a request without a body expected")
    }
  }

  // MARK: Reading fields

  var host: String { fields["host"]?.first ?? "" }

  /// The only value of a field; `nil` if the field is absent or appears several times.
  func single(_ name: String) -> String? {
    guard let values = fields[name], values.count == 1 else { return nil }
    return values.first
  }

  func has(_ name: String) -> Bool { fields[name] != nil }

  /// The elements of a field that is a comma-separated list, over all of its lines.
  func list(_ name: String) -> [String] {
    (fields[name] ?? []).flatMap { $0.split(separator: ",") }.map(Self.trimmed)
  }

  var isKeptAlive: Bool { !isVersion10 && !list("connection").contains { $0.lowercased() == "close" } }

  /// The only argument of this name in the query, percent-decoded; `nil` if it is absent, given twice or malformed.
  func argument(_ name: String) -> String? {
    let parts = query.split(separator: "&").filter { $0.hasPrefix(name + "=") }
    guard parts.count == 1, let part = parts.first else { return nil }
    return Self.percentDecoded(part.dropFirst(name.count + 1))
  }

  private static func percentDecoded(_ text: Substring) -> String? {
    var octets: [UInt8] = []
    var rest = text.utf8[...]
    while let octet = rest.popFirst() {
      guard octet == UInt8(ascii: "%") else {
        octets.append(octet)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
        return nil
      }
      octets.append(high << 4 | low)
    }
    return String(validating: octets, as: UTF8.self)
  }

  private static func hexDigit(_ octet: UInt8) -> UInt8? {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): octet - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): octet - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  // MARK: Parsing

  private static func lines(of head: ArraySlice<UInt8>) throws(Refusal) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    for line in head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      guard line.last == UInt8(ascii: "\r") else {
        throw Refusal(status: .badRequest, reason: "a line that does not end with CR LF")
      }
      let text = line.dropLast()
      guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
        throw Refusal(status: .badRequest, reason: "a control character in the head")
      }
      if !text.isEmpty { lines.append(text) }
    }
    return lines
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(Refusal) -> (method: String, path: String, query: String, isVersion10: Bool) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isTokenOctet),
      parts[1].first == UInt8(ascii: "/"), parts[1].allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw Refusal(status: .badRequest, reason: "'METHOD /PATH HTTP/1.1' expected") }
    let version = String(decoding: parts[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw Refusal(status: .versionNotSupported, reason: "HTTP/1.1 expected")
    }
    let target = parts[1].split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    return (
      String(decoding: parts[0], as: UTF8.self), String(decoding: target[0], as: UTF8.self),
      target.count == 2 ? String(decoding: target[1], as: UTF8.self) : "", version == "HTTP/1.0"
    )
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenOctet)
    else { throw Refusal(status: .badRequest, reason: "'NAME: VALUE' expected in each header field") }
    let value = String(decoding: line[line.index(after: colon)...], as: UTF8.self)
    return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), trimmed(value[...]))
  }

  private static func trimmed(_ text: Substring) -> String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = text.drop(while: isBlank)
    return String(start.reversed().drop(while: isBlank).reversed())
  }

  /// RFC 9110 §5.6.2.
  private static func isTokenOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
  }
}
