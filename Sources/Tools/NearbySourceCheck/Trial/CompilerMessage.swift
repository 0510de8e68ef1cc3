/// An error that the Swift compiler reports.
package struct CompilerMessage: Equatable, Sendable {
  /// As the compiler was given it; `nil` if the error has no place in a file.
  package var path: String?
  package var place: SourcePlace
  package var text: String

  package init(path: String?, place: SourcePlace, text: String) {
    self.path = path
    self.place = place
    self.text = text
  }

  /// Maximum number of errors that are read from one run.
  private static let most = 5000
  /// Maximum length of a message, characters.
  private static let longest = 300

  /// Reads the errors in the compiler's output, one for each line `path:line:column: error: text`.
  ///
  /// An error in a macro's expansion is placed where the macro is used, if the compiler says where that is.
  package static func errors(in output: String) -> [CompilerMessage] {
    var result: [CompilerMessage] = []
    for line in output.split(whereSeparator: \.isNewline) {
      guard result.count < most else { break }
      if let last = result.indices.last, result[last].path == nil,
        let (path, place, _) = located(line, " note: expanded code originates here")
      {
        result[last].path = path
        result[last].place = place
      } else if let (path, place, text) = located(line, " error: ") {
        let isFile = !path.hasPrefix("macro expansion ")
        result.append(
          CompilerMessage(
            path: isFile ? path : nil, place: isFile ? place : SourcePlace(line: 1, column: 1),
            text: String(text.prefix(longest))))
      } else if line.hasPrefix("error: ") || line.hasPrefix("<unknown>:0: error: ") {
        result.append(
          CompilerMessage(
            path: nil, place: SourcePlace(line: 1, column: 1), text: String(behindError(line).prefix(longest))
          ))
      }
    }
    return result
  }

  private static func behindError(_ line: Substring) -> Substring {
    guard let range = line.firstRange(of: "error: ") else { return line }
    return line[range.upperBound...]
  }

  /// Parses `path:line:column:` before a mark.
  private static func located(
    _ line: Substring, _ mark: String
  ) -> (path: String, place: SourcePlace, text: Substring)? {
    guard let range = line.firstRange(of: ":" + mark) else { return nil }
    let parts = line[..<range.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 3, let column = Int32(parts[parts.count - 1]),
      let row = Int32(parts[parts.count - 2])
    else {
      return nil
    }
    let path = parts.dropLast(2).joined(separator: ":")
    return (path, SourcePlace(line: Int(row), column: Int(column)), line[range.upperBound...])
  }

  /// Whether other errors can follow from this one, so that its file is dropped before theirs.
  var isCause: Bool {
    ["invalid redeclaration of", "'main' attribute", "extraneous '}'", "unterminated string", "expected "]
      .contains { text.hasPrefix($0) }
  }
}
