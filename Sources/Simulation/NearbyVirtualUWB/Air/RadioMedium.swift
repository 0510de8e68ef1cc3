import NearbyExchange

/// A square of the ground. Radios more than one cell apart (in either axis) never hear each other.
package struct RadioCell: Hashable, Sendable {
  package var column: Int32
  package var row: Int32
  package init(column: Int32, row: Int32) {
    self.column = column
    self.row = row
  }
}

/// The physics under a shared air. The chips ask what they measured, never where the other is.
package protocol RadioMedium {
  /// The square a radio is in.
  mutating func cell(of radio: RadioID, at time: Duration) -> RadioCell
  /// Power of a frame at a receiver, dBm; `nil` when it is under what can disturb anybody.
  mutating func receivedPower(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Double?
  /// Carries one two-way exchange out: losses, timestamps, angles.
  mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome
  /// Carries one data frame; `true` when it arrived and was decoded.
  mutating func deliver(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Bool
}
