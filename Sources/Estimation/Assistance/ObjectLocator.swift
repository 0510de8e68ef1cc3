/// Finds one object in a device's AR world from ranges along the device's track, online.
///
/// It holds a bounded set of constraints and a few hypotheses, each fitted to all of them; mirror images that the
/// motion cannot tell apart stay side by side. Derivation: `Docs/assistance.md`.
package struct ObjectLocator: Equatable, Sendable {
  package let parameters: AssistanceParameters
  /// In order of weight, the likeliest first.
  package private(set) var hypotheses: [ObjectHypothesis] = []
  /// Metres walked since the first range.
  package var path: Double { now?.path ?? 0 }
  private(set) var frames: KeyframeBuffer
  private(set) var now: HypothesisSolver.Now?
  private(set) var spread = MotionSpread()
  private var solver: HypothesisSolver
  private var start = Duration.zero
  private var pendingWeight = 0.3
  private var solves = 0

  package init(_ parameters: AssistanceParameters = AssistanceParameters()) {
    self.parameters = parameters
    frames = KeyframeBuffer(capacity: parameters.keyframeCapacity)
    solver = HypothesisSolver(parameters)
    hypotheses.reserveCapacity(parameters.hypothesisCapacity + 4)
  }

  /// Takes one range in. Readings that are no numbers, or not in order of time by over a second, are left out.
  package mutating func update(_ reading: AssistanceReading) {
    let antenna = reading.pose.inWorld(reading.antennaInDevice)
    guard reading.range.isFinite, (-5...2000).contains(reading.range), (antenna * antenna).sum() < 1e12 else {
      return
    }
    guard advance(to: reading.time, antenna: antenna), let now else {
      return begin(at: reading.time, antenna: antenna, range: reading.range)
    }
    var frame = RangeKeyframe(
      position: antenna, turnedWay: now.turnedWay, time: now.time, path: now.path, range: reading.range,
      count: 1, weight: min(1, pendingWeight))
    if reading.isObstructed { frame.weight *= 0.3 }
    pendingWeight = 0
    if belongsToLast(frame) {
      frames.absorb(frame)
    } else {
      frames.append(frame)
      solve()
    }
  }

  /// Moves the reference to a new place of the antenna.
  ///
  /// - Returns: Whether the track is continuous; `false` at the first range and after a jump.
  private mutating func advance(to time: Duration, antenna: SIMD3<Double>) -> Bool {
    guard var next = now else { return false }
    let seconds = (time - start).inSeconds
    let interval = max(0, seconds - next.time)
    let way = antenna - next.antenna
    let length = HypothesisSolver.length(way)
    guard length < 1 + 5 * interval, seconds > next.time - 2 else { return false }
    next.time = max(seconds, next.time)
    next.path += length
    next.turnedWay += next.time * SIMD2(way.x, way.y)
    for index in hypotheses.indices {
      let state = hypotheses[index].state
      let across = SIMD2(state[0] - next.antenna.x, state[1] - next.antenna.y) * (state[5] * interval)
      hypotheses[index].state += SIMD8(
        -across.y - state[6] * way.x, across.x - state[6] * way.y, -state[6] * way.z, 0, 0, 0, 0, 0)
    }
    next.antenna = antenna
    now = next
    pendingWeight += (length + parameters.idleSpeed * interval) / parameters.correlationLength
    return true
  }

  /// Starts from nothing: all places at the range.
  private mutating func begin(at time: Duration, antenna: SIMD3<Double>, range: Double) {
    start = time
    now = HypothesisSolver.Now(antenna: antenna, turnedWay: .zero, time: 0, path: 0)
    frames.forget(before: .infinity)
    frames.append(
      RangeKeyframe(
        position: antenna, turnedWay: .zero, time: 0, path: 0, range: range, count: 1, weight: 0.3))
    pendingWeight = 0
    solves = 0
    solver.expect(height: antenna.z)
    seedRing(around: antenna, range: range, nuisance: solver.expectation)
  }

  private mutating func seedRing(around antenna: SIMD3<Double>, range: Double, nuisance: SIMD8<Double>) {
    hypotheses.removeAll(keepingCapacity: true)
    let radius = max(0.3, range)
    let ring = max(2, parameters.hypothesisCapacity / 2)
    for index in 0..<(2 * ring) {
      let azimuth = 2 * Double.pi * (Double(index % ring) + (index < ring ? 0 : 0.5)) / Double(ring)
      let elevation = index < ring ? 0.35 : -0.35
      var state = nuisance
      state[0] = antenna.x + radius * Maths.cos(elevation) * Maths.cos(azimuth)
      state[1] = antenna.y + radius * Maths.cos(elevation) * Maths.sin(azimuth)
      state[2] = antenna.z + radius * Maths.sin(elevation)
      var hypothesis = ObjectHypothesis(state: state, rangeSigma: max(0.3, 0.2 * radius))
      hypothesis.weight = 1 / Double(2 * ring)
      let square = radius * radius
      hypothesis.covariance = SIMD8(square, 0, 0, square, 0, square, 0, 0)
      hypotheses.append(hypothesis)
    }
  }

  private func belongsToLast(_ frame: RangeKeyframe) -> Bool {
    guard let last = frames.last else { return false }
    let moved = HypothesisSolver.length(frame.position - last.position)
    return moved < 0.6 * parameters.keyframeSpacing && frame.time - last.time < 1
      && abs(frame.range - last.range) < 0.3 + moved
  }

  // MARK: Solving

  private mutating func solve() {
    guard let now else { return }
    solves += 1
    spread.measure(frames.frames)
    if solves % (solves < 64 ? 8 : 32) == 0 { seedMirrors() }
    var kept = 0
    for index in hypotheses.indices {
      var hypothesis = hypotheses[index]
      let isYoung = hypothesis.age < 6
      // Of those that have settled, the likeliest has every turn, the others every second one.
      if isYoung || index == 0 || (solves + index).isMultiple(of: 2) {
        let isUsable = solver.refine(
          &hypothesis, steps: isYoung ? 2 : 1, frames: &frames, now: now, keepsResiduals: index == 0)
        guard isUsable else { continue }
      }
      hypotheses[kept] = hypothesis
      kept += 1
    }
    hypotheses.removeSubrange(kept...)
    if let onset = targetMoved() { return restart(after: onset) }
    rank()
    if hypotheses.isEmpty { restart(after: now.time - 2) }
  }

  /// Orders by weight, joins what has become one, drops what is out of the question.
  private mutating func rank() {
    weigh()
    var kept = 0
    for index in hypotheses.indices {
      let hypothesis = hypotheses[index]
      let isYoung = hypothesis.age < 4
      let isHopeless = !isYoung && hypothesis.weight < 1e-5
      let isDouble = hypotheses[..<kept].contains { Self.areOne($0, hypothesis, distance: lastRange) }
      if isHopeless || isDouble { continue }
      hypotheses[kept] = hypothesis
      kept += 1
    }
    hypotheses.removeSubrange(min(kept, parameters.hypothesisCapacity)...)
    weigh()
  }

  private var lastRange: Double { max(0.5, frames.last?.range ?? 1) }

  private static func areOne(_ a: ObjectHypothesis, _ b: ObjectHypothesis, distance: Double) -> Bool {
    let apart = HypothesisSolver.length(a.position - b.position)
    return apart < max(0.1, 0.02 * distance)
  }

  /// Laplace's approximation of each hypothesis' share.
  private mutating func weigh() {
    func evidence(_ h: ObjectHypothesis) -> Double { 0.5 * Maths.log(max(h.determinant, 1e-30)) - h.cost }
    guard !hypotheses.isEmpty else { return }
    var most = -Double.infinity
    for hypothesis in hypotheses { most = max(most, evidence(hypothesis)) }
    var total = 0.0
    for index in hypotheses.indices {
      hypotheses[index].weight = Maths.exp(evidence(hypotheses[index]) - most)
      total += hypotheses[index].weight
    }
    for index in hypotheses.indices { hypotheses[index].weight /= total }
    for index in hypotheses.indices.dropFirst() {
      var place = index
      while place > 0, hypotheses[place].weight > hypotheses[place - 1].weight {
        hypotheses.swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  /// Adds the likeliest place's mirror images across the plane and the line of motion.
  private mutating func seedMirrors() {
    guard let best = hypotheses.first else { return }
    spread.findAxes()
    for axis in 1...2 where hypotheses.count < parameters.hypothesisCapacity {
      let normal = axis == 1 ? spread.axes.2 : spread.axes.1
      var mirror = best
      let away = 2 * ((best.position - spread.mean) * normal).sum() * normal
      mirror.state -= SIMD8(away.x, away.y, away.z, 0, 0, 0, 0, 0)
      mirror.age = 0
      if !hypotheses.contains(where: { Self.areOne($0, mirror, distance: lastRange) }) {
        hypotheses.append(mirror)
      }
    }
  }

  // MARK: A target that moved

  /// Since when all ranges contradict the likeliest place, seconds; `nil` while they do not for long enough.
  ///
  /// Ranges that are too long may be a blocked path, so they have to last longer than those too short.
  private func targetMoved() -> Double? {
    guard let best = hypotheses.first, best.age > 20, let last = frames.last else { return nil }
    var count = 0
    var isShort = false
    for frame in frames.frames.reversed() {
      guard abs(frame.residual) > 4 else { break }
      if frame.residual < 0 { isShort = true }
      count += 1
      let lasted = last.time - frame.time
      if count >= 6, lasted > (isShort ? 3 : 6) { return frame.time }
      if lasted > 8 { return nil }
    }
    return nil
  }

  private mutating func restart(after onset: Double) {
    guard let now, let last = frames.last else { return }
    var nuisance = hypotheses.first?.state ?? solver.expectation
    nuisance[7] = 0
    frames.forget(before: onset)
    solver.expect(height: now.antenna.z)
    solves = 0
    seedRing(around: now.antenna, range: last.range, nuisance: nuisance)
  }
}
