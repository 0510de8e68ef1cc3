/// A fault in a recording, and its location.
///
/// `file` is the path as opened; `line` counts from 1, the header being line 1; `found` is the offending
/// text, truncated to 40 characters.
package enum RecordingError: Error, Equatable, Sendable {
  case missingFile(file: String)
  case unreadable(file: String, reason: String)
  case unwritable(file: String, reason: String)
  /// No header, or no row below it.
  case empty(file: String)
  case missingColumn(file: String, column: String, found: [String])
  case duplicateColumn(file: String, column: String)
  case fieldCount(file: String, line: Int, found: Int, expected: Int)
  case unclosedQuote(file: String, line: Int)
  /// Not UTF-8, or a field with control characters.
  case notText(file: String, line: Int)
  case notANumber(file: String, line: Int, column: String, found: String)
  case notFinite(file: String, line: Int, column: String, found: String)
  /// A number outside `lowest` to `highest`.
  case outOfRange(
    file: String, line: Int, column: String, found: Double, lowest: Double, highest: Double)
  case emptyName(file: String, line: Int, column: String)
  /// A time earlier than that of the previous row, seconds.
  case timeBackwards(file: String, line: Int, column: String, found: Double, latest: Double)
  /// A quaternion whose length, `found`, is not 1.
  case notUnit(file: String, line: Int, column: String, found: Double)
  /// A name that an earlier row already uses.
  case duplicateName(file: String, line: Int, column: String, found: String)
  /// A name that is missing from another file, `list`.
  case unknownName(file: String, line: Int, column: String, found: String, list: String)
  /// A line longer than a pose can be.
  case lineTooLong(file: String, line: Int, longest: Int)
  /// A pose file without poses.
  case noPoses(file: String)
  /// A pose line that does not have eight fields.
  case poseFieldCount(file: String, line: Int, found: Int)
  case notJSON(file: String, reason: String)
}

extension RecordingError: CustomStringConvertible {
  package var description: String { text.inOneLine }

  private var text: String {
    switch self {
    case .missingFile(let file): "\(file): no such file"
    case .unreadable(let file, let reason): "\(file): can't be read: \(reason)"
    case .unwritable(let file, let reason): "\(file): can't be written: \(reason)"
    case .empty(let file): "\(file): empty; expected a header line and at least one row"
    case .missingColumn(let file, let column, let found):
      "\(file):1: no column \(column); found \(found.joined(separator: ", "))"
    case .duplicateColumn(let file, let column): "\(file):1: column \(column) appears twice"
    case .fieldCount(let file, let line, let found, let expected):
      "\(file):\(line): \(found) fields; expected \(expected), as in the header"
    case .unclosedQuote(let file, let line): "\(file):\(line): a quoted field is never closed"
    case .notText(let file, let line): "\(file):\(line): not text; expected UTF-8 without control characters"
    case .notANumber(let file, let line, let column, let found):
      "\(file):\(line): \(column): found \"\(found)\"; expected a number"
    case .notFinite(let file, let line, let column, let found):
      "\(file):\(line): \(column): found \"\(found)\"; expected a finite number"
    case .outOfRange(let file, let line, let column, let found, let lowest, let highest):
      "\(file):\(line): \(column): found \(found); expected \(lowest) to \(highest)"
    case .emptyName(let file, let line, let column): "\(file):\(line): \(column): empty; expected a name"
    case .timeBackwards(let file, let line, let column, let found, let latest):
      "\(file):\(line): \(column): found \(found) after \(latest); expected times that do not go backwards"
    case .notUnit(let file, let line, let column, let found):
      "\(file):\(line): \(column): found a quaternion of length \(found); expected 1 within "
        + "\(Recording.quaternionTolerance)"
    case .duplicateName(let file, let line, let column, let found):
      "\(file):\(line): \(column): found \"\(found)\" a second time; expected each name once"
    case .unknownName(let file, let line, let column, let found, let list):
      "\(file):\(line): \(column): found \"\(found)\"; expected a name that \(list) has"
    case .lineTooLong(let file, let line, let longest):
      "\(file):\(line): a line of over \(longest) octets; expected timestamp tx ty tz qx qy qz qw"
    case .noPoses(let file): "\(file): empty; expected at least one line timestamp tx ty tz qx qy qz qw"
    case .poseFieldCount(let file, let line, let found):
      "\(file):\(line): \(found) fields; expected 8: timestamp tx ty tz qx qy qz qw"
    case .notJSON(let file, let reason): "\(file): not a JSON object: \(reason)"
    }
  }
}
