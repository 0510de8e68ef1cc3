/// The angles measured from about one place in about one attitude, as one constraint.
struct AngleKeyframe: Equatable, Sendable {
  /// Position of the antenna as tracked, metres; `turnedWay` is the integral of time over its way, see
  /// `RangeKeyframe`.
  var position: SIMD3<Double>
  var worldFromDevice: SIMD4<Double>
  var turnedWay: SIMD2<Double>
  var velocity: SIMD3<Float>
  /// Seconds since the first range, and metres walked since then.
  var time: Double
  var path: Double
  /// Means in radians. An angle that was not measured has an infinite standard deviation.
  var azimuth: Double
  var elevation: Double
  var azimuthSigma: Double
  var elevationSigma: Double
  var count: Double = 1
  /// Worth as a share of an independent measurement, 0 to 1.
  var weight: Double

  /// Averages in another reading of the same attitude, which must measure the same angles.
  mutating func absorb(_ other: AngleKeyframe) {
    let total = count + other.count
    let share = other.count / total
    azimuth += share * Self.wrapped(other.azimuth - azimuth)
    elevation += share * (other.elevation - elevation)
    azimuthSigma += share * (other.azimuthSigma - azimuthSigma)
    elevationSigma += share * (other.elevationSigma - elevationSigma)
    position += share * (other.position - position)
    turnedWay += share * (other.turnedWay - turnedWay)
    time += share * (other.time - time)
    path += share * (other.path - path)
    let sign = (worldFromDevice * other.worldFromDevice).sum() < 0 ? -1.0 : 1.0
    worldFromDevice += share * (sign * other.worldFromDevice - worldFromDevice)
    worldFromDevice /= (worldFromDevice * worldFromDevice).sum().squareRoot()
    count = total
    weight = min(1, weight + other.weight)
  }

  func isNear(_ other: AngleKeyframe) -> Bool {
    let moved = HypothesisSolver.length(other.position - position)
    let cosine = (worldFromDevice * other.worldFromDevice).sum().magnitude
    // The cosine is that of half the turn: 0.996 stands for 10°.
    return moved < 0.15 && cosine > 0.996 && other.time - time < 1
      && azimuthSigma.isFinite == other.azimuthSigma.isFinite
      && elevationSigma.isFinite == other.elevationSigma.isFinite
      && abs(Self.wrapped(other.azimuth - azimuth)) < 0.3 && abs(other.elevation - elevation) < 0.3
  }

  static func wrapped(_ angle: Double) -> Double {
    angle - 2 * .pi * (angle / (2 * .pi)).rounded()
  }
}

/// A bounded number of angle constraints, spread evenly over time.
struct AngleBuffer: Equatable, Sendable {
  private(set) var frames: [AngleKeyframe] = []
  /// Chosen; `Docs/assistance.md`, section 5. Bounds memory and the cost of a fit.
  static let capacity = 16

  init() { frames.reserveCapacity(Self.capacity + 1) }

  /// Adds a constraint, or merges it into the last one if it is near.
  ///
  /// - Returns: Whether it became a constraint of its own.
  mutating func add(_ frame: AngleKeyframe) -> Bool {
    if let last = frames.last, last.isNear(frame) {
      frames[frames.count - 1].absorb(frame)
      return false
    }
    frames.append(frame)
    if frames.count > Self.capacity { thin() }
    return true
  }

  mutating func forget(before time: Double) { frames.removeAll { $0.time < time } }

  private mutating func thin() {
    var chosen = 1
    var least = Double.infinity
    for index in 1..<(frames.count - 1) {
      let gap = frames[index + 1].time - frames[index - 1].time
      if gap < least { (least, chosen) = (gap, index) }
    }
    frames.remove(at: chosen)
  }
}
