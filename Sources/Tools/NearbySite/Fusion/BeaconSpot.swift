import NearbyBeacons
import NearbyStateOctets

/// Where a Bluetooth tag is, from its loudness at the site's receivers.
///
/// Wraps a `BeaconLocator` with so few guesses that thousands of tags fit into memory: the guesses start around
/// the first receiver and follow the tag. If the tag is suddenly loud far away from them, they start again.
struct BeaconSpot: Sendable {
  private var locator: BeaconLocator
  private var start: Double
  private var latest: Double
  private var strangers = 0

  static let guesses = 140
  /// Silence after which the guesses start again, seconds.
  private static let longestGap = 60.0
  /// A packet with less path loss than this comes from nearby, dB; and the distance from the guesses, metres,
  /// that contradicts it, and the number of such packets in a row that are believed.
  private static let (closeLoss, contradiction, belief) = (18.0, 15.0, 3)

  init(_ sites: [ReceiverSite], power: Double, seed: UInt64, receiver: Int, at time: Double) {
    let place = sites[receiver].position
    locator = BeaconLocator(
      sites: sites, measuredPower: power, count: Self.guesses, seed: seed,
      start: SIMD2(place.x, place.y))
    start = time
    latest = time
  }

  mutating func code(_ coder: inout StateCoder) {
    var power = locator.measuredPower
    coder.code(finite: &power)
    if coder.isReading {
      locator = BeaconLocator(sites: locator.sites, measuredPower: power, count: Self.guesses)
    }
    locator.code(&coder)
    coder.code(finite: &start)
    coder.code(finite: &latest)
    coder.code(&strangers, in: 0...Self.belief)
  }

  /// Whether the guesses say nothing about the tag any more, so that a new cloud must begin.
  mutating func isObsolete(for receiver: Int, loss: Double, at time: Double) -> Bool {
    guard time - latest <= Self.longestGap else { return true }
    guard loss < Self.closeLoss else { return false }
    let place = locator.sites[receiver].position
    let across = locator.position - SIMD2(place.x, place.y)
    guard (across * across).sum().squareRoot() > Self.contradiction else {
      strangers = 0
      return false
    }
    strangers += 1
    return strangers >= Self.belief
  }

  /// Adds a packet.
  ///
  /// - Parameter loss: Path loss, dB: the power at 1 m minus the RSSI.
  /// - Returns: Distance from the receiver, metres, and its standard deviation.
  mutating func add(receiver: Int, loss: Double, at time: Double) -> LocatedDistance? {
    latest = max(latest, time)
    return locator.update(
      site: receiver, rssi: locator.measuredPower - loss, at: .seconds(max(latest - start, 0)))
  }

  /// The position in the plan and its covariance, widened to what few guesses can resolve, metres.
  func spread() -> (position: SIMD2<Double>, xx: Double, yy: Double, xy: Double) {
    var spread = locator.spread
    spread.xx += 0.25
    spread.yy += 0.25
    return spread
  }
}
