import Estimation
import Foundation
import Simulator

/// What one made search came to.
struct SearchScore {
  var motion: SearchGround.Motion
  /// Median of the last five horizontal errors, and of the 3D ones, metres; infinite where there was no place.
  var final = Double.infinity
  var final3D = Double.infinity
  /// Horizontal error when it first said converged, metres.
  var errorWhenSaid: Double?
  var saidAt: Double?
  /// Of all ranges at which it said so, the share that was off by over half a metre.
  var wrongTime = 0.0
  /// Error squared over the stated variance at the end, horizontally.
  var normalised: Double?
  /// Horizontal standard deviation that the geometry allows with honest ranges, metres.
  var bound = Double.infinity
  /// Seconds after which the error stayed under 0.3 m.
  var settledAt: Double?

  var isWellPosed: Bool { bound < 0.1 }
  var isRight: Bool { final < 0.3 }
  var isWrong: Bool { (errorWhenSaid ?? 0) > 0.5 }

  init(_ ground: SearchGround, seed: UInt64, parameters: AssistanceParameters) {
    motion = ground.motion
    let steps = ground.steps(seed: seed)
    var locator = ObjectLocator(parameters)
    var (said, wrong) = (0, 0)
    var latest: [(Double, Double)] = []
    for step in steps {
      let reading = step.reading(arm: ground.arm)
      locator.update(reading)
      let estimate = locator.estimate(
        at: reading.time, pose: reading.pose, forwardInDevice: SIMD3(1, 0, 0))
      guard let estimate, let place = estimate.positionInWorld else { continue }
      let away = place - step.target
      let square = away.x * away.x + away.y * away.y
      if estimate.isConverged {
        said += 1
        if square > 0.25 { wrong += 1 }
        if errorWhenSaid == nil { (errorWhenSaid, saidAt) = (square.squareRoot(), step.seconds) }
      }
      if square > 0.09 { settledAt = nil } else if settledAt == nil { settledAt = step.seconds }
      normalised = square / (estimate.horizontalSigma * estimate.horizontalSigma)
      latest.append((square.squareRoot(), (square + away.z * away.z).squareRoot()))
      if latest.count > 5 { latest.removeFirst() }
    }
    wrongTime = said == 0 ? 0 : Double(wrong) / Double(said)
    guard !latest.isEmpty else { return }
    final = RangeScore.median(latest.map(\.0))
    final3D = RangeScore.median(latest.map(\.1))
    bound = Self.bound(steps, isDrifting: ground.drift.yawWalk > 0)
  }

  /// From ranges of 0.12 m independent every half metre, a bias within 0.06 m and a height within 1 m.
  private static func bound(_ steps: [SearchGround.Step], isDrifting: Bool) -> Double {
    var h = [[Double]](repeating: [0, 0, 0, 0], count: 4)
    (h[2][2], h[3][3]) = (1, 1 / 0.0036)
    guard let last = steps.last, var before = steps.first?.trueAntenna else { return .infinity }
    for step in steps {
      let moved = step.trueAntenna - before
      let way = (moved * moved).sum().squareRoot()
      guard way > 0.05 else { continue }
      before = step.trueAntenna
      let across = last.trueTarget - step.trueAntenna
      let distance = max(0.1, (across * across).sum().squareRoot())
      let gradient = [across.x / distance, across.y / distance, across.z / distance, 1]
      let drift = isDrifting ? pow(2e-3 * distance, 2) * (last.seconds - step.seconds) : 0
      let weight = min(1, way / 0.5) / (0.0144 + drift)
      for i in 0..<4 { for j in 0..<4 { h[i][j] += weight * gradient[i] * gradient[j] } }
    }
    guard let inverse = inverted(h) else { return .infinity }
    return (inverse[0][0] + inverse[1][1]).squareRoot()
  }

  private static func inverted(_ matrix: [[Double]]) -> [[Double]]? {
    var m = matrix
    for pivot in m.indices {
      let value = m[pivot][pivot]
      guard value > 1e-9 else { return nil }
      m[pivot][pivot] = 1
      m[pivot] = m[pivot].map { $0 / value }
      for row in m.indices where row != pivot {
        let factor = m[row][pivot]
        m[row][pivot] = 0
        for column in m.indices { m[row][column] -= factor * m[pivot][column] }
      }
    }
    return m
  }
}

extension SearchGround.Step {
  func reading(arm: SIMD3<Double>) -> AssistanceReading {
    AssistanceReading(
      time: .nanoseconds(Int64(seconds * 1e9)),
      pose: DevicePose(positionInWorld: position, worldFromDevice: orientation), antennaInDevice: arm,
      range: range)
  }
}

/// Prints what made searches came to, every motion and track for itself: grounds that nothing was tuned on.
func searchBenchmark(seeds: Int = 60) -> [Figure] {
  var figures: [Figure] = []
  for isDrifting in [false, true] {
    let name = isDrifting ? "drifting" : "true"
    print("Made searches, \(name) track, \(seeds) seeds a motion: metres and shares")
    print(
      "motion        runs      eh     p90      e3    NEES  t_said   right    well     said   wrong  w_time")
    var all: [SearchScore] = []
    for motion in SearchGround.Motion.allCases {
      let scores = (0..<seeds).map { index in
        let seed = UInt64(index) &+ (isDrifting ? 50_000 : 0)
        let ground = SearchGround(motion: motion, isDrifting: isDrifting, seed: seed)
        return SearchScore(
          ground, seed: seed,
          parameters: AssistanceParameters(track: isDrifting ? .visualInertial : .surveyed))
      }
      showScores(motion.rawValue, scores)
      if let path = ProcessInfo.processInfo.environment["SEARCH_DETAIL"], path == motion.rawValue {
        for (index, score) in scores.enumerated() {
          let ground = SearchGround(
            motion: motion, isDrifting: isDrifting, seed: UInt64(index) &+ (isDrifting ? 50_000 : 0))
          print(
            index, ground.target, "ext", ground.extent, "sec", ground.seconds, "eh", score.final, "bound",
            score.bound, "said", score.errorWhenSaid ?? -1, score.saidAt ?? -1, "wt", score.wrongTime, "nees",
            score.normalised ?? -1)
          print("    ", ground.radio)
        }
      }
      all += scores
    }
    showScores("all", all)
    let said = all.compactMap(\.errorWhenSaid)
    let right = all.filter(\.isRight)
    let well = all.filter(\.isWellPosed)
    let hopeless = all.filter { [.still, .vertical, .line].contains($0.motion) }
    figures += [
      Figure(
        name: "made searches, \(name): wrong when it said converged",
        value: Double(all.count(where: \.isWrong)) / Double(max(1, said.count)), unit: "",
        target: .under(0.02)),
      Figure(
        name: "made searches, \(name): said on a line, up and down, still",
        value: Double(hopeless.count { $0.errorWhenSaid != nil }), unit: "", target: .under(0.5)),
      Figure(
        name: "made searches, \(name): said when right",
        value: Double(right.count { $0.saidAt != nil }) / Double(max(1, right.count)), unit: "",
        target: .atLeast(0.95)),
      Figure(
        name: "made searches, \(name): right where the geometry allows",
        value: Double(well.count(where: \.isRight)) / Double(max(1, well.count)), unit: "",
        target: .atLeast(0.9)),
    ]
  }
  return figures
}

private func showScores(_ name: String, _ scores: [SearchScore]) {
  func quantile(_ values: [Double], _ share: Double) -> Double {
    values.isEmpty ? .nan : RangeScore.quantile(values.sorted(), share)
  }
  let errors = scores.map(\.final)
  let well = scores.filter(\.isWellPosed)
  let right = scores.filter(\.isRight)
  let said = scores.filter { $0.saidAt != nil }
  let normalised = scores.compactMap(\.normalised)
  let columns: [Double] = [
    quantile(errors, 0.5), quantile(errors, 0.9), quantile(scores.map(\.final3D), 0.5),
    normalised.reduce(0) { $0 + min($1, 50) } / Double(max(1, normalised.count)),
    quantile(scores.compactMap(\.saidAt), 0.5), Double(right.count) / Double(max(1, scores.count)),
    Double(well.count(where: \.isRight)) / Double(well.count),
    Double(right.count { $0.saidAt != nil }) / Double(right.count),
    Double(said.count(where: \.isWrong)) / Double(max(1, said.count)),
    said.reduce(0) { $0 + $1.wrongTime } / Double(max(1, said.count)),
  ]
  let cells = columns.map { value in
    let cell = String(format: "%.3f", value)
    return String(repeating: " ", count: max(0, 8 - cell.count)) + cell
  }
  print(
    name.padded(to: 12) + String(format: "%6d", scores.count) + cells.joined()
      + String(format: " %4d %4d", well.count, said.count))
}
