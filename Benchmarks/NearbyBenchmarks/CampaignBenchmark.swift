import Foundation

/// Ten thousand jobs of ten simulated seconds of two phones by `nearby campaign run`, its pool compared with one process
/// for each core, and a worker behind a NATS server compared with the pool.
func campaignBenchmark() throws -> [Figure] {
  let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  let command = folder.appendingPathComponent("nearby")
  guard FileManager.default.isExecutableFile(atPath: command.path) else {
    print("campaign: skipped, nothing at \(command.path); swift build -c release --product nearby")
    return []
  }
  let scenario = FileManager.default.temporaryDirectory
    .appendingPathComponent("nearby-campaign-\(UUID().uuidString).json")
  try Data(meeting.utf8).write(to: scenario)
  defer { try? FileManager.default.removeItem(at: scenario) }
  let run = CampaignRun(command: command, scenario: scenario)
  let cores = ProcessInfo.processInfo.activeProcessorCount
  let server = try BenchedServer()
  defer { server.stop() }
  let worker = try run.start(["campaign", "work", "--nats", server.url, "--workers", "\(cores)"])
  defer {
    worker.interrupt()
    worker.waitUntilExit()
  }
  // They take turns, so that a busy machine slows all equally.
  var pool = Duration.seconds(1_000_000)
  var (processes, queue) = (pool, pool)
  for _ in 0..<5 {
    pool = min(pool, try run.time(parts: 1, workers: cores))
    processes = min(processes, try run.time(parts: cores, workers: 1))
    queue = min(queue, try run.time(through: server.url))
  }
  return [
    Figure(
      name: "10,000 jobs of 10 s of two phones, \(cores) cores", value: pool.seconds, unit: "s",
      target: .under(60)),
    Figure(
      name: "pool's speed over that of one process a core", value: processes.seconds / pool.seconds,
      unit: "x",
      target: .atLeast(0.95)),
    Figure(
      name: "a worker behind a NATS server against the pool", value: queue.seconds / pool.seconds, unit: "x",
      target: .under(1.1)),
  ]
}

private let meeting = """
  { duration: 10, devices: [
    { name: "anna", motion: { walk: [[-6, 0], [-0.6, 0]] } },
    { name: "ben", motion: { stand: [0.6, 0] }, facing: { device: "anna" } } ] }
  """

private struct CampaignRun {
  let command: URL
  let scenario: URL

  struct Failed: Error, CustomStringConvertible {
    let status: Int32
    var description: String { "nearby campaign run exited with \(status)" }
  }

  /// Real time of all jobs in as many processes as there are parts.
  func time(parts: Int, workers: Int) throws -> Duration {
    let began = ContinuousClock.now
    let processes = try (1...parts).map { part in
      try start(words + ["--shard", "\(part)/\(parts)", "--workers", "\(workers)"])
    }
    try finish(processes)
    return ContinuousClock.now - began
  }

  /// Real time of all jobs by the workers behind a server.
  func time(through server: String) throws -> Duration {
    let began = ContinuousClock.now
    try finish([start(words + ["--nats", server])])
    return ContinuousClock.now - began
  }

  private var words: [String] {
    ["campaign", "run", scenario.path, "--seeds", "1..10000", "--out", "/dev/null"]
  }

  func start(_ words: [String]) throws -> Process {
    let process = Process()
    process.executableURL = command
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func finish(_ processes: [Process]) throws {
    for process in processes {
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    }
  }
}
