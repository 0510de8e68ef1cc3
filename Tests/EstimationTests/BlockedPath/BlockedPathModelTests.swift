import Foundation
import NearbyEstimation
import TestSupport
import Testing

@Suite("Blocked path model")
struct BlockedPathModelTests {
  private let model = BlockedPathModel()

  private static func receiver(
    range: Double = .nan, power: Double = .nan, first: Double = .nan,
    amplitudes: SIMD3<Double> = SIMD3(repeating: .nan), symbols: Double = .nan, noise: Double = .nan
  ) -> ReceiverFigures {
    var figures = ReceiverFigures()
    figures.range = range
    figures.power = power
    figures.firstPathPower = first
    figures.firstPathAmplitudes = amplitudes
    figures.accumulatedSymbols = symbols
    figures.noise = noise
    return figures
  }

  /// Computed from the table's numbers by another program.
  @Test(
    "Probabilities are those of the regression, for all columns and for fewer",
    arguments: [
      (
        receiver(
          range: 6.1, power: -79.8, first: -83, amplitudes: SIMD3(4100, 5200, 3900), symbols: 101, noise: 44),
        0.039064663075524184
      ),
      (
        receiver(
          range: 7.5, power: -81.2, first: -97.4, amplitudes: SIMD3(610, 900, 1300), symbols: 101, noise: 28),
        0.980941821720158
      ),
      (
        receiver(
          range: 9.4, power: -94.2, first: -104.7, amplitudes: SIMD3(2900, 5100, 4800), symbols: 1450,
          noise: 84),
        0.9984411906819182
      ),
      (
        receiver(
          range: 13.57, power: -79.5, first: -82.5, amplitudes: SIMD3(14_200, 17_000, 15_000), symbols: 1050,
          noise: 44), 0.146032278690552
      ),
      (receiver(range: 6.1, power: -79.8, first: -83), 0.09034760750158928),
      (receiver(range: 6.1, power: -90.5), 0.9954866494571595),
      (receiver(power: -84, first: -96), 0.9178662939748207),
      (receiver(amplitudes: SIMD3(610, 900, 1300), symbols: 101, noise: 28), 0.9628914537700747),
      (
        receiver(
          range: 0.1, power: -70, first: -71, amplitudes: SIMD3(6500, 6600, 6400), symbols: 101, noise: 60),
        0.00025360130067199414
      ),
      (
        receiver(
          range: 200, power: -110, first: -130, amplitudes: .zero, symbols: 20, noise: 16), 0.9991037493257691
      ),
    ])
  func goldens(figures: ReceiverFigures, expected: Double) throws {
    let probability = try #require(model.probability(figures))
    #expect((probability - expected).magnitude < 1e-8)
  }

  @Test("A receiver that reports no power and no amplitude says nothing about the path")
  func nothing() {
    #expect(model.probability(ReceiverFigures()) == nil)
    #expect(model.probability(Self.receiver(range: 5)) == nil)
    #expect(model.probability(Self.receiver(range: 5, symbols: 101, noise: 40)) == nil)
    // Amplitudes mean nothing without the count of symbols that they are the sum of.
    #expect(model.probability(Self.receiver(range: 5, amplitudes: SIMD3(900, 900, 900), noise: 40)) == nil)
    #expect(
      model.probability(Self.receiver(range: 5, amplitudes: SIMD3(900, .nan, 900), symbols: 101)) == nil)
    #expect(model.probability(Self.receiver(range: 5, amplitudes: SIMD3(900, -1, 900), symbols: 101)) == nil)
  }

  @Test("A weaker first path, at the same power, makes a blocked path more likely")
  func weakerFirstPath() throws {
    for isFull in [true, false] {
      var last = 0.0
      for step in 0...20 {
        let first = -81.0 - Double(step)
        var figures = Self.receiver(range: 6, power: -80.5, first: first)
        if isFull {
          figures.firstPathAmplitudes = SIMD3(repeating: 6500 * pow(10, (first + 81) / 20))
          figures.accumulatedSymbols = 101
          figures.noise = 36
        }
        let probability = try #require(model.probability(figures))
        #expect(probability >= last)
        last = probability
      }
      #expect(last > 0.9)
    }
  }

  @Test("Less power at the same range makes a blocked path more likely")
  func lessPower() throws {
    for range in [1.0, 3, 8, 15] {
      let probabilities = try (0...15).map { step in
        try #require(model.probability(Self.receiver(range: range, power: -78 - Double(step))))
      }
      #expect(probabilities == probabilities.sorted())
      #expect(probabilities[15] > 0.9)
    }
  }

  @Test("A site's shift moves the threshold and keeps the order")
  func shift() throws {
    let figures = Self.receiver(range: 6.1, power: -79.8, first: -86)
    let score = try #require(model.score(figures))
    let shifted = try #require(BlockedPathModel(shift: 1.5).score(figures))
    #expect((score - shifted - 1.5).magnitude < 1e-12)
    #expect(BlockedPathModel.probability(score: 0) == 0.5)
  }

  /// Radios in and out of sight as physics has them: a direct path loses 5 dB or more in a wall, echoes keep the whole
  /// signal's power up, and the receiver's own noise falls with the power that arrives.
  @Test("On synthetic paths, probabilities are calibrated and mostly right")
  func synthetic() throws {
    var random = RangingRandom(seed: 11)
    var rows: [(probability: Double, isBlocked: Bool)] = []
    for index in 0..<4000 {
      let isBlocked = index.isMultiple(of: 2)
      let range = Double.random(in: 1...12, using: &random)
      let loss = isBlocked ? max(0, 8 + 4 * random.normal()) : 0
      let first = min(-81 - 0.25 * range + random.normal(), -81) - loss
      let power = max(-80 + 0.7 * random.normal() - 0.3 * loss, first)
      let amplitude = 6500 * pow(10, (first + 81) / 20)
      let figures = Self.receiver(
        range: range, power: power, first: first, amplitudes: SIMD3(repeating: amplitude), symbols: 101,
        noise: max(20, 44 + 5 * random.normal() - (isBlocked ? 12 : 0)))
      rows.append((try #require(model.probability(figures)), isBlocked))
    }
    let brier = rows.reduce(0) { sum, row in
      let error = row.probability - (row.isBlocked ? 1 : 0)
      return sum + error * error
    }
    let right = rows.count { ($0.probability > 0.5) == $0.isBlocked }
    #expect(Double(right) / Double(rows.count) > 0.85)
    #expect(brier / Double(rows.count) < 0.12)
    let sure = rows.filter { $0.probability > 0.9 }
    let clear = rows.filter { $0.probability < 0.1 }
    #expect(sure.count > 500 && clear.count > 500)
    #expect(Double(sure.count { $0.isBlocked }) / Double(sure.count) > 0.9)
    #expect(Double(clear.count { !$0.isBlocked }) / Double(clear.count) > 0.9)
  }

  @Test("Any numbers give a probability or nothing")
  func hostile() {
    let numbers = [
      Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, 0, -0.0, -1, 1e300,
    ]
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      func any() -> Double { numbers.randomElement(using: &random) ?? 0 }
      let figures = Self.receiver(
        range: any(), power: any(), first: any(), amplitudes: SIMD3(any(), any(), any()), symbols: any(),
        noise: any())
      if let probability = model.probability(figures) {
        #expect((0...1).contains(probability), "\(figures)")
      }
    }
  }
}
