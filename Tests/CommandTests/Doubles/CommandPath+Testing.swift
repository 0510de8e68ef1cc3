import NearbyCommandLine
import Testing

extension CommandPath: CustomTestStringConvertible {
  /// The words alone: a passing test would else print the whole table.
  package var testDescription: String { words.isEmpty ? command.name : words.joined(separator: " ") }
}
