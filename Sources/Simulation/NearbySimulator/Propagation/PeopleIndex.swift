import NearbySchedule

/// An index of where people may be during the next half second, so that a link tests only those nearby.
///
/// Squares of the ground, hashed into buckets. The candidates may include people who are not in the way but
/// never omit one who is, so results do not depend on when the index was built.
struct PeopleIndex: Sendable {
  struct Entry {
    /// Metres.
    var position: SIMD2<Double>
    /// Maximum distance of the person's outline from the position, metres.
    var reach: Double
    /// Greatest speed, metres a second.
    var speed: Double
  }

  /// Side of a square, metres, and lifetime of an index, seconds. They affect cost, not results.
  private static let side = 6.0
  private static let lifetime = 0.5
  /// People who may move farther than this, metres, are candidates everywhere: squares would not narrow them
  /// down.
  private static let farthestReach = 60.0
  private var madeAt: Double?
  private var bucketStarts: [Int32] = []
  private var members: [Int32] = []
  private var everywhere: [Int] = []

  mutating func expire() { madeAt = nil }

  func isStale(at seconds: Double) -> Bool {
    guard let madeAt else { return true }
    return abs(seconds - madeAt) > Self.lifetime
  }

  /// Rebuilds the index: a counting sort of people into the buckets of all squares they may reach.
  mutating func rebuild(at seconds: Double, _ entries: [Entry]) {
    var bits = 4
    while (1 << bits) < 2 * entries.count { bits += 1 }
    let count = 1 << bits
    var places: [(bucket: Int, index: Int32)] = []
    everywhere = []
    for (index, entry) in entries.enumerated() {
      let farthest = entry.reach + entry.speed * Self.lifetime
      guard farthest < Self.farthestReach else {
        everywhere.append(index)
        continue
      }
      let reach = SIMD2(repeating: farthest)
      let low = Self.square(of: entry.position - reach)
      let high = Self.square(of: entry.position + reach)
      for x in low.x...high.x {
        for y in low.y...high.y { places.append((Self.bucket(x, y, count), Int32(index))) }
      }
    }
    var starts = [Int32](repeating: 0, count: count + 1)
    for place in places { starts[place.bucket + 1] += 1 }
    for bucket in 0..<count { starts[bucket + 1] += starts[bucket] }
    var next = starts
    var members = [Int32](repeating: 0, count: places.count)
    for place in places {
      members[Int(next[place.bucket])] = place.index
      next[place.bucket] += 1
    }
    self.members = members
    bucketStarts = starts
    madeAt = seconds
  }

  /// Indices of all people who may be in the way of a straight line, ascending and unique.
  func candidates(from a: SIMD3<Double>, to b: SIMD3<Double>) -> [Int] {
    let count = bucketStarts.count - 1
    guard count > 0, !members.isEmpty else { return everywhere }
    var found = everywhere
    let step = SIMD2(b.x - a.x, b.y - a.y)
    let length = (step * step).sum().squareRoot()
    // Half a square between samples, plus a quarter square of margin around each, misses no square on the
    // line.
    let samples = Int(min(length / (Self.side / 2), 200_000)) + 1
    var last: SIMD2<Int>?
    for sample in 0...samples {
      let part = Double(sample) / Double(samples)
      let point = SIMD2(a.x, a.y) + step * part
      let low = Self.square(of: point - Self.side / 4)
      let high = Self.square(of: point + Self.side / 4)
      if let last, last == low, low == high { continue }
      last = low == high ? low : nil
      for x in low.x...high.x {
        for y in low.y...high.y {
          let bucket = Self.bucket(x, y, count)
          for slot in bucketStarts[bucket]..<bucketStarts[bucket + 1] {
            found.append(Int(members[Int(slot)]))
          }
        }
      }
    }
    guard found.count > 1 else { return found }
    found.sort()
    var unique: [Int] = []
    for index in found where unique.last != index { unique.append(index) }
    return unique
  }

  private static func square(of point: SIMD2<Double>) -> SIMD2<Int> {
    func index(_ metres: Double) -> Int {
      metres.isFinite ? Int(min(1e9, max(-1e9, (metres / side).rounded(.down)))) : 0
    }
    return SIMD2(index(point.x), index(point.y))
  }

  private static func bucket(_ x: Int, _ y: Int, _ count: Int) -> Int {
    let mixed = SplitMix64.mixed(
      UInt64(truncatingIfNeeded: x) &* SplitMix64.increment ^ UInt64(truncatingIfNeeded: y))
    return Int(truncatingIfNeeded: mixed & UInt64(count - 1))
  }
}
