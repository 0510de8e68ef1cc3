import CNearbyMicroHTTPD

/// One request as libmicrohttpd has read it: every header field with its duplicates, and the query's arguments.
struct HTTPRequest: Equatable, Sendable {
  /// Octets of the longest head, its empty line included. This and the next: `Docs/world-page.md`, "Who is admitted".
  static let longestHead = 16_384
  static let fieldLimit = 100

  let method: String
  /// Percent-decoded, without the query.
  let path: String
  /// Such as `HTTP/1.1`.
  let version: String
  /// By name in lower case: the values of all lines with that name, in order.
  private var fields: [String: [String]] = [:]
  /// Percent-decoded, by name.
  private var arguments: [String: [String]] = [:]

  /// A refusal: the status of the answer, and a sentence for the client.
  struct Refusal: Error, Equatable, Sendable {
    /// One of libmicrohttpd's `MHD_HTTP_…`.
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

  /// Refuses what could mean different things to different readers, and whatever has a body.
  ///
  /// - Parameter size: Octets of the head.
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

  /// The only argument of this name in the query; `nil` if it is absent or given twice.
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
