import AccessoryApp
import NearbyAccessory
import NearbySchedule
import NearbyTesting

/// A phone's app and an accessory over Bluetooth in simulated time, with 1000 seeds each: the time to the
/// first distance, and the recovery from links that drop at random moments.
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
    var course = DroppedLinks(seed: seed, random: SplitMix64(seed: seed))
    course.run()
    longest = max(longest, course.longest)
    faults += course.faults.map { "seed \(seed): \($0)" }
  }
  for fault in faults.prefix(20) { print(fault) }
  firsts.sort()
  let crowds = [2, 4, 8].map { fewestRounds($0, seeds: 1...100) }
  return [
    Figure(
      name: "accessory: connection to first distance, median",
      value: firsts.isEmpty ? .nan : firsts[firsts.count / 2], unit: "ms"),
    Figure(
      name: "accessory: connection to first distance, longest", value: firsts.last ?? .nan, unit: "ms",
      target: .under(500)),
    Figure(name: "accessory: runs without a distance", value: Double(late), unit: "", target: .under(1)),
    Figure(
      name: "accessory: 4000 dropped links, longest until ranging", value: longest / .milliseconds(1),
      unit: "ms", target: .under(3000)),
    Figure(
      name: "accessory: 4000 dropped links, runs with a fault", value: Double(faults.count), unit: "",
      target: .under(1)),
    Figure(
      name: "accessory: 2 phones at one, fewest rounds of 100", value: crowds[0], unit: "",
      target: .atLeast(90)),
    Figure(
      name: "accessory: 4 phones at one, fewest rounds of 100", value: crowds[1], unit: "",
      target: .atLeast(90)),
    Figure(
      name: "accessory: 8 phones at one, fewest rounds of 100", value: crowds[2], unit: "",
      target: .atLeast(90)),
  ]
}

/// Lets several phones' apps start at the same time with one accessory that answers all of them. Returns,
/// over all seeds, the fewest of 100 rounds that any phone got.
private func fewestRounds(_ count: Int, seeds: ClosedRange<UInt64>) -> Double {
  var fewest = Int.max
  for seed in seeds {
    let world = World(seed: seed)
    let door = world.addAccessory("Door", at: [0, 4, 1.2])
    let accessory = door.launch { Accessory(AccessoryProfile(name: "Door")) }
    let tally = RoundTally()
    accessory.onEvent { event in
      if case .measured(let reading) = event, tally.isCounting {
        tally.rounds[reading.phone, default: 0] += 1
      }
    }
    door.launch { accessory.start() }
    let apps = (0..<count).map { number in
      let phone = world.addPhone("Phone \(number)", at: [Double(number) * 0.8 - 3, Double(number % 3), 1.2])
      let channel = phone.launch { AccessoryChannel() }
      return phone.launch { AccessoryApp(channel) }
    }
    world.advance(by: .seconds(5))
    tally.isCounting = true
    world.advance(by: .seconds(12))
    fewest = min(fewest, tally.rounds.count < count ? 0 : tally.rounds.values.min() ?? 0)
    withExtendedLifetime(apps) {}
  }
  return Double(fewest)
}

/// Used only on the thread that advances the world's time.
private final class RoundTally: @unchecked Sendable {
  var isCounting = false
  var rounds: [AccessoryPhone: Int] = [:]
}
