import Foundation

/// A piece of work to count: a part of a round, or a whole round.
private struct Counted {
  let name: String
  /// How often the shorter of the two runs repeats the work.
  let count: Int
  let prepare: () -> (Int) -> UInt64

  static var all: [Counted] {
    Part.allCases.map { Counted(name: $0.rawValue, count: 500, prepare: $0.prepare) }
      + PeerPart.allCases.map { Counted(name: $0.rawValue, count: 9000, prepare: $0.prepare) }
      + BeaconPart.allCases.map { Counted(name: $0.rawValue, count: 9000, prepare: $0.prepare) } + [
        Counted(name: "locator", count: 500, prepare: settledLocator),
        Counted(name: "position", count: 5000, prepare: settledPosition), pairs(1, count: 200),
        pairs(200, count: 5),
      ]
  }

  /// Intervals of 200 ms in a world of pairs, with one round per pair and interval.
  private static func pairs(_ number: Int, count: Int) -> Counted {
    Counted(name: "pairs:\(number)", count: count) {
      let world = PairedWorld(pairs: number)
      return { UInt64(world.advance(by: PairedWorld.interval * $0).rounds) }
    }
  }

  /// Finds the work by its name. `pairs:N` works for any N, for use with a profiler.
  init?(named name: String) {
    let world =
      name.hasPrefix("pairs:") ? Int(name.dropFirst(6)).map { Self.pairs(max($0, 1), count: 1) } : nil
    guard let found = Self.all.first(where: { $0.name == name }) ?? world else { return nil }
    self = found
  }

  private init(name: String, count: Int, prepare: @escaping () -> (Int) -> UInt64) {
    self.name = name
    self.count = count
    self.prepare = prepare
  }
}

/// Does one named piece of work COUNT times and nothing else, for a tool that counts: `count NAME COUNT`.
func countWork(_ arguments: ArraySlice<String>) -> Bool {
  guard arguments.count == 2, let name = arguments.first, let count = arguments.last.flatMap({ Int($0) }),
    let entry = Counted(named: name)
  else {
    print("usage: count NAME COUNT; names: \(Counted.all.map(\.name).joined(separator: " "))")
    return false
  }
  consume(entry.prepare()(count))
  return true
}

/// Instructions and allocations of one piece of work.
struct Count: Codable {
  var instructions: Double
  var allocations: Double
}

/// Counts every piece of work under Valgrind and compares with the thresholds: `counts FILE [--write]`.
///
/// Runs the same work N and 2 N times. The difference excludes the start and end of the process.
func compareCounts(_ arguments: [String]) throws -> Bool {
  guard let path = arguments.first else {
    print("usage: counts THRESHOLDS.json [--write]")
    return false
  }
  let file = URL(fileURLWithPath: path)
  var measured: [String: Count] = [:]
  for entry in Counted.all {
    let (once, twice) = (
      try Callgrind.count(entry.name, entry.count), try Callgrind.count(entry.name, 2 * entry.count)
    )
    measured[entry.name] = Count(
      instructions: Double(twice.instructions - once.instructions) / Double(entry.count),
      allocations: Double(twice.allocations - once.allocations) / Double(entry.count))
  }
  if arguments.contains("--write") { return try write(measured, to: file) }
  let allowed = try JSONDecoder().decode([String: Count].self, from: Data(contentsOf: file))
  return show(measured, allowed)
}

/// Writes thresholds: the measured instructions plus 5 %, the measured allocations plus 1 % and 0.05.
private func write(_ measured: [String: Count], to file: URL) throws -> Bool {
  let thresholds = measured.mapValues { count in
    Count(
      instructions: (count.instructions * 1.05).rounded(.up),
      allocations: ((count.allocations * 1.01 + 0.05) * 100).rounded() / 100)
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
  try (encoder.encode(thresholds) + Data("\n".utf8)).write(to: file)
  print("wrote \(file.path)")
  return show(measured, thresholds)
}

private func show(_ measured: [String: Count], _ allowed: [String: Count]) -> Bool {
  var isWithin = true
  print("\("counted, each".padded(to: 12)) instructions    allowed  allocations  allowed")
  for entry in Counted.all {
    guard let count = measured[entry.name], let limit = allowed[entry.name] else {
      print("\(entry.name): no threshold")
      isWithin = false
      continue
    }
    let passes = count.instructions <= limit.instructions && count.allocations <= limit.allocations
    let numbers = String(
      format: "%12.0f %10.0f %12.2f %8.2f", count.instructions, limit.instructions, count.allocations,
      limit.allocations)
    print("\(entry.name.padded(to: 12)) \(numbers)  \(passes ? "within" : "EXCEEDED")")
    isWithin = isWithin && passes
  }
  return isWithin
}
