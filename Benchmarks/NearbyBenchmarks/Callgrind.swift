import Foundation

/// Runs this program under Valgrind's Callgrind, which counts every instruction and call.
enum Callgrind {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Instructions of the whole process, and calls of the C library's allocators.
  static func count(_ name: String, _ count: Int) throws -> (instructions: Int, allocations: Int) {
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("callgrind-\(UUID()).out")
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "valgrind", "--tool=callgrind", "--quiet", "--callgrind-out-file=\(output.path)",
      CommandLine.arguments[0], "count", name, String(count),
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let data = try? Data(contentsOf: output) else {
      throw Failure(description: "valgrind on count \(name) exited with \(process.terminationStatus)")
    }
    return try read(data)
  }

  private static let allocators = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]

  /// Parses Callgrind's output. Source: Valgrind's manual, "Callgrind Format Specification".
  private static func read(_ data: Data) throws -> (instructions: Int, allocations: Int) {
    var instructions: Int?
    var allocations = 0
    var allocatorIDs: Set<Substring> = []
    var isAllocator = false
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
        // "cfn=(12) malloc" defines the name of number 12; later lines contain only "cfn=(12)".
        let words = line.drop { $0 != "(" }.split(separator: " ", maxSplits: 1)
        guard let id = words.first else { continue }
        if words.count == 2, allocators.contains(String(words[1])) { allocatorIDs.insert(id) }
        if line.hasPrefix("cfn=") { isAllocator = allocatorIDs.contains(id) }
      } else if isAllocator, line.hasPrefix("calls=") {
        allocations += Int(line.dropFirst(6).prefix { $0 != " " }) ?? 0
      } else if line.hasPrefix("totals:") || line.hasPrefix("summary:") {
        instructions = line.split(separator: " ").last.flatMap { Int($0) }
      }
    }
    guard let instructions else { throw Failure(description: "callgrind wrote no total") }
    return (instructions, allocations)
  }
}
