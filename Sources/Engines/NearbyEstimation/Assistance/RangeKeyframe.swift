/// The ranges measured within a hand's breadth of one place, as one constraint.
struct RangeKeyframe: Equatable, Sendable {
  /// Mean position of the antenna as tracked, metres.
  var position: SIMD3<Double>
  /// Integral of time over the antenna's way up to there, m·s, on which a yaw rate acts.
  var turnedWay: SIMD2<Double>
  /// Seconds since the first range, and metres walked since then.
  var time: Double
  var path: Double
  /// Mean range in metres.
  var range: Double
  /// Number of ranges it contains.
  var count: Float
  /// Number of the antenna, in the order in which the device's antennas were first heard.
  var antenna: Int32 = 0
  /// Velocity of the antenna, m/s; single precision is enough.
  var velocity: SIMD3<Float> = .zero
  /// Attitude as tracked, x, y, z, w.
  var worldFromDevice = SIMD4<Float>(0, 0, 0, 1)
  /// Worth in independent measurements: at most 1 until merged with a neighbour.
  var weight: Double
  /// Residual over sigma for the best hypothesis when last solved.
  var residual: Double = 0

  /// Merges another constraint of the same antenna: one range from the point between replaces both.
  ///
  /// That range follows from both by Stewart's theorem, `r² = Σ sᵢ rᵢ² − s₁ s₂ d²`.
  /// - Returns: Whether it merged; `false` if the object is too near for that.
  mutating func merge(_ other: RangeKeyframe) -> Bool {
    let worth = weight + other.weight
    let share = worth > 0 ? other.weight / worth : 0.5
    let apart = other.position - position
    let mean = (1 - share) * range * range + share * other.range * other.range
    let square = mean - share * (1 - share) * (apart * apart).sum()
    guard range > 0.5, other.range > 0.5, square > 0.5 * mean else { return false }
    let total = count + other.count
    blend(other, share: share)
    range = square.squareRoot()
    residual += share * (other.residual - residual)
    count = total
    weight = worth
    return true
  }

  /// Averages in one more range.
  mutating func absorb(_ other: RangeKeyframe) {
    let total = count + other.count
    blend(other, share: Double(other.count / total))
    count = total
    weight = max(weight, min(1, weight + other.weight))
  }

  private mutating func blend(_ other: RangeKeyframe, share: Double) {
    position += share * (other.position - position)
    turnedWay += share * (other.turnedWay - turnedWay)
    time += share * (other.time - time)
    path += share * (other.path - path)
    velocity += Float(share) * (other.velocity - velocity)
    let sign: Float = (worldFromDevice * other.worldFromDevice).sum() < 0 ? -1 : 1
    worldFromDevice += Float(share) * (sign * other.worldFromDevice - worldFromDevice)
    worldFromDevice /= max(1e-9, (worldFromDevice * worldFromDevice).sum().squareRoot())
    range += share * (other.range - range)
  }
}

/// A bounded number of range constraints, spread evenly over the way.
struct KeyframeBuffer: Equatable, Sendable {
  private(set) var frames: [RangeKeyframe] = []
  let capacity: Int
  /// Whether a constraint may have been an outlier when residuals were last stored. Those that came since have none,
  /// and a merged one's lies between those of its parts.
  private var mayHoldOutliers = false
  /// Residual of an outlier in standard deviations.
  private static let outlier = 6.0

  init(capacity: Int) {
    self.capacity = max(8, capacity)
    frames.reserveCapacity(self.capacity + 1)
  }

  var last: RangeKeyframe? { frames.last }

  /// Worth of all constraints together, in independent measurements.
  var worth: Double { frames.reduce(0) { $0 + $1.weight } }

  /// Whether `worth` exceeds a limit; reads only as many constraints as that takes.
  func isWorth(moreThan limit: Double) -> Bool {
    var sum = 0.0
    return frames.contains { frame in
      sum += frame.weight
      return sum > limit
    }
  }

  mutating func append(_ frame: RangeKeyframe) {
    frames.append(frame)
    if frames.count > capacity { thin() }
  }

  mutating func absorb(_ frame: RangeKeyframe, at index: Int) { frames[index].absorb(frame) }

  /// Index of an antenna's newest constraint, if it is among the last four.
  func newest(of antenna: Int32) -> Int? {
    frames.indices.suffix(4).last { frames[$0].antenna == antenna }
  }

  /// Stores the residuals of the constraints from `start` on, up to `end` and four at most.
  @inline(__always)
  mutating func setResiduals(of terms: RangeTerms, from start: Int, to end: Int) {
    let residuals = terms.residual / terms.variance.squareRoot()
    if start == 0 { mayHoldOutliers = false }
    if (residuals * residuals).max() > Self.outlier * Self.outlier { mayHoldOutliers = true }
    for lane in 0..<min(RangeLanes.count, end - start) {
      frames[start + lane].residual = residuals[lane]
    }
  }

  /// Drops the constraints from before a time.
  mutating func forget(before time: Double) { frames.removeAll { $0.time < time } }

  /// Drops the constraint whose absence leaves the shortest gap, and gives its worth to its neighbours.
  private mutating func thin() {
    let chosen = leastMissed()
    if merge(chosen) { return }
    let half = frames[chosen].weight / 2
    let isOutlier = Self.isOutlier(frames[chosen])
    frames.remove(at: chosen)
    if isOutlier { return }
    for index in (chosen - 1)...chosen {
      frames[index].weight = max(frames[index].weight, min(1, frames[index].weight + half))
    }
  }

  /// Index of the constraint whose absence leaves the shortest gap; neither the first nor one of the last two.
  private func leastMissed() -> Int {
    let frames = frames.span
    // An unbroken run of contradictions at the end may be the only evidence of an object that moved, so it
    // stays. The newest constraint has no residual yet.
    var settled = frames.count - 2
    while settled > 0, abs(frames[settled].residual) > 4 { settled -= 1 }
    var chosen = 1
    var least = Double.infinity
    // A constraint's place on the way: a second at rest counts as 2 cm.
    func place(_ index: Int) -> Double { frames[index].path + 0.02 * frames[index].time }
    var (before, here) = (place(0), place(1))
    for index in 1..<(frames.count - 2) {
      let after = place(index + 1)
      if after - before < least { (least, chosen) = (after - before, index) }
      (before, here) = (here, after)
    }
    guard mayHoldOutliers else { return chosen }
    // An outlier goes before others.
    for index in 1..<max(1, min(settled, frames.count - 2)) where Self.isOutlier(frames[index]) {
      let gap = 0.2 * (place(index + 1) - place(index - 1))
      if gap < least { (least, chosen) = (gap, index) }
    }
    return chosen
  }

  private static func isOutlier(_ frame: RangeKeyframe) -> Bool { abs(frame.residual) > outlier }

  /// Merges a constraint with its nearest neighbour of the same antenna, if they agree.
  ///
  /// - Returns: Whether it did.
  private mutating func merge(_ chosen: Int) -> Bool {
    let frame = frames[chosen]
    var partner: Int?
    var nearest = Double.infinity
    for index in max(0, chosen - 3)...min(frames.count - 2, chosen + 3) where index != chosen {
      guard frames[index].antenna == frame.antenna else { continue }
      let gap = abs(frames[index].path - frame.path) + 0.02 * abs(frames[index].time - frame.time)
      if gap < nearest { (nearest, partner) = (gap, index) }
    }
    guard let partner, abs(frames[partner].residual - frame.residual) < 3,
      frames[partner].weight + frame.weight > 1
    else { return false }
    guard frames[partner].merge(frame) else { return false }
    var index = partner
    frames.remove(at: chosen)
    if index > chosen { index -= 1 }
    while index > 0, frames[index - 1].time > frames[index].time {
      frames.swapAt(index, index - 1)
      index -= 1
    }
    while index + 1 < frames.count, frames[index + 1].time < frames[index].time {
      frames.swapAt(index, index + 1)
      index += 1
    }
    return true
  }
}
