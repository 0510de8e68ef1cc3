/// One whole round in virtual time: world, both chips, octets, both hosts, estimators, delegates.
func roundBenchmark() -> [Figure] {
  let world = PairedWorld(pairs: 1)
  let time = leastTimePerRound([world], rounds: 1000)[0]
  return [
    Figure(
      name: "one round of two phones, octets to delegates", value: time.microseconds, unit: "µs",
      target: .under(20))
  ]
}

/// A thousand phones in pairs: how much faster they run than real time.
func crowdBenchmark() -> [Figure] {
  let world = PairedWorld(pairs: 500)
  _ = world.advance(by: .seconds(2))
  var least = Duration.seconds(1_000_000)
  for _ in 0..<20 { least = min(least, world.advance(by: .seconds(2)).time) }
  return [
    Figure(
      name: "1000 phones in 500 pairs at 5 Hz, times real time", value: 2 / least.seconds, unit: "x",
      target: .atLeast(20))
  ]
}

/// The cost of a round among few devices and among many.
func flatnessBenchmark() -> [Figure] {
  let sizes = [10, 100, 1000, 10_000]
  let worlds = sizes.map { PairedWorld(pairs: $0 / 2) }
  let costs = leastTimePerRound(worlds, rounds: 2000).map(\.microseconds)
  var figures = zip(sizes, costs).map { size, cost in
    Figure(name: "one round among \(size) phones", value: cost, unit: "µs")
  }
  figures.append(
    Figure(
      name: "most expensive of these over cheapest", value: (costs.max() ?? 0) / (costs.min() ?? 1),
      unit: "x",
      target: .under(1.5)))
  return figures
}

/// The least time per round in each world, of 20 runs each. The worlds take turns, so that a busy machine
/// slows all of them equally.
private func leastTimePerRound(_ worlds: [PairedWorld], rounds: Int) -> [Duration] {
  var least = worlds.map { $0.timePerRound(over: rounds) }
  for _ in 0..<20 {
    for (index, world) in worlds.enumerated() {
      least[index] = min(least[index], world.timePerRound(over: rounds))
    }
  }
  return least
}
