import NearbyScenarios
import NearbyTextForms

/// The scores that programs print, in the order in which they were first given.
///
/// A line of a program's output that is a JSON object with the key `score` gives one: `{"score": "found", "value": 3.2}`.
/// `value` is a number or `null`; `atLeast` and `atMost` are bounds, and `failure` is a text that says what went wrong.
/// A name that is given again replaces the earlier value.
package struct ProgramScores {
  /// Scores of one run.
  package static let most = 1000
  /// Of a name, characters.
  private static let longestName = 200

  package private(set) var values: [ScoreValue] = []

  package init() {}

  /// Reads a line of output. Lines without the key `score` are ignored.
  ///
  /// - Returns: The error in a line that has the key `score`; `nil` if there is no error.
  package mutating func read(_ line: String) -> String? {
    guard let start = line.firstIndex(where: { $0 != " " }), line[start] == "{", line.contains("\"score\""),
      let json = try? LocatedJSON(parsing: line), case .object(let members) = json.value,
      let named = members.first(where: { $0.key == "score" })
    else { return nil }
    guard case .string(let name) = named.value.value, !name.isEmpty, name.count <= Self.longestName else {
      return "score: expected a name of 1 to \(Self.longestName) characters: \(line.prefix(200))"
    }
    var (value, low, high, failure): (Double?, Double?, Double?, String?) = (nil, nil, nil, nil)
    for member in members where member.key != "score" {
      switch (member.key, member.value.value) {
      case ("value", .null): value = nil
      case ("value", .number(let number)) where number.magnitude <= 1e15: value = number
      case ("atLeast", .number(let number)): low = number
      case ("atMost", .number(let number)): high = number
      case ("failure", .string(let text)): failure = String(text.prefix(1000))
      case ("value", _), ("atLeast", _), ("atMost", _):
        return "score '\(name)': \(member.key): expected a number: \(line.prefix(200))"
      case ("failure", _): return "score '\(name)': failure: expected a text: \(line.prefix(200))"
      default: return "score '\(name)': no key '\(member.key)'; there are value, atLeast, atMost and failure"
      }
    }
    return add(
      ScoreValue(
        name: name, value: value,
        failure: failure ?? ScoreValue.failure(named: name, of: value, atLeast: low, atMost: high)))
  }

  private mutating func add(_ score: ScoreValue) -> String? {
    if let index = values.firstIndex(where: { $0.name == score.name }) {
      values[index] = score
      return nil
    }
    guard values.count < Self.most else { return "score '\(score.name)': more than \(Self.most) in a run" }
    values.append(score)
    return nil
  }
}
