/// A region of beacons that is watched, by the name its app gave it.
package struct MonitoredRegion: Hashable, Sendable {
  package var identifier: String
  package var constraint: BeaconConstraint
  package var notifiesOnEntry: Bool
  package var notifiesOnExit: Bool
  /// Whether an app wants to hear again that it is inside when the screen lights up; kept for whoever knows of
  /// screens.
  package var notifiesOnDisplay: Bool

  package init(
    identifier: String, constraint: BeaconConstraint, notifiesOnEntry: Bool = true,
    notifiesOnExit: Bool = true, notifiesOnDisplay: Bool = false
  ) {
    self.identifier = identifier
    self.constraint = constraint
    self.notifiesOnEntry = notifiesOnEntry
    self.notifiesOnExit = notifiesOnExit
    self.notifiesOnDisplay = notifiesOnDisplay
  }
}

/// Whether a device is in a region. Raw values are `CLRegionState`'s.
package enum RegionState: Int, Hashable, Sendable {
  case unknown = 0
  case inside, outside
}

/// What watching regions comes to, in order.
package enum RegionAction: Hashable, Sendable {
  /// A region is watched from now on, or again with other settings.
  case started(identifier: String)
  /// There are as many as there can be.
  case limitReached(identifier: String)
  /// `beacon` is the first that was heard.
  case entered(identifier: String, beacon: BeaconIdentity)
  case exited(identifier: String)
  /// At each change of state, wanted or not, and in answer to `requestState`.
  case determined(identifier: String, RegionState)
}
