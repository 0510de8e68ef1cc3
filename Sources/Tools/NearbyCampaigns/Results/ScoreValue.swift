/// The value of one score of one run.
package struct ScoreValue: Equatable, Sendable {
  package let name: String
  /// In the score's unit; `nil` if nothing of what it measures happened.
  package let value: Double?
  /// Why the score is outside its bounds, as a sentence; `nil` if it is within, or has none.
  package let failure: String?

  package init(name: String, value: Double?, failure: String?) {
    self.name = name
    self.value = value
    self.failure = failure
  }
}
