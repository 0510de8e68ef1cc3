import Foundation

/// What is counted: the parts of a round, and the whole of it.
private struct Counted {
  let name: String
  /// How often it is done in the shorter run.
  let count: Int
  let prepare: () -> (Int) -> UInt64

  static var all: [Counted] {
    Part.allCases.map { Counted(name: $0.rawValue, count: 500, prepare: $0.prepare) }
      + PeerPart.allCases.map { Counted(name: $0.rawValue, count: 9000, prepare: $0.prepare) }
      + BeaconPart.allCases.map { Counted(name: $0.rawValue, count: 9000, prepare: $0.prepare) } + [
        Counted(name: "locator", count: 500, prepare: settledLocator), pairs(1, count: 200),
        pairs(200, count: 5),
      ]
  }

  /// Intervals of 200 ms in a world of pairs, each with one round a pair.
  private static func pairs(_ number: Int, count: Int) -> Counted {
    Counted(name: "pairs:\(number)", count: count) {
      let world = PairedWorld(pairs: number)
      return { UInt64(world.advance(by: PairedWorld.interval * $0).rounds) }
    }
  }

  /// By its name; worlds of any size have one, for a profiler.
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

/// Does so much work of one name and nothing else, for a tool that counts: `count NAME COUNT`.
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

/// Counts every piece of work under valgrind and compares with what is allowed: `counts FILE [--write]`.
///
/// The same work is done N and 2 N times; in the difference the process's start and end cancel.
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

/// Writes thresholds: 5 % more instructions than there are now, 1 % and a twentieth more allocations.
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
