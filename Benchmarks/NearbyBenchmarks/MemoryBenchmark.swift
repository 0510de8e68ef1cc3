import Foundation

/// Resident memory per simulated device that ranges: its share of the world, chip, host, estimator and
/// session.
func memoryBenchmark() throws -> [Figure] {
  let pairs = 2000
  // The first world pays for what a process allocates only once.
  _ = PairedWorld(pairs: 2).advance(by: .seconds(1))
  let before = try residentOctets()
  let world = PairedWorld(pairs: pairs)
  _ = world.advance(by: .seconds(2))
  let after = try residentOctets()
  consume(UInt64(world.updates))
  return [
    Figure(
      name: "memory a simulated phone, of \(2 * pairs) that range",
      value: Double(after - before) / Double(2 * pairs) / 1024, unit: "KiB", target: .under(64))
  ]
}

/// Source: `proc(5)`, statm: the second number is the count of resident pages.
private func residentOctets() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let words = text.split(separator: " ")
  guard words.count > 1, let pages = Int(words[1]) else { throw CocoaError(.fileReadCorruptFile) }
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
