import NearbyRecordings

/// Why a scenario file is invalid: the location, what was found there, and what was expected.
package struct ScenarioError: Error, Equatable, Sendable {
  package enum Problem: Equatable, Sendable {
    /// The text is not JSON5.
    case syntax(found: String, expected: String)
    case unknownKey(String, suggestion: String?)
    case missingKey(String)
    case wrongType(found: String, expected: String)
    case outOfRange(found: String, expected: String)
    /// A name that is not defined in this context.
    case unknownName(found: String, expected: String, suggestion: String?)
    case duplicateName(String, firstLine: Int)
  }

  /// As given by the caller.
  package var file: String
  /// From 1.
  package var line: Int
  package var column: Int
  /// Path from the top of the file, such as `devices[1].motion.speed`; empty for the file as a whole.
  package var path: String
  package var problem: Problem

  package init(file: String, line: Int, column: Int, path: String, problem: Problem) {
    self.file = file
    self.line = line
    self.column = column
    self.path = path
    self.problem = problem
  }
}

extension ScenarioError: CustomStringConvertible {
  /// One line for a terminal: `office.json:12:5: devices[1].kind: found "fone", expected …`.
  package var description: String {
    let place = "\(file):\(line):\(column): "
    return (place + (path.isEmpty ? "" : "\(path): ") + problem.description).inOneLine
  }
}

extension ScenarioError.Problem: CustomStringConvertible {
  package var description: String {
    func hint(_ suggestion: String?) -> String {
      suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    }
    return switch self {
    case .syntax(let found, let expected), .wrongType(let found, let expected),
      .outOfRange(let found, let expected):
      "found \(found), expected \(expected)"
    case .unknownKey(let key, let suggestion): "unknown key \"\(key)\"" + hint(suggestion)
    case .missingKey(let key): "the key \"\(key)\" is missing"
    case .unknownName(let found, let expected, let suggestion):
      "found \"\(found)\", expected \(expected)" + hint(suggestion)
    case .duplicateName(let name, let firstLine):
      "the name \"\(name)\" is taken since line \(firstLine)"
    }
  }
}
