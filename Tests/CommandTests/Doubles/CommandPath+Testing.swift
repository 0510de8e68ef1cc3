import NearbyCommandLine
import Testing

extension CommandPath: CustomTestStringConvertible {
  /// Only the words, because a passing test would otherwise print the whole table.
  package var testDescription: String { words.isEmpty ? command.name : words.joined(separator: " ") }
}
