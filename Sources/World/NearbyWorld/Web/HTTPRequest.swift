import CNearbyMicroHTTPD

/// One request as parsed by libmicrohttpd: all header fields including duplicates, and the query's arguments.
struct HTTPRequest: Equatable, Sendable {
  /// Maximum size of a head including its empty line, octets, and number of fields: `Docs/world-page.md`,
  /// "Who is admitted".
  static let longestHead = 16_384
  static let fieldLimit = 100

  let method: String
  /// Percent-decoded, without the query.
  let path: String
  /// Such as `HTTP/1.1`.
  let version: String
  /// Values by lower-case field name, in the order of their lines.
  private var fields: [String: [String]] = [:]
  /// Percent-decoded values by argument name.
  private var arguments: [String: [String]] = [:]

  /// Why a request is refused: the answer's status, and a sentence for the client.
  struct Refusal: Error, Equatable, Sendable {
    /// One of libmicrohttpd's `MHD_HTTP_…` constants.
    let status: Int32
    let reason: String
  }

  init(method: String, path: String, version: String) {
    self.method = method
    self.path = path
    self.version = version
  }

  mutating func addField(_ name: String, _ value: String) {
    fields[name.lowercased(), default: []].append(Self.trimmed(value[...]))
  }

  mutating func addArgument(_ name: String, _ value: String) { arguments[name, default: []].append(value) }

  /// Rejects requests that different readers could interpret differently, and those with a body.
  ///
  /// - Parameter size: Size of the head, octets.
  func check(size: Int) throws(Refusal) {
    guard size <= Self.longestHead else {
      throw Refusal(
        status: MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE,
        reason: "more than \(Self.longestHead) octets before the end of the head")
    }
    guard fields.values.reduce(0, { $0 + $1.count }) <= Self.fieldLimit else {
      throw Refusal(
        status: MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, reason: "more than \(Self.fieldLimit) header fields"
      )
    }
    guard path.hasPrefix("/") else {
      throw Refusal(status: MHD_HTTP_BAD_REQUEST, reason: "'METHOD /PATH HTTP/1.1' expected")
    }
    guard fields["host"]?.count == 1 else {
      throw Refusal(status: MHD_HTTP_BAD_REQUEST, reason: "exactly one Host field expected")
    }
    guard fields["transfer-encoding"] == nil, fields["content-length"].map({ $0 == ["0"] }) ?? true else {
      throw Refusal(status: MHD_HTTP_BAD_REQUEST, reason: "a request without a body expected")
    }
  }

  // MARK: Reading fields

  var host: String { fields["host"]?.first ?? "" }

  /// The only value of a field; `nil` if it is absent or appears more than once.
  func single(_ name: String) -> String? {
    guard let values = fields[name], values.count == 1 else { return nil }
    return values.first
  }

  func has(_ name: String) -> Bool { fields[name] != nil }

  /// The elements of a comma-separated list field, across all of its lines.
  func list(_ name: String) -> [String] {
    (fields[name] ?? []).flatMap { $0.split(separator: ",") }.map(Self.trimmed)
  }

  /// The only value of a query argument; `nil` if it is absent or appears more than once.
  func argument(_ name: String) -> String? {
    guard let values = arguments[name], values.count == 1 else { return nil }
    return values.first
  }

  private static func trimmed(_ text: Substring) -> String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = text.drop(while: isBlank)
    return String(start.reversed().drop(while: isBlank).reversed())
  }
}
