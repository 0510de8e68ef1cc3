import NearbyBeacons
import NearbyPosition

/// Everything that a site knows about one tag; at most 16 KiB, constant for any number of readings.
struct TagTrack: Sendable {
  /// `nil` for a site with fewer than three receivers.
  var solver: PositionSolver?
  var beacon: BeaconSpot?
  /// Newest measured time, Unix seconds.
  var latest = -Double.infinity
  /// Newest times of the kinds of readings, Unix seconds.
  var latestRanging = -Double.infinity
  var latestLoudness = -Double.infinity
  var isPresent = false
  /// The receiver that was measured nearest of late.
  var nearest: SiteNearness?
  var position: SitePosition?
  var room = RoomChoice()
  /// Fences that it is in, or about to be.
  var fences: [FencePresence] = []
  var lastEvaluation = -Double.infinity
  var lastReport = -Double.infinity

  /// Fences that a tag can be in at a time; more are ignored.
  static let mostFences = 16
  /// Seconds after which another receiver becomes the nearest one whatever its distance.
  private static let freshness = 3.0

  mutating func note(_ receiver: Int, metres: Double, sigma: Double?, at time: Double) {
    if let nearest, nearest.receiver != receiver, time - nearest.time < Self.freshness,
      metres >= nearest.metres
    {
      return
    }
    nearest = SiteNearness(receiver: receiver, metres: metres, sigma: sigma, time: time)
  }
}

/// A tag's distance from the receiver nearest to it.
package struct SiteNearness: Equatable, Sendable {
  package var receiver: Int
  /// Metres, ≥ 0.
  package var metres: Double
  /// Standard deviation, metres; `nil` if unknown.
  package var sigma: Double?
  /// Unix seconds.
  package var time: Double

  package init(receiver: Int, metres: Double, sigma: Double?, time: Double) {
    self.receiver = receiver
    self.metres = metres
    self.sigma = sigma
    self.time = time
  }
}
