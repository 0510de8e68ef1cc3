/// A monitored beacon region, with the name its app gave it.
package struct MonitoredRegion: Hashable, Sendable {
  package var identifier: String
  package var constraint: BeaconConstraint
  package var notifiesOnEntry: Bool
  package var notifiesOnExit: Bool
  /// Whether the app wants another notification that it is inside when the screen lights up. The monitor only
  /// stores this; it does not know about screens.
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

/// Whether a device is in a region. Raw values are those of `CLRegionState`.
package enum RegionState: Int, Hashable, Sendable {
  case unknown = 0
  case inside, outside
}

/// What `RegionMonitor` returns, to be carried out in order.
package enum RegionAction: Hashable, Sendable {
  /// Monitoring of a region started, or was restarted with other settings.
  case started(identifier: String)
  /// The region was not added because the limit is reached.
  case limitReached(identifier: String)
  /// `beacon` is the first one that was received.
  case entered(identifier: String, beacon: BeaconIdentity)
  case exited(identifier: String)
  /// Sent on every change of state, even if the app wants neither entries nor exits, and in answer to
  /// `requestState`.
  case determined(identifier: String, RegionState)
}
