/// A beacon in a report, with the content of a `CLBeacon`.
package struct RangedBeacon: Hashable, Sendable {
  package var identity: BeaconIdentity
  package var source: BeaconSource
  /// Distance, zone and RSSI.
  package var reading: LoudnessReading

  package var proximity: Proximity { reading.proximity }
  package var accuracy: Double? { reading.accuracy }
  package var distance: Double? { reading.distance }
  package var rssi: Int { reading.rssi }
  package var time: Duration { reading.time }

  /// Sorts the nearest first and unknown ones last; equal ones by identity.
  static func isNearer(_ left: Self, _ right: Self) -> Bool {
    switch (left.distance, right.distance) {
    case (let near?, let far?) where near != far: return near < far
    case (.some, nil): return true
    case (nil, .some): return false
    case _: return (left.identity, left.source) < (right.identity, right.source)
    }
  }
}

/// Sent about every second for each ranged constraint, even if no beacon matches.
package struct RangingReport: Hashable, Sendable {
  package var constraint: BeaconConstraint
  package var beacons: [RangedBeacon]
  package var time: Duration

  package init(constraint: BeaconConstraint, beacons: [RangedBeacon], time: Duration) {
    self.constraint = constraint
    self.beacons = beacons
    self.time = time
  }
}
