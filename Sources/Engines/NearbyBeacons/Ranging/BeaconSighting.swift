/// Distinguishes senders with the same identity, by the advertisement's address or a substitute for it.
package struct BeaconSource: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64 = 0, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// A beacon frame as it was received.
package struct BeaconSighting: Hashable, Sendable {
  package var identity: BeaconIdentity
  package var source: BeaconSource
  /// Power at 1 m in dBm, as the frame states it.
  package var measuredPower: Int
  /// In dBm; impossible values such as 127 and 0 mean that the receiver gave none.
  package var rssi: Int
  package var time: Duration

  package init(identity: BeaconIdentity, source: BeaconSource, measuredPower: Int, rssi: Int, time: Duration)
  {
    self.identity = identity
    self.source = source
    self.measuredPower = measuredPower
    self.rssi = rssi
    self.time = time
  }

  /// Returns `nil` for a frame without an identity.
  package init?(_ frame: BeaconFrame, source: BeaconSource, rssi: Int, time: Duration) {
    guard let identity = frame.identity, let power = frame.measuredPower else { return nil }
    self.init(identity: identity, source: source, measuredPower: power, rssi: rssi, time: time)
  }

  /// The RSSI in dBm; `nil` if the receiver gave none.
  var loudness: Int? { PathLossFilter.isFigure(rssi) ? rssi : nil }
}
