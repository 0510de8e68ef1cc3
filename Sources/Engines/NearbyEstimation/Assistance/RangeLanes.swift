/// Up to four range constraints side by side.
struct RangeLanes {
  var position: LaneVector
  var turnedWayX: Lanes
  var turnedWayY: Lanes
  var velocity: LaneVector
  var worldFromDevice: LaneTurn
  var time: Lanes
  var path: Lanes
  var range: Lanes
  /// Worth in independent measurements; 0 in lanes that are left over, which repeat the last constraint.
  var weight: Lanes
  /// 1 for ranges of the device's second antenna, 0 for others.
  var isSecond: Lanes

  static let count = 4

  /// The constraints from `start` on, up to `end` and four at most; there must be one.
  @inline(__always)
  init(_ frames: Span<RangeKeyframe>, from start: Int, to end: Int) {
    let last = end - 1
    self.init(
      frames[start], frames[min(start + 1, last)], frames[min(start + 2, last)], frames[min(start + 3, last)])
    if start + 3 > last {
      for lane in (end - start)..<Self.count { weight[lane] = 0 }
    }
  }

  /// One constraint.
  init(_ frame: RangeKeyframe) { self.init(frame, frame, frame, frame) }

  @inline(__always)
  private init(_ a: RangeKeyframe, _ b: RangeKeyframe, _ c: RangeKeyframe, _ d: RangeKeyframe) {
    position = LaneVector(
      Lanes(a.position.x, b.position.x, c.position.x, d.position.x),
      Lanes(a.position.y, b.position.y, c.position.y, d.position.y),
      Lanes(a.position.z, b.position.z, c.position.z, d.position.z))
    turnedWayX = Lanes(a.turnedWay.x, b.turnedWay.x, c.turnedWay.x, d.turnedWay.x)
    turnedWayY = Lanes(a.turnedWay.y, b.turnedWay.y, c.turnedWay.y, d.turnedWay.y)
    velocity = LaneVector(
      Self.lanes(a.velocity.x, b.velocity.x, c.velocity.x, d.velocity.x),
      Self.lanes(a.velocity.y, b.velocity.y, c.velocity.y, d.velocity.y),
      Self.lanes(a.velocity.z, b.velocity.z, c.velocity.z, d.velocity.z))
    let (p, q, r, s) = (a.worldFromDevice, b.worldFromDevice, c.worldFromDevice, d.worldFromDevice)
    worldFromDevice = LaneTurn(
      vector: LaneVector(
        Self.lanes(p.x, q.x, r.x, s.x), Self.lanes(p.y, q.y, r.y, s.y), Self.lanes(p.z, q.z, r.z, s.z)),
      scalar: Self.lanes(p.w, q.w, r.w, s.w))
    time = Lanes(a.time, b.time, c.time, d.time)
    path = Lanes(a.path, b.path, c.path, d.path)
    range = Lanes(a.range, b.range, c.range, d.range)
    weight = Lanes(a.weight, b.weight, c.weight, d.weight)
    isSecond = Lanes(Self.second(a), Self.second(b), Self.second(c), Self.second(d))
  }

  @inline(__always)
  private static func lanes(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Lanes {
    Lanes(Double(a), Double(b), Double(c), Double(d))
  }

  @inline(__always)
  private static func second(_ frame: RangeKeyframe) -> Double { frame.antenna == 1 ? 1 : 0 }
}

/// What up to four ranges contribute to the sums of a fit.
struct RangeTerms {
  /// Derivatives of the range: by the state, then by the antenna's shift in the device frame.
  var jacobian: InlineArray<8, Lanes>
  var side: LaneVector
  /// 1 for ranges of the second antenna, 0 for others: the derivative by the excess of its bias.
  var isSecond: Lanes
  /// Measured less predicted, metres.
  var residual: Lanes
  /// Weight in the Gauss–Newton step.
  var information: Lanes
  /// Squared residual over its variance.
  var ratio: Lanes
  /// Variance of the range and of the track's drift since, metres².
  var variance: Lanes
  /// Degrees of freedom of the error's Student-t law.
  var freedom: Lanes
  /// Worth in independent measurements, at most 1.
  var weight: Lanes
  /// Seconds and metres of way since the measurement.
  var age: Lanes
  var way: Lanes
}
