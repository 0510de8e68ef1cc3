import NearbyMaths
import NearbySchedule
import NearbyStateOctets

/// Locates a beacon that several receivers at known places hear, and computes its distance from each.
///
/// It is a particle filter: a cloud of guesses of the beacon's position and velocity. Every packet raises the
/// weight of the guesses that explain how strongly that receiver heard it. The receivers fade independently,
/// so together they show what none can show alone. A phone has no other receivers and uses `PathLossFilter`
/// alone. Source: `Docs/beacons.md`, section 5.
package struct BeaconLocator: Sendable {
  /// Position and velocity in the plane, metres and metres per second, and weight.
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

  /// Assumed height of a carried beacon, metres.
  private static let height = 1.3
  /// How far beyond the outermost receivers guesses may lie, metres.
  private static let margin = 1.5
  /// Fading at one receiver, dB, and degrees of freedom of its Student distribution: deep fades are common.
  private static let (fading, freedom) = (7.0, 6.0)
  /// Exponent of a packet's likelihood. Packets at one receiver are not independent, so two count as much as
  /// one.
  /// How much weaker a beacon is behind the person who carries it than in front of them, dB.
  private static let body = 6.0
  /// How people walk: speed along each axis, metres per second, and how long they keep their course, seconds.
  private static let (speed, persistence) = (0.8, 3.0)
  /// Shortest time after which the guesses are moved, seconds; packets that arrive together share a step.
  private static let step = 0.05

  /// - Parameters:
  ///   - measuredPower: Power at 1 m in dBm.
  ///   - count: Number of guesses; the work per packet is proportional to it.
  ///   - start: Where the beacon is at first, metres, give or take `reach` along each axis; `nil` if it can be
  ///     anywhere. A few guesses suffice for a large building if they start around the first receiver.
  package init(
    sites: [ReceiverSite], measuredPower: Double = Double(IBeacon.usualMeasuredPower),
    model: PathLossModel = PathLossModel(), count: Int = 3000, seed: UInt64 = 1,
    start: SIMD2<Double>? = nil, reach: Double = 15
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
    guesses.reserveCapacity(max(count, 1))
    var (low, high) = (lowest, highest)
    if let start {
      low = pointwiseMin(pointwiseMax(start - reach, lowest), highest)
      high = pointwiseMin(pointwiseMax(start + reach, lowest), highest)
    }
    for _ in 0..<max(count, 1) {
      let place = SIMD2(noise.uniform(), noise.uniform()) * (high - low) + low
      guesses.append(
        Guess(position: place, velocity: SIMD2(noise.lightNormal(), noise.lightNormal()) * Self.speed))
    }
  }

  /// Writes what the packets taught, or reads what another locator with the same receivers, model and number of guesses
  /// wrote: it then continues exactly as that one.
  package mutating func code(_ coder: inout StateCoder) {
    for index in guesses.indices {
      coder.code(&guesses[index].position)
      coder.code(&guesses[index].velocity)
      coder.code(&guesses[index].weight)
      let guess = guesses[index]
      coder.require((guess.position + guess.velocity).sum().isFinite && guess.weight.isFinite)
    }
    var seed = noise.seed
    coder.code(&seed)
    noise = SplitMix64(seed: seed)
    coder.code(&lastTime, new: .zero) { coder, time in
      var (seconds, attoseconds) = time.components
      coder.code(&seconds)
      coder.code(&attoseconds)
      coder.require(
        (0...10_000_000_000).contains(seconds) && attoseconds.magnitude < 1_000_000_000_000_000_000)
      if !coder.isBroken { time = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds) }
    }
    coder.code(finite: &pending)
  }

  /// Adds a packet that a receiver heard.
  ///
  /// - Parameters:
  ///   - site: Index of the receiver in `sites`.
  ///   - rssi: In dBm.
  /// - Returns: The beacon's distance from that receiver; `nil` for an unknown receiver or an RSSI that is
  ///   not finite.
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

  /// Moves the guesses as people walk, and reflects them at the edge of the area.
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

  /// Weighs each guess by how well it explains a packet. Source: `Docs/beacons.md`, equation 6.
  private mutating func weigh(_ site: SIMD3<Double>, _ rssi: Double) {
    // The natural logarithm of 10: path loss is in decibels.
    let perLog = 10 * exponent / 2.302_585_092_994_046
    let up = site.z - Self.height
    var sum = 0.0
    for index in guesses.indices {
      let guess = guesses[index]
      let across = guess.position - SIMD2(site.x, site.y)
      let flat = (across * across).sum()
      let square = max(flat + up * up, 0.3 * 0.3)
      let speed = (guess.velocity * guess.velocity).sum().squareRoot() + 0.1
      let away = (across * guess.velocity).sum() / (speed * max(flat.squareRoot(), 0.3))
      let expected = measuredPower - perLog / 2 * Maths.log(square) - Self.body / 2 * away
      let surprise = (rssi - expected) / Self.fading
      // The likelihood's exponent (freedom + 1) / 2, halved by the trust, is 1.75 = 1 + 1/2 + 1/4. Roots are far
      // faster than a logarithm and an exponential.
      let base = 1 + surprise * surprise / Self.freedom
      let root = base.squareRoot()
      guesses[index].weight /= base * root * root.squareRoot()
      sum += guesses[index].weight
    }
    for index in guesses.indices { guesses[index].weight /= sum }
  }

  /// The harmonic mean of the guesses' distances, which has the least relative error.
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

  /// Replaces unlikely guesses by copies of likely ones, once fewer than half of them carry the weight.
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
    // Rounding can leave some places unfilled.
    while kept.count < guesses.count, let last = kept.last { kept.append(last) }
    if !kept.isEmpty { guesses = kept }
  }

  /// Estimated position of the beacon, the weighted mean of the guesses, metres.
  package var position: SIMD2<Double> {
    let sum = guesses.reduce(0) { $0 + $1.weight }
    return guesses.reduce(SIMD2<Double>.zero) { $0 + $1.weight * $1.position } / sum
  }

  /// The position, metres, and the covariance of its error, m²: variances along x and y, and their covariance.
  package var spread: (position: SIMD2<Double>, xx: Double, yy: Double, xy: Double) {
    var (sum, mean) = (0.0, SIMD2<Double>.zero)
    var (square, product) = (SIMD2<Double>.zero, 0.0)
    for guess in guesses {
      // Relative to the lower corner, so that far from the origin no digits are lost.
      let place = guess.position - lowest
      sum += guess.weight
      mean += guess.weight * place
      square += guess.weight * place * place
      product += guess.weight * place.x * place.y
    }
    mean /= sum
    let variance = square / sum - mean * mean
    return (lowest + mean, max(variance.x, 0), max(variance.y, 0), product / sum - mean.x * mean.y)
  }
}

/// Distance of a beacon from one receiver, as estimated from all receivers.
package struct LocatedDistance: Hashable, Sendable {
  /// In metres.
  package let distance: Double
  /// One standard deviation in metres, greater than 0.
  package let sigma: Double

  /// Probability of each zone, assuming a normal distribution of the distance.
  func shares() -> (immediate: Double, near: Double, far: Double) {
    let inner = Maths.normalShare(below: (Proximity.borders.immediate - distance) / sigma)
    let outer = Maths.normalShare(below: (Proximity.borders.near - distance) / sigma)
    return (inner, outer - inner, 1 - outer)
  }
}

extension ProximityTracker {
  /// Adds an estimate that was made from several receivers.
  @discardableResult
  package mutating func update(_ located: LocatedDistance, at time: Duration) -> Proximity {
    let shares = located.shares()
    return update(immediate: shares.immediate, near: shares.near, far: shares.far, at: time)
  }
}
