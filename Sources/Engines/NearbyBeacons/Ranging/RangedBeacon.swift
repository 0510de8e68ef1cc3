/// A beacon of a report: what `CLBeacon` shows.
package struct RangedBeacon: Hashable, Sendable {
  package var identity: BeaconIdentity
  package var source: BeaconSource
  /// What loudness says of it.
  package var reading: LoudnessReading

  package var proximity: Proximity { reading.proximity }
  package var accuracy: Double? { reading.accuracy }
  package var distance: Double? { reading.distance }
  package var rssi: Int { reading.rssi }
  package var time: Duration { reading.time }

  /// Nearest first, unknown last; those that are alike in the order of their names.
  static func isNearer(_ left: Self, _ right: Self) -> Bool {
    switch (left.distance, right.distance) {
    case (let near?, let far?) where near != far: return near < far
    case (.some, nil): return true
    case (nil, .some): return false
    case _: return (left.identity, left.source) < (right.identity, right.source)
    }
  }
}

/// What a ranged constraint gets about every second, also with nobody in it.
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
