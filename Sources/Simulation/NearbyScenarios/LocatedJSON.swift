/// A JSON5 value that knows where in its file it stands, so that errors about its meaning can say so.
///
/// Foundation's decoder takes JSON5 too, but its errors carry no line, and of unknown or doubled keys it says
/// nothing.
struct LocatedJSON: Equatable, Sendable {
  indirect enum Value: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([LocatedJSON])
    /// In the order of the file; no key twice.
    case object([Member])
  }

  /// One key of an object with its value.
  struct Member: Equatable, Sendable {
    var key: String
    var place: Place
    var value: LocatedJSON
  }

  /// Line and column in the file, both from 1; columns count Unicode scalars.
  struct Place: Equatable, Sendable {
    var line: Int
    var column: Int
  }

  var value: Value
  var place: Place

  /// The value in words for an error: `"fone"`, `12.5`, `a list of 3`.
  var inWords: String {
    switch value {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): Self.inWords(number)
    case .string(let string): "\"\(string)\""
    case .array(let elements): "a list of \(elements.count)"
    case .object: "an object"
    }
  }

  /// A number as a person would write it.
  static func inWords(_ number: Double) -> String {
    if let whole = Int(exactly: number) { return String(whole) }
    return String(number)
  }
}
