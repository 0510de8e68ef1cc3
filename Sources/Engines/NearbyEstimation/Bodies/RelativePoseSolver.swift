import NearbyMaths

/// Estimates where one body is and how it is turned as seen from another, from the ranges between their
/// antennas.
///
/// Two robots, vehicles or kiosks carry several antennas each at known places. Any antenna of one ranges to
/// any of the other; each range alone says how far, and the differences between them say in which direction
/// and how turned. Every call is independent of the previous ones: bodies may move in any way in between.
///
/// What goes in: the antennas' places, and the ranges of one moment, in any number and order. What comes out:
/// a `RelativePose` with its covariance, or `nil` if the ranges are too few. A range of an antenna that the
/// body does not have, or that is not a positive number, is ignored.
///
/// It first compares directions and turns on a grid, with a measure that gives no weight to wild ranges, then
/// fits the best few (`RelativePoseFit`), from above and from below. Fits that explain the ranges equally
/// well remain side by side: the reported covariance contains the distance between them. Source:
/// `Docs/relative-pose.md`.
package struct RelativePoseSolver: Sendable {
  private let bodies: BodyPair
  private let parameters: RelativePoseParameters

  /// Number of directions and of turns on the grid.
  private static let directions = 20
  /// Error beyond which a range says little on the grid, metres. It is the size of a body: less would miss
  /// what lies between the points of the grid.
  private static let gridScale = 0.3
  /// Number of the grid's points that are fitted, and of steps of each fit.
  private static let candidates = 4
  private static let steps = 20
  /// Fewest ranges that say anything about a direction.
  package static let fewestRanges = 3

  /// - Parameters:
  ///   - base: Places of the base's antennas along its own axes, metres; x forward, y left, z up.
  ///   - target: Places of the target's antennas along its own axes, metres.
  package init(
    base: [SIMD3<Double>], target: [SIMD3<Double>],
    parameters: RelativePoseParameters = RelativePoseParameters()
  ) {
    bodies = BodyPair(base: base, target: target)
    self.parameters = parameters
  }

  /// - Parameter ranges: What was measured at about the same moment. Several ranges of one pair of antennas are
  ///   allowed.
  /// - Returns: `nil` if fewer than `fewestRanges` can be used.
  package func solve(_ ranges: [BodyRange]) -> RelativePose? {
    let usable = ranges.filter(isUsable)
    guard usable.count >= Self.fewestRanges else { return nil }
    let sorted = usable.map(\.range).sorted()
    let distance = max(sorted[sorted.count / 2], 0.05)
    var fits: [RelativePoseFit] = []
    for seed in seeds(usable, distance: distance) {
      guard let fit = fitted(seed, usable) else { continue }
      if let known = fits.firstIndex(where: { Self.areOne($0, fit) }) {
        if fit.cost < fits[known].cost { fits[known] = fit }
      } else {
        fits.append(fit)
      }
    }
    fits.sort { $0.cost < $1.cost }
    return summary(fits, used: usable.count)
  }

  private func isUsable(_ range: BodyRange) -> Bool {
    bodies.base.indices.contains(range.baseAntenna) && bodies.target.indices.contains(range.targetAntenna)
      && range.range > 0 && range.range < parameters.farthest
  }

  // MARK: Where to start

  /// The best directions and turns of a level grid, above and below.
  private func seeds(_ ranges: [BodyRange], distance: Double) -> [RelativePoseFit] {
    let step = 2 * Double.pi / Double(Self.directions)
    var best: [(cost: Double, direction: Int, turn: Int)] = []
    for direction in 0..<Self.directions {
      for turn in 0..<Self.directions {
        let cost = gridCost(
          ranges, direction: step * Double(direction), yaw: step * Double(turn), distance: distance)
        insert((cost, direction, turn), into: &best)
      }
    }
    let height = min(0.5 * parameters.heightSigma, 0.5 * distance)
    let level = (distance * distance - height * height).squareRoot()
    return best.flatMap { seed in
      let angle = step * Double(seed.direction)
      return [height, -height].map { z in
        RelativePoseFit(
          position: SIMD3(level * Maths.cos(angle), level * Maths.sin(angle), z),
          yaw: step * Double(seed.turn), sigma: 2 * parameters.rangeSigma)
      }
    }
  }

  /// How badly a point of the grid explains the ranges; a range counts at most 1.
  private func gridCost(_ ranges: [BodyRange], direction: Double, yaw: Double, distance: Double) -> Double {
    let position = distance * SIMD3(Maths.cos(direction), Maths.sin(direction), 0)
    let attitude = BodyAttitude(yaw: yaw)
    let target = bodies.target.map { position + attitude.turned($0) }
    var cost = 0.0
    for range in ranges {
      let error = range.range - (target[range.targetAntenna] - bodies.base[range.baseAntenna]).length
      cost += error * error / (error * error + Self.gridScale * Self.gridScale)
    }
    return cost
  }

  /// Keeps the best points of the grid that are not neighbours of a better one.
  private func insert(
    _ point: (cost: Double, direction: Int, turn: Int),
    into best: inout [(cost: Double, direction: Int, turn: Int)]
  ) {
    func isNear(_ other: (cost: Double, direction: Int, turn: Int)) -> Bool {
      func apart(_ a: Int, _ b: Int) -> Int { min(abs(a - b), Self.directions - abs(a - b)) }
      return apart(point.direction, other.direction) <= 2 && apart(point.turn, other.turn) <= 2
    }
    if best.contains(where: { $0.cost <= point.cost && isNear($0) }) { return }
    best.removeAll(where: isNear)
    best.append(point)
    best.sort { ($0.cost, $0.direction, $0.turn) < ($1.cost, $1.direction, $1.turn) }
    if best.count > Self.candidates { best.removeLast() }
  }

  // MARK: Fitting

  private func fitted(_ seed: RelativePoseFit, _ ranges: [BodyRange]) -> RelativePoseFit? {
    var fit = seed
    for _ in 0..<Self.steps {
      guard let length = fit.step(ranges, bodies, parameters) else { return nil }
      if length < 1e-4 { break }
    }
    return fit
  }

  private static func areOne(_ a: RelativePoseFit, _ b: RelativePoseFit) -> Bool {
    (a.position - b.position).length < max(0.05, 0.02 * a.position.length)
      && a.attitude.turn(from: b.attitude).length < 0.05
  }

  // MARK: Result

  /// Condenses the fits, best first, to one pose. The place in the plane and the attitude are the best one's;
  /// the height is the mean over all fits at that place, so it does not depend on which side came first.
  private func summary(_ fits: [RelativePoseFit], used: Int) -> RelativePose? {
    guard let best = fits.first else { return nil }
    let weights = fits.map { Maths.exp(best.cost - $0.cost) }
    let total = weights.reduce(0, +)
    func isSamePlace(_ fit: RelativePoseFit) -> Bool {
      let apart = fit.position - best.position
      return (apart.x * apart.x + apart.y * apart.y).squareRoot() < max(0.3, 0.1 * best.position.length)
    }
    var (height, distance, near, opposite) = (0.0, 0.0, 0.0, 0.0)
    for (fit, weight) in zip(fits, weights) where isSamePlace(fit) {
      height += weight * fit.position.z
      distance += weight * fit.position.length
      near += weight
      if fit.position.z * best.position.z < 0 { opposite += weight }
    }
    let position = SIMD3(best.position.x, best.position.y, height / near)
    let mean = distance / near
    var covariance = [[Double]](repeating: [Double](repeating: 0, count: 6), count: 6)
    var variance = 0.0
    for (fit, weight) in zip(fits, weights) {
      let (moved, turned) = (fit.position - position, fit.attitude.turn(from: best.attitude))
      let apart = [moved.x, moved.y, moved.z, turned.x, turned.y, turned.z]
      for row in 0..<6 {
        for column in 0..<6 {
          covariance[row][column] +=
            weight / total * (fit.covariance[row, column] + apart[row] * apart[column])
        }
      }
      let away = fit.position.length - mean
      variance += weight / total * (fit.distanceVariance + away * away)
    }
    return RelativePose(
      positionInBase: position, baseFromTarget: best.attitude.quaternion, covariance: covariance,
      distance: mean, distanceSigma: variance.squareRoot(), agreeing: best.agreeing, used: used,
      isHeightAmbiguous: opposite > 0.1 * near)
  }
}
