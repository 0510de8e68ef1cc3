import Foundation

/// Runs what the arguments name. Times vary between machines and hours, so a missed figure is reported but
/// fails only with `--strict`. A count over its threshold always fails.
///
/// Usage: NearbyBenchmarks [--strict] [TOPIC…] | count NAME COUNT | counts THRESHOLDS [--write] | parsed |
/// peer TYPE | session TYPE | rate SIZE
func run(_ arguments: [String]) throws -> Bool {
  // Plain OpenSSL, which is measured for comparison, writes without MSG_NOSIGNAL.
  signal(SIGPIPE, SIG_IGN)
  switch arguments.first {
  case "count": return countWork(arguments.dropFirst())
  case "counts": return try compareCounts(Array(arguments.dropFirst()))
  case BeaconRate.command: return BeaconRate.serve()
  case SessionRate.command: return try SessionRate.serve(arguments.last ?? "")
  case SessionStart.command: return SessionStart.serve(arguments.last ?? "")
  case StartBenchmark.command where arguments.count == 2: return try StartBenchmark.serve(arguments[1])
  default: break
  }
  let names = arguments.filter { $0 != "--strict" }
  let topics = names.compactMap { Topic(rawValue: $0) }
  guard topics.count == names.count else {
    print("topics: \(Topic.allCases.map(\.rawValue).joined(separator: " "))")
    return false
  }
  let areMet = Topic.measure(topics.isEmpty ? Topic.allCases : topics)
  return areMet || !arguments.contains("--strict")
}

do {
  exit(try run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
} catch {
  print("NearbyBenchmarks: \(error)")
  exit(1)
}
