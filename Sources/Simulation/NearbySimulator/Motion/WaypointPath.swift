import NearbyMaths

/// A walk through points at given speeds, with rounded corners and rests.
///
/// The speed is constant on each leg. Around a waypoint the velocity changes linearly from one leg's to the
/// next's, over `blend` seconds on either side, so the acceleration stays finite and the corner is a
/// parabola: p(s) = p₋ + v₋·s + (v₊ − v₋)·s²/(4τ), with s from 0 to 2τ and τ the time on either side.
package struct WaypointPath: Equatable, Sendable {
  /// One stop of the walk.
  package struct Waypoint: Equatable, Sendable {
    /// Metres.
    package var position: SIMD3<Double>
    /// Speed on the leg that ends here, metres a second, > 0. Only loops use that of the first waypoint.
    package var speed: Double
    /// Rest after arrival, seconds, ≥ 0.
    package var rest: Double

    package init(_ position: SIMD3<Double>, speed: Double = 1.2, rest: Double = 0) {
      self.position = position
      self.speed = speed
      self.rest = rest
    }
  }

  /// World time of each knot, seconds, strictly increasing.
  private let times: [Double]
  private let positions: [SIMD3<Double>]
  /// Heading on the leg after each knot, radians clockwise from north; a rest keeps the previous heading.
  private let headings: [Double]
  package let isLoop: Bool
  /// Time on either side of a corner that is rounded, seconds.
  package let blend: Double
  /// The waypoints the path was built from.
  package let waypoints: [Waypoint]

  /// A walk that starts at the first waypoint at `start` seconds of world time. Without waypoints the body
  /// rests at the origin. Speeds are raised to at least 1 mm/s; negative rests count as 0.
  package init(_ waypoints: [Waypoint], start: Double = 0, isLoop: Bool = false, blend: Double = 0.4) {
    self.blend = blend
    self.waypoints = waypoints
    var stops = waypoints
    if isLoop, let first = waypoints.first { stops.append(first) }
    var times: [Double] = []
    var positions: [SIMD3<Double>] = []
    var now = start
    for stop in stops {
      if let last = positions.last {
        let length = (stop.position - last).length
        // Knots need distinct times, so a leg of length zero takes a moment.
        now += max(length / max(stop.speed, 1e-3), 1e-6)
      }
      times.append(now)
      positions.append(stop.position)
      if stop.rest > 0 {
        now += stop.rest
        times.append(now)
        positions.append(stop.position)
      }
    }
    self.times = times
    self.positions = positions
    self.isLoop = isLoop && times.count > 1
    headings = Self.headings(of: positions)
  }

  /// Greatest speed of any leg, metres a second. Computed on demand to keep bodies small.
  package var topSpeed: Double {
    (isLoop ? waypoints[...] : waypoints.dropFirst()).reduce(0) { max($0, $1.speed) }
  }

  /// World time at which the walk begins, seconds.
  package var start: Double { times.first ?? 0 }

  /// World time at which the walk, or the first round of a loop, ends, seconds.
  package var end: Double { times.last ?? 0 }

  /// The heading after each knot. A vertical leg keeps the previous heading; a path without any has heading
  /// 0.
  private static func headings(of positions: [SIMD3<Double>]) -> [Double] {
    var headings: [Double?] = []
    var known: Double?
    for index in positions.indices {
      if index + 1 < positions.count {
        let leg = positions[index + 1] - positions[index]
        if leg.x * leg.x + leg.y * leg.y > 1e-12 { known = Maths.atan2(leg.x, leg.y) }
      }
      headings.append(known)
    }
    let first = headings.lazy.compactMap { $0 }.first ?? 0
    return headings.map { $0 ?? first }
  }

  /// Position and velocity at `seconds` of world time.
  package func motion(at seconds: Double) -> (position: SIMD3<Double>, velocity: SIMD3<Double>) {
    guard let first = positions.first else { return (.zero, .zero) }
    guard times.count > 1 else { return (first, .zero) }
    let (time, isFirstRound) = withinRound(seconds)
    if let corner = corner(at: time, isFirstRound: isFirstRound) {
      let before = velocity(ofLeg: corner.knot - 1)
      let change = velocity(ofLeg: corner.knot) - before
      let part = corner.into / (2 * corner.reach)
      let from = positions[corner.knot] - before * corner.reach
      return (
        from + before * corner.into + change * (corner.into * part / 2), before + change * part
      )
    }
    let leg = leg(at: time)
    guard leg >= 0 else { return (first, .zero) }
    let velocity = velocity(ofLeg: leg)
    return (positions[leg] + velocity * (time - times[leg]), velocity)
  }

  /// Heading at `seconds` of world time, radians clockwise from north; it changes smoothly at corners.
  package func heading(at seconds: Double) -> Double {
    guard times.count > 1 else { return headings.first ?? 0 }
    let (time, isFirstRound) = withinRound(seconds)
    guard let corner = corner(at: time, isFirstRound: isFirstRound) else {
      return headings[headingIndex(max(leg(at: time), 0))]
    }
    let before = headings[headingIndex(corner.knot - 1)]
    let part = corner.into / (2 * corner.reach)
    let eased = part * part * (3 - 2 * part)
    return before + Maths.wrapped(headings[headingIndex(corner.knot)] - before) * eased
  }

  /// Maps a time on a loop to the time within one round; returns it unchanged for a path that ends.
  private func withinRound(_ seconds: Double) -> (time: Double, isFirstRound: Bool) {
    let start = times[0]
    let length = end - start
    guard isLoop, seconds >= end, length > 0 else { return (seconds, true) }
    return (seconds - ((seconds - start) / length).rounded(.down) * length, false)
  }

  /// First knot of the current leg: −1 before the start, the last knot after the end.
  private func leg(at time: Double) -> Int {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  /// The rounded corner at this time, if any: its knot, its reach, and the time since it began, seconds.
  private func corner(
    at time: Double, isFirstRound: Bool
  ) -> (knot: Int, reach: Double, into: Double)? {
    let leg = leg(at: time)
    for knot in max(leg, 0)..<min(leg + 2, times.count) {
      // A loop starts at its first point; only later rounds reach it from the last leg.
      if knot == 0 && (isFirstRound || !isLoop) { continue }
      let reach = reach(around: knot)
      let into = time - (times[knot] - reach)
      if reach > 0, into >= 0, into < 2 * reach { return (knot, reach, into) }
    }
    return nil
  }

  private func headingIndex(_ leg: Int) -> Int {
    if isLoop { return (leg + times.count - 1) % (times.count - 1) }
    return min(max(leg, 0), headings.count - 1)
  }

  private func velocity(ofLeg leg: Int) -> SIMD3<Double> {
    let legs = times.count - 1
    let wrapped = isLoop ? (leg + legs) % legs : leg
    guard wrapped >= 0, wrapped < legs else { return .zero }
    return (positions[wrapped + 1] - positions[wrapped]) / (times[wrapped + 1] - times[wrapped])
  }

  private func duration(ofLeg leg: Int) -> Double {
    let legs = times.count - 1
    let wrapped = isLoop ? (leg + legs) % legs : leg
    guard wrapped >= 0, wrapped < legs else { return 0 }
    return times[wrapped + 1] - times[wrapped]
  }

  /// Time on either side of a knot within which the corner is rounded, seconds; 0 at the ends of an open
  /// path, which have a leg on one side only.
  private func reach(around knot: Int) -> Double {
    min(blend, duration(ofLeg: knot - 1) / 2, duration(ofLeg: knot) / 2)
  }
}
