import NearbyMaths

/// Finds the place of one object in a device's AR world, from ranges and, where available, angles measured
/// along the device's track.
///
/// One range says only how far away the object is. Ranges from several places say where it is, but a device
/// that walked a straight line cannot tell left from right, and one that stayed level cannot tell above from
/// below. Moreover the track drifts, the radio has a bias, and the object may be carried off.
///
/// **Input:** `update` receives an `AssistanceReading`: a range, angles if the antennas measured any, and the
/// device's pose at that time.
///
/// **Output:** `estimate` returns distance, place and direction with their sigmas, as far as they are known,
/// and what the user still has to do until the place counts as found (`ConvergenceReasons`).
///
/// **States:** readings are gathered into constraints (`frames`, `angles`), one for each stretch of the way.
/// A search begins with a ring of hypotheses at the measured range, all at rest. Each `solve` fits them to
/// all constraints, weighs them by their evidence, merges those that have met and drops the hopeless ones.
/// Mirror images that the motion cannot tell apart stay side by side. When the latest ranges contradict the
/// best place for long enough, the object has moved: `restart` drops older constraints and adds hypotheses
/// that move. When the track itself breaks, `begin` drops everything but what was learnt about the radio. A
/// place that was found is `held` until its sigma exceeds the limit for finding by half, the ranges
/// contradict it, or it strays.
///
/// **Invariants:** there are at most `keyframeCapacity` range constraints and `hypothesisCapacity`
/// hypotheses, so cost and memory are bounded. Each `solve` sorts the hypotheses by weight and makes the
/// weights add up to 1; candidates added after that are weighed by the next one. Readings with impossible
/// numbers change nothing.
///
/// `Docs/assistance.md` has the derivation and the figures.
package struct ObjectLocator: Equatable, Sendable {
  package let parameters: AssistanceParameters
  /// The likeliest first.
  package internal(set) var hypotheses: [ObjectHypothesis] = []
  /// Metres walked since the first range.
  package var path: Double { now?.path ?? 0 }
  /// Whether any angle has entered the search.
  package var isDirectionSeen: Bool { !angles.frames.isEmpty }
  var frames: KeyframeBuffer
  var angles = AngleBuffer()
  var now: HypothesisSolver.Now?
  var spread = MotionSpread()
  var solver: HypothesisSolver
  var solves = 0
  /// Constraints that are newer than the last fit.
  var waiting = 0
  /// Places on the device of the first two antennas that measured a range, metres.
  private var antennas = Antennas()
  /// What was learnt about radio and track, as the state of an object at rest.
  var nuisance: SIMD8<Double>
  var nuisanceSide = SIMD4<Float>.zero
  /// Variance of the place as the jackknife shows it, metres²: xx, xy, yy, zz.
  var observed = SIMD4<Double>(repeating: .infinity)
  /// When the object was last found to have moved, seconds since the first range.
  var moved: Double?
  /// The place that was found, as it was when it last stayed; `nil` again once it is lost.
  var held: SIMD3<Double>?
  var isHeld: Bool { held != nil }
  /// Whether the latest constraints contradict the likeliest place.
  var isDoubtful = false
  /// Contradictions in the latest ranges, before they become constraints.
  var surprise = Surprise()
  /// Since when the place has not strayed.
  var rest = Rest()
  /// Time of the first range.
  private var start = Duration.zero
  /// What the next constraint is worth, in independent measurements: grows with the way since the last one.
  private var pendingWeight = 0.3
  /// The same for angles, which also gain from turning the device.
  private var pendingAngleWeight = 0.5
  private var lastTurn = SIMD4<Double>(0, 0, 0, 1)
  /// Readings in a row that were older than the last one.
  private var stale = 0

  /// How many ranges in a row have contradicted the likeliest place in one direction, and since when in
  /// seconds.
  struct Surprise: Equatable, Sendable {
    var count = 0
    var onset = 0.0
    var isTooLong = false
    var lasted = 0.0
    var isDoubt: Bool { count >= 3 && lasted > 0.5 }
  }

  private struct Antennas: Equatable, Sendable {
    var first = SIMD3<Double>.zero
    var second: SIMD3<Double>?
  }

  /// Where and since when the likeliest place has stayed.
  struct Rest: Equatable, Sendable {
    var place = SIMD3<Double>.zero
    var path = 0.0
    var time = 0.0
  }

  package init(_ parameters: AssistanceParameters = AssistanceParameters()) {
    self.parameters = parameters
    frames = KeyframeBuffer(capacity: parameters.keyframeCapacity)
    solver = HypothesisSolver(parameters)
    nuisance = solver.expectation
    hypotheses.reserveCapacity(parameters.hypothesisCapacity)
  }

  /// Adds one range with its angles.
  ///
  /// A reading is ignored if it contains something that is not a number, a range below −5 m or over 2 km, an
  /// antenna over 1000 km from the origin, a quaternion of almost no length, or a time before the last one.
  /// Ten readings in a row from the past mean a new clock and start over. Impossible angles (not a number, or
  /// beyond ±180° and ±90°) are ignored without the range. Quaternions need not have unit length.
  package mutating func update(_ reading: AssistanceReading) {
    var reading = reading
    guard reading.pose.normalise(), reading.range.isFinite, (-5...2000).contains(reading.range) else {
      return
    }
    let antenna = reading.pose.inWorld(reading.antennaInDevice)
    guard (antenna * antenna).sum() < 1e12 else { return }
    let number = number(ofAntennaAt: reading.antennaInDevice)
    let isNew: Bool
    switch advance(
      to: reading.time, antenna: reading.pose.inWorld(antennas.first), turn: reading.pose.worldFromDevice)
    {
    case .stale: return
    case .broken:
      begin(
        at: reading.time, antenna: reading.pose.inWorld(antennas.first), turn: reading.pose.worldFromDevice,
        range: reading.range)
      isNew = false
    case .continuous: isNew = addRange(reading, antenna: antenna, number: number)
    }
    let isAngleNew = takeAngles(reading, antenna: antenna)
    // A device at rest yields no new constraints, but an angle alone can already show the place.
    let isEarly = isDirectionSeen && (hypotheses.first?.age ?? 0) < 8
    if isNew || isAngleNew || isEarly { solve(all: isAngleNew || isEarly) }
  }

  /// Numbers the device's antennas in the order they were first heard: 0, 1, and 2 for all others.
  private mutating func number(ofAntennaAt place: SIMD3<Double>) -> Int32 {
    if now == nil { antennas = Antennas(first: place) }
    if place == antennas.first { return 0 }
    if antennas.second == nil { antennas.second = place }
    return place == antennas.second ? 1 : 2
  }

  /// Integral of time over the way, for a point of the device: the first antenna's plus that of the lever
  /// arm.
  private func turnedWay(_ now: HypothesisSolver.Now, at point: SIMD3<Double>) -> SIMD2<Double> {
    now.turnedWay + now.time * SIMD2(point.x - now.antenna.x, point.y - now.antenna.y)
  }

  /// Adds a range to the newest constraint of its antenna or as a constraint of its own.
  ///
  /// - Returns: Whether it became a constraint of its own.
  private mutating func addRange(
    _ reading: AssistanceReading, antenna: SIMD3<Double>, number: Int32
  ) -> Bool {
    guard let now else { return false }
    var frame = RangeKeyframe(
      position: antenna, turnedWay: turnedWay(now, at: antenna), time: now.time, path: now.path,
      range: reading.range,
      count: 1, antenna: number, velocity: SIMD3<Float>(now.velocity),
      worldFromDevice: SIMD4<Float>(reading.pose.worldFromDevice), weight: min(1, pendingWeight))
    if let blocked = BlockedPathError.checked(reading.blockedProbability) {
      // Relative to the variance of a range in sight, 0.1 m squared.
      frame.weight /= 1 + BlockedPathError.variance(blocked) / 0.01
    } else if reading.isObstructed == true {
      frame.weight *= 0.3
    }
    watch(frame, now)
    pendingWeight = 0
    if let index = frames.newest(of: number), belongs(frame, to: frames.frames[index]) {
      frames.absorb(frame, at: index)
      return false
    }
    frames.append(frame)
    return true
  }

  /// Notes whether a range contradicts the likeliest place. Constraints show that later, because they need
  /// motion.
  private mutating func watch(_ frame: RangeKeyframe, _ now: HypothesisSolver.Now) {
    guard let best = hypotheses.first, best.age > 20 else { return surprise = Surprise() }
    let terms = solver.terms(RangeLanes(frame), best, now: now)
    let isTooLong = terms.residual[0] > 0
    guard terms.ratio[0] > 3.5 * 3.5 else { return surprise = Surprise() }
    if surprise.count == 0 || surprise.isTooLong != isTooLong {
      surprise = Surprise(count: 0, onset: now.time, isTooLong: isTooLong)
    }
    surprise.count += 1
    surprise.lasted = now.time - surprise.onset
  }

  /// Whether a range is near enough to a constraint, in place, time and value, to join it.
  private func belongs(_ frame: RangeKeyframe, to last: RangeKeyframe) -> Bool {
    let moved = HypothesisSolver.length(frame.position - last.position)
    return moved < 0.6 * parameters.keyframeSpacing && frame.time - last.time < 1
      && abs(frame.range - last.range) < 0.3 + moved
  }

  /// Adds a reading's angles, and a hypothesis where they point.
  ///
  /// - Returns: Whether they became a constraint of their own.
  private mutating func takeAngles(_ reading: AssistanceReading, antenna: SIMD3<Double>) -> Bool {
    guard let now, let said = reading.angles?.checked else { return false }
    let frame = AngleKeyframe(
      position: antenna, worldFromDevice: reading.pose.worldFromDevice,
      turnedWay: turnedWay(now, at: antenna),
      velocity: SIMD3<Float>(now.velocity), time: now.time, path: now.path, azimuth: said.azimuth ?? 0,
      elevation: said.elevation ?? 0, azimuthSigma: said.azimuth == nil ? .infinity : said.azimuthSigma,
      elevationSigma: said.elevation == nil ? .infinity : said.elevationSigma,
      weight: min(1, pendingAngleWeight))
    pendingAngleWeight = 0
    guard angles.add(frame) else { return false }
    if said.azimuth != nil {
      seed(at: antenna + max(0.1, reading.range) * reading.pose.turned(said.directionInDevice))
    }
    return true
  }

  // MARK: Along the way

  private enum Continuity { case continuous, stale, broken }

  /// Advances the reference to a new time and antenna position.
  private mutating func advance(
    to time: Duration, antenna: SIMD3<Double>, turn: SIMD4<Double>
  ) -> Continuity {
    defer { lastTurn = turn }
    guard var next = now else { return .broken }
    let seconds = (time - start) / .seconds(1)
    let interval = seconds - next.time
    guard interval >= 0 else {
      stale += 1
      return stale < 10 ? .stale : .broken
    }
    stale = 0
    let way = antenna - next.antenna
    let length = HypothesisSolver.length(way)
    guard length < 1 + 5 * interval else { return .broken }
    next.time = seconds
    next.path += length
    next.turnedWay += next.time * SIMD2(way.x, way.y)
    if interval > 0 {
      // Averages over about a tenth of a second because poses are noisy.
      next.velocity += min(1, interval / 0.1) * (way / max(interval, 0.02) - next.velocity)
    }
    carryHypotheses(way, next.antenna + way, interval)
    next.antenna = antenna
    now = next
    pendingWeight += (length + parameters.idleSpeed * interval) / parameters.correlationLength
    let cosine = min(1, (turn * lastTurn).sum().magnitude)
    // `Docs/assistance.md`, section 5: a turn of 20° (0.35 rad) makes an angle independent of the one before.
    let turned = 2 * (2 * (1 - cosine)).squareRoot()
    pendingAngleWeight +=
      (length + parameters.idleSpeed * interval) / parameters.correlationLength + turned / 0.35
    return .continuous
  }

  /// Shifts objects at rest with the drifting frame, and moving objects by their velocity.
  private mutating func carryHypotheses(_ way: SIMD3<Double>, _ antenna: SIMD3<Double>, _ interval: Double) {
    for index in hypotheses.indices {
      let state = hypotheses[index].state
      if hypotheses[index].isMoving {
        hypotheses[index].state += SIMD8(state[4], state[5], state[6], 0, 0, 0, 0, 0) * min(interval, 2)
        continue
      }
      let across = SIMD2(state[0] - antenna.x, state[1] - antenna.y) * (state[5] * interval)
      hypotheses[index].state += SIMD8(
        -across.y - state[6] * way.x, across.x - state[6] * way.y, -state[6] * way.z, 0, 0, 0, 0, 0)
    }
  }

  /// Starts from what was learnt about the radio, with places all around at the range.
  private mutating func begin(
    at time: Duration, antenna: SIMD3<Double>, turn: SIMD4<Double>, range: Double
  ) {
    start = time
    stale = 0
    now = HypothesisSolver.Now(antenna: antenna, turnedWay: .zero, time: 0, path: 0)
    frames.forget(before: .infinity)
    angles.forget(before: .infinity)
    frames.append(
      RangeKeyframe(
        position: antenna, turnedWay: .zero, time: 0, path: 0, range: range, count: 1,
        worldFromDevice: SIMD4<Float>(turn), weight: 0.3))
    (pendingWeight, pendingAngleWeight) = (0, 0.5)
    learn()
    (nuisance[5], nuisance[6]) = (0, 0)
    moved = nil
    startSearch(around: antenna, range: range)
  }

  /// Restarts the search from the constraints since a time, keeping what was learnt about radio and track.
  mutating func restart(after onset: Double) {
    guard let now, let last = frames.last else { return }
    learn()
    let before = hypotheses.first
    frames.forget(before: onset)
    angles.forget(before: onset)
    startSearch(around: now.antenna, range: last.range)
    moved = now.time
    // The object may still be moving, from any place on the ring or from where it was.
    hypotheses.removeSubrange((hypotheses.count / 2)...)
    for index in hypotheses.indices where index < 5 { appendMoving(from: hypotheses[index]) }
    if let before { appendMoving(from: before) }
  }

  /// Keeps what the likeliest hypothesis has learnt about radio and track.
  private mutating func learn() {
    guard let best = hypotheses.first, !best.isMoving, best.age > 10 else { return }
    (nuisance, nuisanceSide) = (best.state, best.side)
  }

  private mutating func startSearch(around antenna: SIMD3<Double>, range: Double) {
    solver.expect(height: antenna.z)
    solves = 0
    isDoubtful = false
    held = nil
    observed = SIMD4(repeating: .infinity)
    rest = Rest(place: antenna, path: path, time: now?.time ?? 0)
    seedRing(around: antenna, range: range)
  }

  /// Replaces the hypotheses by a ring of places at the range.
  private mutating func seedRing(around antenna: SIMD3<Double>, range: Double) {
    hypotheses.removeAll(keepingCapacity: true)
    // Chosen: a shorter range would put all hypotheses at the antenna, within the error of one range.
    let radius = max(0.3, range)
    let ring = max(2, parameters.hypothesisCapacity / 2)
    for index in 0..<(2 * ring) {
      // Neighbours alternate in elevation, so that every part of the ring has places above and below.
      let azimuth = .pi * Double(index) / Double(ring)
      // Chosen: 20°, so that the ring is neither level nor steep.
      let elevation = index.isMultiple(of: 2) ? 0.35 : -0.35
      var place = antenna
      place.x += radius * Maths.cos(elevation) * Maths.cos(azimuth)
      place.y += radius * Maths.cos(elevation) * Maths.sin(azimuth)
      place.z += radius * Maths.sin(elevation)
      var hypothesis = hypothesis(at: place, radius: radius)
      hypothesis.weight = 1 / Double(2 * ring)
      hypotheses.append(hypothesis)
    }
  }

  private func hypothesis(at place: SIMD3<Double>, radius: Double) -> ObjectHypothesis {
    var state = nuisance
    (state[0], state[1], state[2]) = (place.x, place.y, place.z)
    var hypothesis = ObjectHypothesis(state: state, rangeSigma: max(0.3, 0.2 * radius))
    let square = radius * radius
    hypothesis.side = nuisanceSide
    hypothesis.covariance = SIMD8(square, 0, 0, square, 0, square, 0, 0)
    return hypothesis
  }

  /// Adds a place, unless a hypothesis is already near.
  private mutating func seed(at place: SIMD3<Double>) {
    let radius = lastRange
    let isKnown = hypotheses.contains {
      HypothesisSolver.length($0.position - place) < max(0.5, 0.2 * radius)
    }
    if isKnown { return }
    if hypotheses.count >= parameters.hypothesisCapacity { hypotheses.removeLast() }
    hypotheses.append(hypothesis(at: place, radius: radius))
  }

  /// Adds the same place for an object that may move from now on.
  mutating func appendMoving(from hypothesis: ObjectHypothesis) {
    guard hypotheses.count < parameters.hypothesisCapacity else { return }
    var moving = hypothesis
    let state = hypothesis.state
    let velocity = hypothesis.velocity
    moving.state = SIMD8(
      state[0], state[1], state[2], state[3], velocity.x, velocity.y, velocity.z, state[7])
    moving.isMoving = true
    moving.age = 0
    moving.rangeSigma = parameters.rangeSigma
    hypotheses.append(moving)
  }

  var lastRange: Double { max(0.5, frames.last?.range ?? 1) }
}
