import Foundation

/// The command's demo in its own process, from start to exit.
func demoBenchmark() throws -> [Figure] {
  let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  let command = folder.appendingPathComponent("nearby")
  guard FileManager.default.isExecutableFile(atPath: command.path) else {
    print("nearby demo: skipped, nothing at \(command.path); swift build -c release --product nearby")
    return []
  }
  var least = Duration.seconds(1_000_000)
  for _ in 0..<5 {
    let process = Process()
    process.executableURL = command
    process.arguments = ["demo", "--seconds", "10", "--speed", "max"]
    process.standardOutput = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    process.waitUntilExit()
    least = min(least, ContinuousClock.now - start)
    guard process.terminationStatus == 0 else { throw DemoFailure(status: process.terminationStatus) }
  }
  return [
    Figure(
      name: "nearby demo --seconds 10 --speed max, whole process", value: least.seconds, unit: "s",
      target: .under(0.5))
  ]
}

private struct DemoFailure: Error, CustomStringConvertible {
  let status: Int32
  var description: String { "nearby demo exited with \(status)" }
}
