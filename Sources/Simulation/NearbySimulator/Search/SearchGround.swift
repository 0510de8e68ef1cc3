import NearbyMaths
import NearbySchedule

/// A synthetic search for an object: a device moves, its tracker drifts, its radio errs, and the object may
/// move too.
///
/// It is used in place of recordings of other places and radios; nothing in it is fitted to a recording. The
/// same seed always gives the same search.
package struct SearchGround: Sendable {
  /// How the device moves.
  package enum Motion: String, CaseIterable, Sendable {
    /// Held still, apart from the tremor of a hand.
    case still
    /// Up and down on the spot.
    case vertical
    /// Back and forth along a line.
    case line
    /// Around a circle at a nearly constant height.
    case circle
    /// Freely around a level area, at a nearly constant height.
    case planar
    /// Freely with large changes of height, like a drone.
    case dive
    /// Like a person searching: swings the phone from side to side while walking.
    case sweep
  }

  /// What happens to the object.
  package enum Fate: String, CaseIterable, Sendable {
    case stays
    /// Is moved elsewhere halfway through the run.
    case carried
    /// Walks in a straight line after the first third of the run.
    case walks
    /// Stays, but the tracker's origin jumps.
    case originMoves
  }

  /// The radio's errors.
  package struct RadioErrors: Sendable {
    /// Time between ranges, seconds.
    package var interval = 0.1
    /// White noise, metres, and an echo error that depends on the place, correlated over `correlation`
    /// metres.
    package var noise = 0.06
    package var echo = 0.03
    package var correlation = 0.5
    /// Residual of calibration, metres, and growth with the natural logarithm of the distance relative to 5
    /// m.
    package var bias = 0.0
    package var curve = 0.0
    /// Share of gross outliers, and their greatest error, metres.
    package var outliers = 0.02
    package var outlierLength = 5.0
    /// Share of the time spent behind a wall, mean duration of such a stay, seconds, and the delay it adds,
    /// metres.
    package var blocked = 0.0
    package var blockedSeconds = 4.0
    package var blockedDelay = 0.6
    /// Standard deviation of the array's angles, rad; zero without an array. It sees 60° either side of
    /// straight ahead.
    package var angleSigma = 0.0
    /// How long after its time stamp a range was actually measured, seconds.
    package var lateness = 0.0
    package init() {}
  }

  /// The tracker's errors; all zeros give a surveyed track.
  package struct Drift: Sendable {
    package var scale = 0.0
    /// rad/s, rad/√s, m/√m.
    package var yawRate = 0.0
    package var yawWalk = 0.0
    package var positionWalk = 0.0
    package init() {}
  }

  /// One range, together with the tracked pose and the truth.
  package struct Step: Sendable {
    package var seconds: Double
    package var range: Double
    /// Device as tracked, metres; orientation as x, y, z, w.
    package var position: SIMD3<Double>
    package var orientation: SIMD4<Double>
    /// The object's current position in the tracker's frame.
    package var target: SIMD3<Double>
    /// Azimuth and elevation from the array, rad, device frame; `nil` if it cannot see the object.
    package var angles: SIMD2<Double>?
    /// Object and antenna in the real world.
    package var trueTarget: SIMD3<Double>
    package var trueAntenna: SIMD3<Double>
  }

  package var motion = Motion.planar
  package var fate = Fate.stays
  package var radio = RadioErrors()
  package var drift = Drift()
  /// Chosen: long enough for a search of every motion to end.
  package var seconds = 60.0
  /// Walking speed, metres a second, and half the width of the area walked, metres.
  package var speed = 0.8
  package var extent = 2.0
  /// Object relative to the centre of motion, metres.
  package var target = SIMD3(4.0, 3.0, 0.5)
  /// Velocity of a walking object, m/s.
  package var velocity = SIMD3<Double>.zero
  package var arm = SIMD3<Double>.zero
  package init() {}
}

extension SearchGround {
  /// Draws a search from wide ranges of every parameter.
  package init(motion: Motion, fate: Fate = .stays, isDrifting: Bool, seed: UInt64) {
    var random = NoiseStream(seed: seed, 11)
    func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * random.uniform() }
    func evenly(_ low: Double, _ high: Double) -> Double {
      low * Maths.exp(random.uniform() * Maths.log(high / low))
    }
    self.motion = motion
    self.fate = fate
    // Chosen, like all the ranges here: wider than those of the recordings. `Docs/assistance.md` lists them.
    let distance = evenly(1, 40)
    let azimuth = between(-.pi, .pi)
    let height = [0, 0, 1.0, -1.0][Int(random.next() % 4)] * between(0.3, min(2.5, 0.5 * distance + 0.3))
    target = SIMD3(distance * Maths.cos(azimuth), distance * Maths.sin(azimuth), height)
    extent = min(max(0.8, evenly(0.8, 6)), max(0.8, distance))
    speed = evenly(0.3, 1.4)
    seconds = evenly(30, 200)
    arm = SIMD3(between(-0.2, 0.2), between(-0.2, 0.2), between(-0.1, 0.1))
    radio.interval = 1 / evenly(1, 50)
    radio.noise = evenly(0.03, 0.12)
    radio.echo = between(0, 0.08)
    radio.bias = 0.05 * random.normal()
    radio.curve = between(0, 0.1)
    radio.outliers = evenly(0.01, 0.1)
    radio.outlierLength = evenly(1, 200)
    radio.blocked = between(0, 0.25)
    radio.blockedSeconds = evenly(1, 10)
    radio.blockedDelay = evenly(0.15, 1.5)
    radio.lateness = 0.03 * random.normal()
    // A walking object approaches first, then passes by.
    let pace = evenly(0.3, 1.2)
    let heading = azimuth + .pi + between(-0.8, 0.8)
    velocity = SIMD3(pace * Maths.cos(heading), pace * Maths.sin(heading), 0)
    guard isDrifting else { return }
    drift.scale = 0.01 * random.normal()
    drift.yawRate = 3.5e-4 * random.normal()
    drift.yawWalk = 1e-3
    drift.positionWalk = 0.01
  }

  /// All ranges of the search, in order of time.
  package func steps(seed: UInt64) -> [Step] {
    let path = SearchPath(self, seed: seed)
    var errors = SearchErrors(radio, seed: seed)
    var tracker = SearchTracker(drift, seed: seed)
    var steps: [Step] = []
    let count = Int(min(1e6, max(0, seconds / max(1e-3, radio.interval))))
    var shift = SIMD3<Double>.zero
    for index in 0..<count {
      let time = Double(index) * radio.interval
      let (place, turn) = path.pose(at: time)
      let late = path.pose(at: time + radio.lateness).place
      tracker.move(to: place, at: time)
      if fate == .originMoves, time > seconds / 2 { shift = SIMD3(30, -12, 0.7) }
      let object = target(at: time)
      let lever = Self.turned(arm, by: turn)
      let across = object - late - lever
      let distance = across.length
      let range = distance + errors.error(at: late, distance: distance, seconds: time)
      steps.append(
        Step(
          seconds: time, range: range, position: tracker.position + shift,
          orientation: Self.product(Self.yaw(tracker.yaw), turn),
          target: tracker.position + shift + Self.turned(object - place, by: Self.yaw(tracker.yaw)),
          angles: errors.angles(to: Self.turned(across, by: SIMD4(-turn.x, -turn.y, -turn.z, turn.w))),
          trueTarget: object, trueAntenna: place + lever))
    }
    return steps
  }

  /// The object's true position.
  package func target(at time: Double) -> SIMD3<Double> {
    switch fate {
    case .stays, .originMoves: target
    case .carried: time < seconds / 2 ? target : SIMD3(-target.y, target.x, target.z) * 0.6
    case .walks: target + velocity * max(0, time - seconds / 3)
    }
  }

  static func yaw(_ angle: Double) -> SIMD4<Double> {
    SIMD4(0, 0, Maths.sin(angle / 2), Maths.cos(angle / 2))
  }

  static func turned(_ v: SIMD3<Double>, by q: SIMD4<Double>) -> SIMD3<Double> {
    let u = SIMD3(q.x, q.y, q.z)
    let t = 2 * u.cross(v)
    return v + q.w * t + u.cross(t)
  }

  static func product(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    let (u, v) = (SIMD3(a.x, a.y, a.z), SIMD3(b.x, b.y, b.z))
    let w = a.w * v + b.w * u + u.cross(v)
    return SIMD4(w.x, w.y, w.z, a.w * b.w - u.dot(v))
  }
}
