/// A JSON5 value with its location in the file, so that errors about its meaning can point there.
///
/// Foundation's decoder accepts JSON5 too, but its errors carry no line number, and it does not report
/// unknown or duplicate keys.
package struct LocatedJSON: Equatable, Sendable {
  package indirect enum Value: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([LocatedJSON])
    /// In file order; keys are unique.
    case object([Member])
  }

  /// One key of an object with its value.
  package struct Member: Equatable, Sendable {
    package var key: String
    package var place: Place
    package var value: LocatedJSON
  }

  /// Line and column in the file, both from 1; columns count Unicode scalars.
  package struct Place: Equatable, Sendable {
    package var line: Int
    package var column: Int
  }

  package var value: Value
  package var place: Place

  /// Describes the value for an error: `"fone"`, `12.5`, `a list of 3`.
  package var inWords: String {
    switch value {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): Self.inWords(number)
    case .string(let string): "\"\(string)\""
    case .array(let elements): "a list of \(elements.count)"
    case .object: "an object"
    }
  }

  /// Formats a number as a person would write it.
  package static func inWords(_ number: Double) -> String {
    if let whole = Int(exactly: number) { return String(whole) }
    return String(number)
  }
}
