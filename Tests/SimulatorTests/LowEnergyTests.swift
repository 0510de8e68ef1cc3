import NearbySimulator
import Testing

@Suite("Bluetooth signal strength over distance")
struct LowEnergyTests {
  private struct Sample {
    var decades: Double
    var power: Double
  }

  /// A beacon that is carried around a hall with receivers in it, as in the recordings.
  private func walk(seed: UInt64, receivers: Int = 12) -> [[Sample]] {
    var world = SimulatedWorld(seed: seed)
    let carrier = world.addBody(.standing([0, 0, 1.8]))
    let beacon = LowEnergyRadio(body: carrier, identity: 1)
    world.walk(
      carrier, through: [[14, 0, 1.8], [14, 11, 1.8], [0, 11, 1.8], [0, 0, 1.8]], speed: 1, from: .zero)
    var samples = [[Sample]](repeating: [], count: receivers)
    var radios: [LowEnergyRadio] = []
    for index in 0..<receivers {
      let place = SIMD3(Double(index % 4) * 4 + 1, Double(index / 4) * 4 + 1, 1.2)
      radios.append(LowEnergyRadio(body: world.addBody(.standing(place)), identity: UInt64(index) + 2))
    }
    for step in 0..<110 {
      let time = Duration.milliseconds(455 * step)
      let here = world.pose(of: carrier, at: time).positionInWorld
      for (index, radio) in radios.enumerated() {
        let channel = UInt8(37 + (step + index) % 3)
        guard let power = world.lowEnergyPower(from: beacon, to: radio, channel: channel, at: time) else {
          continue
        }
        let path = here - world.pose(of: radio.body, at: time).positionInWorld
        samples[index].append(Sample(decades: logTen((path * path).sum().squareRoot()), power: power))
      }
    }
    return samples
  }

  private func logTen(_ value: Double) -> Double {
    // Finds the exponent by bisection, because the tests don't import the C library.
    var (low, high) = (-3.0, 3.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if powerOfTen(middle) < value { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private func powerOfTen(_ exponent: Double) -> Double {
    let x = exponent * 2.302585092994046 / 1024
    var value = 1 + x + x * x / 2 + x * x * x / 6
    for _ in 0..<10 { value *= value }
    return value
  }

  @Test(
    "Path-loss exponent, spread and difference between successive packets match the recordings",
    arguments: 1...5)
  func figures(seed: UInt64) {
    let walks = walk(seed: UInt64(seed))
    let all = walks.flatMap { $0 }
    let count = Double(all.count)
    let meanX = all.map(\.decades).reduce(0, +) / count
    let meanY = all.map(\.power).reduce(0, +) / count
    var (xx, xy) = (0.0, 0.0)
    for sample in all {
      xx += (sample.decades - meanX) * (sample.decades - meanX)
      xy += (sample.decades - meanX) * (sample.power - meanY)
    }
    let slope = xy / xx
    let spread = all.map { ($0.power - meanY - slope * ($0.decades - meanX)) }.map { $0 * $0 }
    // Recorded: 1.39 and 6.1 dB over all of danis; the collection itself states 1.2 to 1.4 and 4 to 8 dB.
    #expect((0.9...1.9).contains(-slope / 10), "seed \(seed): exponent \(-slope / 10)")
    let sigma = (spread.reduce(0, +) / count).squareRoot()
    #expect((4.5...7.5).contains(sigma), "seed \(seed): spread \(sigma)")
    let steps = walks.flatMap { zip($0, $0.dropFirst()).map { $1.power - $0.power } }
    let step = (steps.map { $0 * $0 }.reduce(0, +) / Double(steps.count) / 2).squareRoot()
    // Recorded: 3.6 to 5.3 dB.
    #expect((3.5...5.3).contains(step), "seed \(seed): step \(step)")
  }

  @Test("Signal strength is the same in both directions and reduced by walls; far away there is no signal")
  func links() {
    var world = SimulatedWorld(seed: 4)
    let first = LowEnergyRadio(body: world.addBody(.standing([0, 0, 1])), identity: 5)
    let second = LowEnergyRadio(body: world.addBody(.standing([6, 0, 1])), identity: 9)
    func mean(_ a: LowEnergyRadio, _ b: LowEnergyRadio) -> Double {
      let powers = (0..<300).compactMap {
        world.lowEnergyPower(from: a, to: b, channel: 38, at: .milliseconds(100 * $0))
      }
      return powers.isEmpty ? -.infinity : powers.reduce(0, +) / Double(powers.count)
    }
    let open = mean(first, second)
    #expect(abs(open - mean(second, first)) < 0.6)
    world.add(Wall(from: [3, -5], to: [3, 5], material: Material(attenuation: 12, delay: 0, excess: 0)))
    let behind = mean(first, second)
    #expect(open - behind > 4)
    #expect(open - behind < 9)
    world.place(second.body, at: [200, 0, 1])
    #expect(mean(first, second) == -.infinity)
  }
}
