import Foundation

/// Usage: NearbyBenchmarks [TOPIC…] | count NAME COUNT | counts THRESHOLDS [--write]
func run(_ arguments: [String]) throws -> Bool {
  switch arguments.first {
  case "count": return countWork(arguments.dropFirst())
  case "counts": return try compareCounts(Array(arguments.dropFirst()))
  default: break
  }
  let topics = arguments.compactMap { Topic(rawValue: $0) }
  guard topics.count == arguments.count else {
    print("topics: \(Topic.allCases.map(\.rawValue).joined(separator: " "))")
    return false
  }
  return Topic.measure(topics.isEmpty ? Topic.allCases : topics)
}

do {
  exit(try run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
} catch {
  print("NearbyBenchmarks: \(error)")
  exit(1)
}
