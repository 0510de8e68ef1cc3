import NearbyMaths

extension ObjectLocator {
  /// Fits the hypotheses to all constraints and updates their weights.
  ///
  /// - Parameter all: Whether to refit every hypothesis now, because something important is new. Otherwise
  ///   settled ones are refitted less often.
  mutating func solve(all: Bool) {
    guard let now else { return }
    waiting += 1
    if isSettled, !all, waiting < patience { return }
    waiting = 0
    solves += 1
    spread.measure(frames.frames)
    if solves % (isConfirmed ? 4 : solves < 64 ? 8 : 32) == 0 { seedMirrors() }
    if solves % (isConfirmed ? 2 : 16) == 0 { seedOtherKind() }
    let isDue = isJackknifeDue
    var checked: Checked?
    var kept = 0
    for index in hypotheses.indices {
      var hypothesis = hypotheses[index]
      let isYoung = hypothesis.age < 6
      // Of the settled ones, refit the likeliest every time and the others every second time.
      if isYoung || all || index == 0 || (solves + index).isMultiple(of: 2) {
        let fit = solver.refine(
          &hypothesis, steps: isYoung ? 2 : 1, frames: &frames, angles: angles, now: now,
          keepsResiduals: index == 0, weighs: hypotheses.count > 1, jackknifes: index == 0 && isDue)
        guard let fit else { continue }
        if index == 0, isDue { checked = Checked(state: hypothesis.state, jackknife: fit.jackknife) }
      }
      hypotheses[kept] = hypothesis
      kept += 1
    }
    hypotheses.removeSubrange(kept...)
    if let onset = targetMoved() { return restart(after: onset) }
    rank()
    if hypotheses.isEmpty { return restart(after: now.time - 2) }
    observe(now, checked)
  }

  /// Whether all agree on one place.
  private var isSettled: Bool { solves > 128 && hypotheses.count == 1 && hypotheses[0].age > 64 }

  /// Whether the place is found and nothing contradicts it: then it is fitted less often.
  private var isConfirmed: Bool {
    isSettled && isHeld && !isDoubtful && surprise.count == 0 && !hypotheses[0].isMoving
  }

  /// Number of new constraints after which a settled search is fitted again. On the recordings, 4 to 12 for a confirmed place
  /// gave the same horizontal errors within 0.01 m, except for one data set (`Docs/assistance.md`, section 10).
  private var patience: Int { isConfirmed ? 8 : 2 }

  /// Sorts by weight, merges duplicates and drops hopeless hypotheses.
  private mutating func rank() {
    weigh()
    // An object that moved recently may still be moving. At other times a moving hypothesis must explain
    // something.
    let idle = moved.map { (now?.time ?? 0) - $0 < parameters.walkingMemory } == true ? 1e-3 : 0.02
    var kept = 0
    for index in hypotheses.indices {
      let hypothesis = hypotheses[index]
      let isYoung = hypothesis.age < (hypothesis.isMoving ? 8 : 4)
      // While a place is held, an alternative this unlikely is dropped after its first fit.
      let isExcluded = isHeld && !hypothesis.isMoving && hypothesis.age > 0 && hypothesis.weight < 1e-60
      let isHopeless =
        isExcluded || !isYoung && hypothesis.weight < (hypothesis.isMoving ? idle : 1e-5)
      let isDouble = hypotheses[..<kept].contains { Self.areOne($0, hypothesis, distance: lastRange) }
      if isHopeless || isDouble { continue }
      hypotheses[kept] = hypothesis
      kept += 1
    }
    hypotheses.removeSubrange(min(kept, parameters.hypothesisCapacity)...)
    weigh()
  }

  /// Whether two hypotheses have met: same kind, nearly the same place and velocity.
  private static func areOne(_ a: ObjectHypothesis, _ b: ObjectHypothesis, distance: Double) -> Bool {
    guard a.isMoving == b.isMoving else { return false }
    let apart = HypothesisSolver.length(a.position - b.position)
    return apart < max(0.1, 0.02 * distance) && HypothesisSolver.length(a.velocity - b.velocity) < 0.1
  }

  /// Computes each hypothesis' share of the evidence, and sorts by it.
  private mutating func weigh() {
    guard !hypotheses.isEmpty else { return }
    var most = -Double.infinity
    for hypothesis in hypotheses { most = max(most, hypothesis.evidence) }
    var total = 0.0
    for index in hypotheses.indices {
      hypotheses[index].weight = Maths.exp(hypotheses[index].evidence - most)
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

  /// Adds mirror images of the likeliest place across the plane and the line of the device's motion.
  private mutating func seedMirrors() {
    guard let best = hypotheses.first else { return }
    spread.findAxes()
    for axis in 1...2 where hypotheses.count < parameters.hypothesisCapacity {
      let normal = axis == 1 ? spread.axes.2 : spread.axes.1
      if isConfirmed, isMirrorHopeless(best, normal) { continue }
      var mirror = best
      let away = 2 * ((best.position - spread.mean) * normal).sum() * normal
      let turned = 2 * (best.velocity * normal).sum() * normal
      mirror.state -= SIMD8(away.x, away.y, away.z, 0, turned.x, turned.y, turned.z, 0)
      mirror.age = 0
      if !hypotheses.contains(where: { Self.areOne($0, mirror, distance: lastRange) }) {
        hypotheses.append(mirror)
      }
    }
  }

  /// Whether the device has left the plane so far that its ranges exclude a mirror image.
  ///
  /// The limit is an evidence of `exp(−60)`, assuming normal errors; `rank` drops hypotheses below `exp(−11)`.
  private func isMirrorHopeless(_ best: ObjectHypothesis, _ normal: SIMD3<Double>) -> Bool {
    let height = ((best.position - spread.mean) * normal).sum()
    let difference = 2 * height * spread.deviation(along: normal) / (lastRange * best.rangeSigma)
    return 0.5 * frames.worth * difference * difference > 60
  }

  // MARK: An object that moves

  /// Tries an object at rest if all hypotheses move, and a moving one if ranges do not agree well with the
  /// best at rest.
  private mutating func seedOtherKind() {
    guard let best = hypotheses.first, let now else { return }
    if best.isMoving {
      // Older constraints say nothing about where a moving object is now.
      frames.forget(before: now.time - parameters.walkingMemory)
      angles.forget(before: now.time - parameters.walkingMemory)
      guard hypotheses.count < parameters.hypothesisCapacity, !hypotheses.contains(where: { !$0.isMoving })
      else { return }
      var resting = best
      resting.isMoving = false
      resting.state = nuisance
      for index in 0..<4 { resting.state[index] = best.state[index] }
      resting.age = 0
      hypotheses.append(resting)
    } else if isDoubtful || best.rangeSigma > 1.5 * parameters.rangeSigma,
      !hypotheses.contains(where: \.isMoving)
    {
      appendMoving(from: best)
    }
  }

  /// The latest run of constraints that contradict the likeliest place; single agreeing ones do not end it.
  struct Contradiction: Equatable, Sendable {
    var count = 0
    var short = 0
    /// Time of the first of them in seconds since the first range, and how long the run has lasted.
    var onset = 0.0
    var lasted = 0.0
    /// Residuals of the newest and the oldest of them, in standard deviations.
    var newest = 0.0
    var oldest = 0.0
  }

  /// Finds the latest run of contradicting constraints, going back from the newest.
  private func contradiction() -> Contradiction {
    var found = Contradiction()
    guard let last = frames.last else { return found }
    var agreeing = 0
    for frame in frames.frames.reversed() where frame.residual != 0 {
      guard abs(frame.residual) > 3.5 else {
        agreeing += 1
        if agreeing * 4 > found.count + 3 { break }
        continue
      }
      if found.count == 0 { found.newest = frame.residual }
      if frame.residual < 0 { found.short += 1 }
      found.count += 1
      found.oldest = frame.residual
      found.onset = frame.time
      found.lasted = last.time - frame.time
      if found.count >= 6, found.lasted > 10 { break }
    }
    return found
  }

  /// The time in seconds since which ranges contradict the likeliest place; `nil` unless they have done so
  /// for long enough.
  ///
  /// Ranges that are too long may come from a blocked path. So they have to last longer than too-short ones,
  /// which only another place explains, and than growing ones, which no wall causes.
  private mutating func targetMoved() -> Double? {
    let found = contradiction()
    isDoubtful = found.count >= 4 && found.lasted > 1
    guard let best = hypotheses.first, best.age > 20 else { return nil }
    let grown = (abs(found.newest) - abs(found.oldest)) * best.rangeSigma
    let isLong = found.count >= 6 && found.lasted > (grown > 1 ? 3 : 10)
    let isShort = found.short >= 5 && found.lasted > 2
    return isLong || isShort ? found.onset : nil
  }

  // MARK: Confidence

  /// Adds the place that fits if one stretch of the way is left out.
  private mutating func seed(_ state: SIMD8<Double>, like best: ObjectHypothesis) {
    guard hypotheses.count < parameters.hypothesisCapacity else { return }
    var other = best
    other.state = state
    other.age = 0
    other.rangeSigma = parameters.rangeSigma
    let away = other.position - best.position
    guard away.x * away.x + away.y * away.y > parameters.restRadius * parameters.restRadius else { return }
    if !hypotheses.contains(where: { Self.areOne($0, other, distance: lastRange) }) {
      hypotheses.append(other)
    }
  }

  /// What leaving out stretches of the way showed of the hypothesis with this state.
  private struct Checked {
    var state: SIMD8<Double>
    var jackknife: HypothesisSolver.Jackknife?
  }

  private var isJackknifeDue: Bool {
    solves < 64 ? solves.isMultiple(of: 2) : solves % 8 == 4
  }

  /// Updates how well the data agree on the place (`observed`) and how long it has stayed (`rest`).
  private mutating func observe(_ now: HypothesisSolver.Now, _ checked: Checked?) {
    guard let best = hypotheses.first else { return }
    if isJackknifeDue {
      let known = checked?.state == best.state ? checked : check(best, now)
      observed = known?.jackknife?.variance ?? SIMD4(repeating: .infinity)
      if solves % (solves < 64 ? 8 : 32) == 4, let jackknife = known?.jackknife {
        seed(jackknife.without, like: best)
      }
    }
    let moved = best.position - rest.place
    let isAway = moved.x * moved.x + moved.y * moved.y > parameters.restRadius * parameters.restRadius
    if isAway || best.isMoving { rest = Rest(place: best.position, path: now.path, time: now.time) }
    hold()
  }

  /// Leaves out stretches of the way for a hypothesis that the last fit did not do it for.
  private mutating func check(_ hypothesis: ObjectHypothesis, _ now: HypothesisSolver.Now) -> Checked? {
    var copy = hypothesis
    let fit = solver.refine(
      &copy, steps: 1, frames: &frames, angles: angles, now: now, keepsResiduals: false, weighs: false,
      jackknifes: true)
    return fit.map { Checked(state: copy.state, jackknife: $0.jackknife) }
  }
}
