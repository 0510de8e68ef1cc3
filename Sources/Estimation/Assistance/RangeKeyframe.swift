/// The ranges taken within a hand's breadth of one place, as one constraint.
struct RangeKeyframe: Equatable, Sendable {
  /// Mean place of the antenna, as tracked, metres.
  var position: SIMD3<Double>
  /// Integral of time over the antenna's way up to there, m·s: what a yaw rate acts on.
  var turnedWay: SIMD2<Double>
  /// Seconds since the first range; metres walked since then.
  var time: Double
  var path: Double
  /// Mean range, metres.
  var range: Double
  /// Ranges in it.
  var count: Double
  /// Of the antenna, m/s; single precision is plenty.
  var velocity: SIMD3<Float> = .zero
  /// Share of an independent measurement that it is worth, 0 to 1.
  var weight: Double
  /// Residual over sigma of the best hypothesis when last solved.
  var residual: Double = 0

  /// Takes one more range into the means.
  mutating func absorb(_ other: RangeKeyframe) {
    let total = count + other.count
    let share = other.count / total
    position += share * (other.position - position)
    turnedWay += share * (other.turnedWay - turnedWay)
    time += share * (other.time - time)
    path += share * (other.path - path)
    velocity += Float(share) * (other.velocity - velocity)
    range += share * (other.range - range)
    count = total
    weight = min(1, weight + other.weight)
  }
}

/// The constraints that are kept: evenly over the way, a bounded number.
struct KeyframeBuffer: Equatable, Sendable {
  private(set) var frames: [RangeKeyframe] = []
  let capacity: Int

  init(capacity: Int) {
    self.capacity = max(8, capacity)
    frames.reserveCapacity(self.capacity + 1)
  }

  var last: RangeKeyframe? { frames.last }

  mutating func append(_ frame: RangeKeyframe) {
    frames.append(frame)
    if frames.count > capacity { thin() }
  }

  mutating func absorb(_ frame: RangeKeyframe) {
    if frames.isEmpty { return append(frame) }
    frames[frames.count - 1].absorb(frame)
  }

  mutating func setResidual(_ residual: Double, at index: Int) { frames[index].residual = residual }

  /// Keeps only what is not older than a time.
  mutating func forget(before time: Double) { frames.removeAll { $0.time < time } }

  /// Drops the constraint whose absence leaves the shortest gap; its worth goes to its neighbours.
  private mutating func thin() {
    var chosen = 1
    var least = Double.infinity
    // Contradictions without end may be all there is of an object that moved, and stay. The newest has not
    // been compared yet.
    var settled = frames.count - 2
    while settled > 0, abs(frames[settled].residual) > 4 { settled -= 1 }
    for index in 1..<(frames.count - 2) {
      let (before, after) = (frames[index - 1], frames[index + 1])
      var gap = after.path - before.path + 0.02 * (after.time - before.time)
      if abs(frames[index].residual) > 6, index < settled { gap *= 0.2 }
      if gap < least { (least, chosen) = (gap, index) }
    }
    let half = frames[chosen].weight / 2
    let isOutlier = abs(frames[chosen].residual) > 6
    frames.remove(at: chosen)
    if isOutlier { return }
    frames[chosen].weight = min(1, frames[chosen].weight + half)
    frames[chosen - 1].weight = min(1, frames[chosen - 1].weight + half)
  }
}
