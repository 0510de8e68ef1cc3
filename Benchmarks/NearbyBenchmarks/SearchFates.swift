import Foundation
import NearbyEstimation
import NearbySimulator

/// What happens to an object in the second half of a simulated search.
private struct FateScore {
  /// Shares of the time: error under 1 m or 15 % of the distance; converged; converged with an error over 0.5
  /// m.
  var near = 0.0
  var said = 0.0
  var wrong = 0.0

  init(_ ground: SearchGround, seed: UInt64) {
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    var count = 0.0
    for step in ground.steps(seed: seed) {
      let reading = step.reading(arm: ground.arm)
      locator.update(reading)
      guard step.seconds > ground.seconds / 2,
        let estimate = locator.estimate(at: reading.time, pose: reading.pose)
      else { continue }
      count += 1
      guard let place = estimate.positionInWorld else { continue }
      let (away, across) = (place - step.target, step.trueTarget - step.trueAntenna)
      let error = (away.x * away.x + away.y * away.y).squareRoot()
      if error < max(1, 0.15 * (across * across).sum().squareRoot()) { near += 1 }
      guard estimate.isConverged else { continue }
      said += 1
      if error > 0.5 { wrong += 1 }
    }
    count = max(1, count)
    (near, said, wrong) = (near / count, said / count, wrong / count)
  }
}

/// Objects that stay, are carried away or walk, and a world whose origin moves; with and without an array's
/// angles.
func fateFigures(seeds: Int) -> [Figure] {
  print("Simulated searches, second half: shares of the time near, converged, and converged wrongly")
  var figures: [Figure] = []
  for fate in SearchGround.Fate.allCases {
    for sigma in [0, 0.07] {
      let motions: [SearchGround.Motion] = [.circle, .planar, .dive, .sweep]
      let scores = motions.flatMap { motion in
        (0..<seeds).map { index in
          let seed = UInt64(index) &+ 9000
          return FateScore(ordinary(motion, fate, angleSigma: sigma, seed: seed), seed: seed)
        }
      }
      func mean(_ part: (FateScore) -> Double) -> Double {
        scores.reduce(0) { $0 + part($1) } / Double(max(1, scores.count))
      }
      let name = "\(fate.rawValue)\(sigma > 0 ? ", with angles" : "")"
      let columns = String(format: "%8.3f%8.3f%8.3f", mean(\.near), mean(\.said), mean(\.wrong))
      print(name.padded(to: 26) + columns)
      let wanted: Double =
        switch fate {
        case .stays: 0.97
        case .carried, .originMoves: 0.75
        case .walks: sigma > 0 ? 0.75 : 0.45
        }
      figures.append(
        Figure(
          name: "simulated searches, \(name): share of the time near", value: mean(\.near), unit: "",
          target: .atLeast(wanted)))
    }
  }
  return figures
}

/// A room, a radio with the errors of recordings, and an object at 2 to 8 m.
private func ordinary(
  _ motion: SearchGround.Motion, _ fate: SearchGround.Fate, angleSigma: Double, seed: UInt64
) -> SearchGround {
  var ground = SearchGround(motion: motion, fate: fate, isDrifting: false, seed: seed)
  ground.radio.interval = 0.1
  ground.radio.outliers = 0.02
  ground.radio.outlierLength = 5
  ground.radio.blocked = 0.03
  ground.radio.blockedSeconds = 2
  ground.radio.angleSigma = angleSigma
  ground.seconds = fate == .walks ? 45 : 120
  ground.extent = 2
  ground.speed = 0.8
  let length = (ground.target * ground.target).sum().squareRoot()
  ground.target *= max(2, min(8, length)) / length
  return ground
}
