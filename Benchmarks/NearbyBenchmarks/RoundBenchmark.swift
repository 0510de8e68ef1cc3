/// One whole round in virtual time: world, both chips, octets, both hosts, estimators, delegates.
func roundBenchmark() -> [Figure] {
  let time = PairedWorld(pairs: 1).timePerRound(runs: 20, over: .seconds(200))
  return [
    Figure(
      name: "one round of two phones, octets to delegates", value: time.microseconds, unit: "µs",
      target: .under(20))
  ]
}

/// A thousand phones in pairs: how much faster than real time.
func crowdBenchmark() -> [Figure] {
  let world = PairedWorld(pairs: 500)
  _ = world.advance(by: .seconds(2))
  var least = Duration.seconds(1_000_000)
  for _ in 0..<10 { least = min(least, world.advance(by: .seconds(2)).time) }
  return [
    Figure(
      name: "1000 phones in 500 pairs at 5 Hz, times real time", value: 2 / least.seconds, unit: "x",
      target: .atLeast(20))
  ]
}

/// What a round costs among few devices and among many.
func flatnessBenchmark() -> [Figure] {
  let sizes = [10, 100, 1000, 10_000]
  let costs = sizes.map { devices in
    let pairs = devices / 2
    // About 5000 rounds a run, but at least one interval of all.
    let rounds = max(5000 / pairs, 1)
    return PairedWorld(pairs: pairs)
      .timePerRound(runs: devices < 10_000 ? 10 : 5, over: PairedWorld.interval * rounds).microseconds
  }
  var figures = zip(sizes, costs).map { size, cost in
    Figure(name: "one round among \(size) phones", value: cost, unit: "µs")
  }
  figures.append(
    Figure(
      name: "dearest of these over cheapest", value: (costs.max() ?? 0) / (costs.min() ?? 1), unit: "x",
      target: .under(1.5)))
  return figures
}
