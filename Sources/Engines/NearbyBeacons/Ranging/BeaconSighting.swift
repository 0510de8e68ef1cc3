/// Tells apart senders of one identity: the address of an advertisement, or what stands for it.
package struct BeaconSource: Hashable, Comparable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64 = 0, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// One beacon's frame as it was heard.
package struct BeaconSighting: Hashable, Sendable {
  package var identity: BeaconIdentity
  package var source: BeaconSource
  /// dBm at 1 m, as the frame tells.
  package var measuredPower: Int
  /// dBm; one that no receiver can have, such as 127 and 0, is no figure.
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

  /// `nil` for a frame without identity.
  package init?(_ frame: BeaconFrame, source: BeaconSource, rssi: Int, time: Duration) {
    guard let identity = frame.identity, let power = frame.measuredPower else { return nil }
    self.init(identity: identity, source: source, measuredPower: power, rssi: rssi, time: time)
  }

  /// The RSSI, if the receiver had a figure.
  var loudness: Int? { PathLossFilter.isFigure(rssi) ? rssi : nil }
}
