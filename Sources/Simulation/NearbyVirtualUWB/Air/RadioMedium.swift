import NearbyExchange

/// A square of the ground. Radios that are more than one cell apart in either axis never receive each
/// other.
package struct RadioCell: Hashable, Sendable {
  package var column: Int32
  package var row: Int32
  package init(column: Int32, row: Int32) {
    self.column = column
    self.row = row
  }
}

/// The physics of a shared air. Chips learn what they measured, never the true positions.
package protocol RadioMedium {
  /// The cell in which a radio is.
  mutating func cell(of radio: RadioID, at time: Duration) -> RadioCell
  /// The power of a frame at a receiver in dBm; `nil` if it is too weak to disturb any reception.
  mutating func receivedPower(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Double?
  /// Those of `senders` that may reach or disturb a receiver from `time` on for `duration`, in the same order. It may
  /// return more, at the cost of time.
  mutating func audible(
    by receiver: RadioID, among senders: [RadioID], at time: Duration, for duration: Duration
  ) -> [RadioID]
  /// Carries out one two-way exchange: losses, timestamps and angles.
  mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome
  /// Carries one data frame. Returns whether it arrived and was decoded.
  mutating func deliver(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Bool
  /// The counter of a radio's clock, ticks of 15.65 ps in 64 bits, at a time in nanoseconds.
  mutating func counter(of radio: RadioID, at nanoseconds: Int64) -> UInt64
  /// Receives one frame of an anchor; `nil` if it is lost or too far away.
  mutating func receive(_ frame: BroadcastFrame, at receiver: RadioID) -> BroadcastReception?
}

/// A medium without anchors, in which every radio may reach every other one.
extension RadioMedium {
  package mutating func audible(
    by receiver: RadioID, among senders: [RadioID], at time: Duration, for duration: Duration
  ) -> [RadioID] { senders }
  package mutating func counter(of radio: RadioID, at nanoseconds: Int64) -> UInt64 { 0 }
  package mutating func receive(_ frame: BroadcastFrame, at receiver: RadioID) -> BroadcastReception? { nil }
}
