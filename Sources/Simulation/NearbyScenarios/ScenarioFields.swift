import NearbyTextForms

/// One object of a scenario file, or of another JSON5 file with located errors, while it is read. Checks values' types and ranges, and tracks which keys
/// were used.
package struct ScenarioFields {
  private let members: [LocatedJSON.Member]
  /// Index of each key in `members`; filled only for objects with many members.
  private var places: [String: Int] = [:]
  private static let manyMembers = 32
  package let place: LocatedJSON.Place
  package let path: String
  package let file: String
  private var known: Set<String> = []

  package init(_ json: LocatedJSON, path: String, file: String) throws(ScenarioError) {
    place = json.place
    self.path = path
    self.file = file
    guard case .object(let members) = json.value else {
      self.members = []
      throw error(json, path, .wrongType(found: json.inWords, expected: "an object"))
    }
    self.members = members
    guard members.count > Self.manyMembers else { return }
    for (index, member) in members.enumerated() { places[member.key] = index }
  }

  package func error(
    _ json: LocatedJSON, _ path: String, _ problem: ScenarioError.Problem
  ) -> ScenarioError {
    ScenarioError(
      file: file, line: json.place.line, column: json.place.column, path: path, problem: problem)
  }

  package func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// All keys of the object, in file order.
  package var keys: [String] { members.map(\.key) }

  // MARK: Values

  package mutating func value(_ key: String) -> LocatedJSON? {
    known.insert(key)
    if members.count > Self.manyMembers { return places[key].map { members[$0].value } }
    return members.first { $0.key == key }?.value
  }

  package mutating func required(_ key: String) throws(ScenarioError) -> LocatedJSON {
    if let value = value(key) { return value }
    throw missing(key)
  }

  /// The error for a missing key.
  package func missing(_ key: String) -> ScenarioError {
    // A misspelling of the wanted key is the more likely mistake, so report that.
    if let stray = members.first(where: { Spelling.isNear($0.key, key) && !known.contains($0.key) }) {
      return ScenarioError(
        file: file, line: stray.place.line, column: stray.place.column, path: path,
        problem: .unknownKey(stray.key, suggestion: key))
    }
    return ScenarioError(
      file: file, line: place.line, column: place.column, path: path, problem: .missingKey(key))
  }

  package mutating func number(
    _ key: String, _ range: ClosedRange<Double>, unit: String
  ) throws(ScenarioError) -> Double? {
    guard let json = value(key) else { return nil }
    return try number(json, path(of: key), range, unit: unit)
  }

  package func number(
    _ json: LocatedJSON, _ path: String, _ range: ClosedRange<Double>, unit: String
  ) throws(ScenarioError) -> Double {
    let low = LocatedJSON.inWords(range.lowerBound)
    let expected =
      "a number from \(low) to \(LocatedJSON.inWords(range.upperBound))"
      + (unit.isEmpty ? "" : " (\(unit))")
    guard case .number(let number) = json.value else {
      throw error(json, path, .wrongType(found: json.inWords, expected: expected))
    }
    guard range.contains(number) else {
      throw error(json, path, .outOfRange(found: json.inWords, expected: expected))
    }
    return number
  }

  package mutating func bool(_ key: String) throws(ScenarioError) -> Bool? {
    guard let json = value(key) else { return nil }
    guard case .bool(let bool) = json.value else {
      throw error(
        json, path(of: key), .wrongType(found: json.inWords, expected: "true or false"))
    }
    return bool
  }

  package func string(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> String {
    guard case .string(let string) = json.value else {
      throw error(json, path, .wrongType(found: json.inWords, expected: "text in quotation marks"))
    }
    return string
  }

  /// Text that must be one of the given words.
  package func word(
    _ json: LocatedJSON, _ path: String, among words: [String]
  ) throws(ScenarioError) -> String {
    let word = try string(json, path)
    guard words.contains(word) else {
      throw error(
        json, path,
        .unknownName(
          found: word, expected: "one of \(words.joined(separator: ", "))",
          suggestion: Spelling.nearest(to: word, among: words)))
    }
    return word
  }

  /// The index of a name that must be known.
  func index(
    _ json: LocatedJSON, _ path: String, in names: ScenarioNames, expected: String
  ) throws(ScenarioError) -> Int {
    let name = try string(json, path)
    if let index = names.index(of: name) { return index }
    let suggestion = Spelling.nearest(to: name, among: names.all)
    throw error(json, path, .unknownName(found: name, expected: expected, suggestion: suggestion))
  }

  /// The elements of a list with their paths; empty if the key is absent.
  package mutating func list(
    _ key: String, most: Int
  ) throws(ScenarioError) -> [(json: LocatedJSON, path: String)] {
    guard let json = value(key) else { return [] }
    return try list(json, path(of: key), most: most)
  }

  package func list(
    _ json: LocatedJSON, _ path: String, most: Int
  ) throws(ScenarioError) -> [(json: LocatedJSON, path: String)] {
    guard case .array(let elements) = json.value else {
      throw error(json, path, .wrongType(found: json.inWords, expected: "a list"))
    }
    guard elements.count <= most else {
      throw error(json, path, .outOfRange(found: json.inWords, expected: "at most \(most) entries"))
    }
    return elements.enumerated().map { ($1, "\(path)[\($0)]") }
  }

  /// Throws an error for the first key that was never read.
  package func finish() throws(ScenarioError) {
    guard let stray = members.first(where: { !known.contains($0.key) }) else { return }
    throw ScenarioError(
      file: file, line: stray.place.line, column: stray.place.column, path: path,
      problem: .unknownKey(
        stray.key, suggestion: Spelling.nearest(to: stray.key, among: known.sorted())))
  }
}

/// Suggestions for misspelt names.
enum Spelling {
  /// The known name that a misspelt one most likely means, or `nil` if none is close.
  static func nearest(to name: String, among names: [String]) -> String? {
    let near = names.filter { isNear(name, $0) }
    return near.min { EditDistance.between(name, $0) < EditDistance.between(name, $1) }
  }

  static func isNear(_ name: String, _ other: String) -> Bool {
    name.count <= 64
      && EditDistance.between(name.lowercased(), other.lowercased()) <= max(1, other.count * 2 / 5)
  }
}
