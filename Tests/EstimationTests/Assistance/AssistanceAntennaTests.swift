import NearbyEstimation
import NearbySimulator
import Testing

/// Antennas whose position differs from the stated one, and devices with several antennas.
@Suite("Antennas of a search")
struct AssistanceAntennaTests {
  private func ground(_ seed: UInt64) -> SearchGround {
    var ground = SearchGround.room(.dive, seed: seed)
    ground.radio.blocked = 0
    ground.radio.outliers = 0
    ground.radio.noise = 0.03
    ground.radio.echo = 0.02
    return ground
  }

  /// Final horizontal error, in metres, of a search whose readings are altered first.
  private func error(
    _ ground: SearchGround, seed: UInt64, _ parameters: AssistanceParameters,
    _ alter: (Int, inout AssistanceReading, SearchGround.Step) -> Void
  ) -> Double {
    var locator = ObjectLocator(parameters)
    var error = Double.infinity
    for (index, step) in ground.steps(seed: seed).enumerated() {
      var reading = step.reading(arm: ground.arm)
      alter(index, &reading, step)
      locator.update(reading)
      guard let place = locator.estimate(at: reading.time, pose: reading.pose)?.positionInWorld else {
        continue
      }
      let away = place - step.target
      error = (away.x * away.x + away.y * away.y).squareRoot()
    }
    return error
  }

  @Test("A wrong stated antenna position causes less error if it is not trusted")
  func arm() {
    var (sum, without) = (0.0, 0.0)
    for seed in UInt64(700)..<706 {
      var certain = AssistanceParameters(track: .surveyed)
      certain.armSigma = 1e-4
      let said = SIMD3(0.06, 0.03, -0.06)
      sum += error(ground(seed), seed: seed, AssistanceParameters(track: .surveyed)) { _, reading, _ in
        reading.antennaInDevice += said
      }
      without += error(ground(seed), seed: seed, certain) { _, reading, _ in
        reading.antennaInDevice += said
      }
    }
    #expect(sum < 0.9 * without, "\(sum / 6) m, \(without / 6) m if the stated position is trusted")
  }

  @Test("Two antennas with different biases give one position", arguments: [UInt64(710), 711, 712])
  func two(seed: UInt64) {
    let drawn = ground(seed)
    let second = SIMD3(-0.2, 0.1, 0.05)
    let error = error(drawn, seed: seed, AssistanceParameters(track: .surveyed)) { index, reading, step in
      guard index % 2 == 1 else { return }
      reading.antennaInDevice = second
      let (from, to) = (step.trueTarget - step.trueAntenna, step.target - reading.pose.inWorld(second))
      reading.range += (to * to).sum().squareRoot() - (from * from).sum().squareRoot() + 0.1
    }
    #expect(error < 0.15, "\(error) m")
  }

  @Test(
    "After the object is carried away, a wrong position is stated for under three seconds",
    arguments: 720..<724)
  func doubt(seed: Int) {
    var ground = SearchGround.room(.circle, fate: .carried, seed: UInt64(seed))
    ground.radio.blocked = 0
    ground.radio.interval = 0.1
    ground.seconds = 80
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    var wrong = 0.0
    var said = false
    for step in ground.steps(seed: UInt64(seed)) {
      let reading = step.reading(arm: ground.arm)
      locator.update(reading)
      guard let told = locator.estimate(at: reading.time, pose: reading.pose), told.isConverged,
        let place = told.positionInWorld
      else { continue }
      if step.seconds < 40 { said = true }
      let away = place - step.target
      if away.x * away.x + away.y * away.y > 0.25 { wrong += 0.1 }
    }
    #expect(said, "seed \(seed)")
    #expect(wrong < 3, "seed \(seed): \(wrong) s")
  }
}
