/// A beacon of a report: what `CLBeacon` shows.
package struct RangedBeacon: Hashable, Sendable {
  package var identity: BeaconIdentity
  package var source: BeaconSource
  package var proximity: Proximity
  /// Metres, one standard deviation of `distance`; `nil` is unknown.
  package var accuracy: Double?
  /// Metres; `nil` is unknown.
  package var distance: Double?
  /// dBm, the mean since the last report; 0 where nothing was heard.
  package var rssi: Int
  /// When it was last heard.
  package var time: Duration

  package init(
    identity: BeaconIdentity, source: BeaconSource, proximity: Proximity, accuracy: Double?,
    distance: Double?, rssi: Int, time: Duration
  ) {
    self.identity = identity
    self.source = source
    self.proximity = proximity
    self.accuracy = accuracy
    self.distance = distance
    self.rssi = rssi
    self.time = time
  }

  /// What loudness says of it.
  package var reading: LoudnessReading {
    LoudnessReading(proximity: proximity, accuracy: accuracy, distance: distance, rssi: rssi, time: time)
  }

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
