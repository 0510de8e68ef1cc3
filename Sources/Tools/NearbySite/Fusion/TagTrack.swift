import NearbyBeacons
import NearbyPosition
import NearbyStateOctets

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
  /// The newest numbers of those who reported the tag, the newest sender last.
  private var senders: [SenderNumbers] = []
  private(set) var tally = (used: 0, dropped: 0)

  init() {}

  /// A tag that fell silent: only its newest time and its tally remain.
  init(continuing track: TagTrack) {
    latest = track.latest
    tally = track.tally
  }

  mutating func tally(wasUsed: Bool) {
    if wasUsed { tally.used &+= 1 } else { tally.dropped &+= 1 }
  }

  /// Senders whose repeated readings are recognised.
  static let mostSenders = 16
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

  /// - Returns: Why a sender's reading must be dropped; `nil` if it is new.
  mutating func admit(_ number: SiteReading.Number) -> SiteRejection? {
    var sender = SenderNumbers(sender: number.sender)
    if let index = senders.firstIndex(where: { $0.sender == number.sender }) {
      sender = senders.remove(at: index)
    } else if senders.count >= Self.mostSenders {
      // Its readings are older than those of all others, and are late if they come again.
      senders.removeFirst()
    }
    defer { senders.append(sender) }
    return sender.window.admit(number.number)
  }

  /// - Parameters:
  ///   - fresh: A solver of the site without measurements; `nil` if it has none.
  ///   - sites: The site's receivers.
  mutating func code(
    _ coder: inout StateCoder, _ plan: SitePlan, fresh: PositionSolver?, sites: [ReceiverSite]
  ) {
    if let fresh { coder.code(&solver, new: fresh) { $1.code(&$0) } }
    if !sites.isEmpty {
      let spot = BeaconSpot(sites, power: 0, seed: 0, receiver: 0, at: 0)
      coder.code(&beacon, new: spot) { $1.code(&$0) }
    }
    for time in [\Self.latest, \.latestRanging, \.latestLoudness, \.lastEvaluation, \.lastReport] {
      coder.code(&self[keyPath: time])
    }
    coder.code(&isPresent)
    coder.code(&nearest, new: SiteNearness(receiver: 0, metres: 0, sigma: nil, time: 0)) {
      $1.code(&$0, receivers: plan.receivers.count)
    }
    coder.code(&position, new: .unknown) { $1.code(&$0) }
    room.code(&coder, rooms: plan.rooms.count)
    coder.code(&fences, most: Self.mostFences, new: FencePresence(fence: 0, at: 0)) {
      $1.code(&$0, fences: plan.fences.count)
    }
    coder.code(&senders, most: Self.mostSenders, new: SenderNumbers(sender: 0)) { $1.code(&$0) }
    coder.code(&tally.used, in: 0...Int.max)
    coder.code(&tally.dropped, in: 0...Int.max)
  }
}

/// The newest numbers of one sender.
private struct SenderNumbers: Sendable {
  var sender: UInt64
  var window = SequenceWindow()

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&sender)
    window.code(&coder)
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

  mutating func code(_ coder: inout StateCoder, receivers: Int) {
    coder.code(&receiver, in: 0...max(0, receivers - 1))
    coder.require(receivers > 0)
    coder.code(finite: &metres)
    coder.code(&sigma)
    coder.code(finite: &time)
  }

  package init(receiver: Int, metres: Double, sigma: Double?, time: Double) {
    self.receiver = receiver
    self.metres = metres
    self.sigma = sigma
    self.time = time
  }
}
