import NearbyMaths
import NearbySchedule

/// Finds a beacon that several receivers of known places hear, and with it its distance from each.
///
/// A cloud of guesses of where the beacon is and how it moves; every packet makes those likelier at whose
/// place that receiver would hear it so. One receiver's fades are unlike another's, so the many say together
/// what none can say alone. A phone has no such places: there `PathLossFilter` stands alone. Docs/beacons.md,
/// "Several receivers".
package struct BeaconLocator: Sendable {
  /// Position and velocity in the plane, metres and metres a second, and weight.
  struct Guess: Sendable {
    var position: SIMD2<Double>
    var velocity: SIMD2<Double>
    var weight = 1.0
  }

  package let sites: [ReceiverSite]
  package let measuredPower: Double
  private let exponent: Double
  private let lowest: SIMD2<Double>
  private let highest: SIMD2<Double>
  private var guesses: [Guess]
  private var noise: SplitMix64
  private var lastTime: Duration?
  private var pending = 0.0

  /// A carried beacon's height, metres.
  private static let height = 1.3
  /// How far beyond the outermost receivers a beacon is looked for, metres.
  private static let margin = 1.5
  /// Of the fading at one receiver, dB, and the degrees of freedom of its distribution: deep fades are common.
  private static let (fading, freedom) = (7.0, 6.0)
  /// The power of a packet's likelihood: two packets of one receiver tell as much as one of a new one.
  private static let trust = 0.5
  /// A person's own body takes this from what is behind, over what is before, dB.
  private static let body = 6.0
  /// A walk: speed along each axis, metres a second, and how long it keeps its course, seconds.
  private static let (speed, persistence) = (0.8, 3.0)
  /// Packets that come together move nothing, seconds.
  private static let step = 0.05

  /// - Parameters:
  ///   - measuredPower: dBm at 1 m.
  ///   - count: Guesses; the work of a packet grows with it.
  package init(
    sites: [ReceiverSite], measuredPower: Double = Double(IBeacon.usualMeasuredPower),
    model: PathLossModel = PathLossModel(), count: Int = 3000, seed: UInt64 = 1
  ) {
    self.sites = sites
    self.measuredPower = measuredPower
    exponent = model.exponent
    let places = sites.map { SIMD2($0.position.x, $0.position.y) }
    let first = places.first ?? .zero
    lowest = places.reduce(first) { pointwiseMin($0, $1) } - Self.margin
    highest = places.reduce(first) { pointwiseMax($0, $1) } + Self.margin
    noise = SplitMix64(seed: seed)
    guesses = []
    for _ in 0..<max(count, 1) {
      let place = SIMD2(noise.uniform(), noise.uniform()) * (highest - lowest) + lowest
      guesses.append(
        Guess(position: place, velocity: SIMD2(noise.lightNormal(), noise.lightNormal()) * Self.speed))
    }
  }

  /// Takes what a receiver heard.
  ///
  /// - Returns: How far the beacon is from that receiver; `nil` for one without a place.
  package mutating func update(site: Int, rssi: Double, at time: Duration) -> LocatedDistance? {
    guard sites.indices.contains(site), rssi.isFinite else { return nil }
    pending += max((time - (lastTime ?? time)).inSeconds, 0)
    lastTime = max(time, lastTime ?? time)
    if pending > Self.step {
      move(min(pending, 60))
      pending = 0
    }
    weigh(sites[site].position, min(max(rssi, -150), 50))
    let told = distance(from: sites[site].position)
    resampleIfNeeded()
    return told
  }

  private mutating func move(_ seconds: Double) {
    let keeps = Maths.exp(-seconds / Self.persistence)
    let spread = Self.speed * (1 - keeps * keeps).squareRoot()
    // Metres in a second. Chosen: guesses at one place spread, though nothing moves.
    let jitter = 0.1 * seconds.squareRoot()
    for index in guesses.indices {
      var guess = guesses[index]
      guess.velocity = keeps * guess.velocity + spread * SIMD2(noise.lightNormal(), noise.lightNormal())
      let moved =
        guess.position + seconds * guess.velocity + jitter * SIMD2(noise.lightNormal(), noise.lightNormal())
      guess.position = pointwiseMin(pointwiseMax(moved, lowest), highest)
      if guess.position != moved { guess.velocity = -guess.velocity }
      guesses[index] = guess
    }
  }

  private mutating func weigh(_ site: SIMD3<Double>, _ rssi: Double) {
    // The natural logarithm of 10: path loss is in decibels.
    let perLog = 10 * exponent / 2.302_585_092_994_046
    let power = -Self.trust * (Self.freedom + 1) / 2
    var sum = 0.0
    for index in guesses.indices {
      let guess = guesses[index]
      let across = guess.position - SIMD2(site.x, site.y)
      let flat = (across * across).sum()
      let up = site.z - Self.height
      let distance = max((flat + up * up).squareRoot(), 0.3)
      let speed = (guess.velocity * guess.velocity).sum().squareRoot() + 0.1
      let away = (across * guess.velocity).sum() / (speed * max(flat.squareRoot(), 0.3))
      let expected = measuredPower - perLog * Maths.log(distance) - Self.body / 2 * away
      let surprise = (rssi - expected) / Self.fading
      guesses[index].weight *= Maths.exp(
        power * Maths.log(1 + surprise * surprise / Self.freedom))
      sum += guesses[index].weight
    }
    for index in guesses.indices { guesses[index].weight /= sum }
  }

  /// The distance with the least error by proportion: the harmonic mean of the guesses'.
  private func distance(from site: SIMD3<Double>) -> LocatedDistance {
    var (mean, square, inverse) = (0.0, 0.0, 0.0)
    for guess in guesses {
      let across = guess.position - SIMD2(site.x, site.y)
      let up = site.z - Self.height
      let distance = max(((across * across).sum() + up * up).squareRoot(), 0.1)
      mean += guess.weight * distance
      square += guess.weight * distance * distance
      inverse += guess.weight / distance
    }
    let told = 1 / inverse
    let spread = max(square - mean * mean, 0) + (mean - told) * (mean - told)
    return LocatedDistance(distance: told, sigma: max(spread.squareRoot(), 0.05))
  }

  private mutating func resampleIfNeeded() {
    let concentration = guesses.reduce(0) { $0 + $1.weight * $1.weight }
    guard 1 / concentration < Double(guesses.count) / 2 else { return }
    let share = 1 / Double(guesses.count)
    var (kept, reached, next) = ([Guess](), 0.0, noise.uniform() * share)
    kept.reserveCapacity(guesses.count)
    for guess in guesses {
      reached += guess.weight
      while next < reached, kept.count < guesses.count {
        kept.append(Guess(position: guess.position, velocity: guess.velocity, weight: share))
        next += share
      }
    }
    // What rounding leaves out.
    while kept.count < guesses.count, let last = kept.last { kept.append(last) }
    if !kept.isEmpty { guesses = kept }
  }

  /// Where the beacon is, metres, the mean of the guesses.
  package var position: SIMD2<Double> {
    let sum = guesses.reduce(0) { $0 + $1.weight }
    return guesses.reduce(SIMD2<Double>.zero) { $0 + $1.weight * $1.position } / sum
  }
}

/// How far a beacon is from a receiver, as several receivers tell together.
package struct LocatedDistance: Hashable, Sendable {
  /// Metres.
  package let distance: Double
  /// One standard deviation, metres, > 0.
  package let sigma: Double

  /// How likely each zone is, taking the distance as normal.
  func shares() -> (immediate: Double, near: Double, far: Double) {
    let inner = Maths.normalShare(below: (Proximity.borders.immediate - distance) / sigma)
    let outer = Maths.normalShare(below: (Proximity.borders.near - distance) / sigma)
    return (inner, outer - inner, 1 - outer)
  }
}

extension ProximityTracker {
  /// Takes what several receivers told together.
  @discardableResult
  package mutating func take(_ located: LocatedDistance, at time: Duration) -> Proximity {
    let shares = located.shares()
    return take(immediate: shares.immediate, near: shares.near, far: shares.far, at: time)
  }
}
