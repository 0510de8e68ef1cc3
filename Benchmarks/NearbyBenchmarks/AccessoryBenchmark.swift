import AccessoryApp
import NearbyTesting

/// A phone's app and an accessory over Bluetooth, in simulated time: how soon the first distance comes, and what
/// becomes of links that drop at random moments. 1000 seeds each.
func accessoryBenchmark() -> [Figure] {
  let seeds = UInt64(1)...1000
  var firsts: [Double] = []
  var late = 0
  for seed in seeds {
    let entrance = Entrance(seed: seed)
    entrance.world.advance(until: { entrance.firstDistance != nil }, within: .seconds(5))
    guard let connected = entrance.connected, let first = entrance.firstDistance else {
      late += 1
      continue
    }
    firsts.append((first - connected) / .milliseconds(1))
  }
  var longest = Duration.zero
  var faults: [String] = []
  for seed in seeds {
    var course = DroppedLinks(seed: seed, random: AccessoryGenerator(state: seed))
    course.run()
    longest = max(longest, course.longest)
    faults += course.faults.map { "seed \(seed): \($0)" }
  }
  for fault in faults.prefix(20) { print(fault) }
  firsts.sort()
  return [
    Figure(
      name: "accessory: connection to first distance, median",
      value: firsts.isEmpty ? .nan : firsts[firsts.count / 2], unit: "ms"),
    Figure(
      name: "accessory: connection to first distance, longest", value: firsts.last ?? .nan, unit: "ms",
      target: .under(500)),
    Figure(name: "accessory: never a distance", value: Double(late), unit: "", target: .under(1)),
    Figure(
      name: "accessory: 4000 dropped links, longest until ranging", value: longest / .milliseconds(1),
      unit: "ms", target: .under(3000)),
    Figure(
      name: "accessory: 4000 dropped links, runs with a fault", value: Double(faults.count), unit: "",
      target: .under(1)),
  ]
}

/// SplitMix64.
private struct AccessoryGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
