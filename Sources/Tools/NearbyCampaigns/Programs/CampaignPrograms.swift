import Foundation
import NearbyScenarios
import NearbySteppedWorld

/// Runs the programs that are a campaign's devices, in place of simulated apps.
package struct CampaignPrograms: Sendable {
  /// What a run reports besides its scores.
  package enum Message: Sendable {
    case line(String, device: String)
    case trouble(String)
  }

  private let environment: [String: String]
  private let library: String
  private let programFolder: String
  private let hasOwnNetwork: Bool

  /// - Parameters:
  ///   - environment: Of this process.
  ///   - programFolder: Where this program is; the programs' shells find it there.
  ///   - hasOwnNetwork: Whether the programs of each run have a network of their own, or the machine's.
  package init(
    environment: [String: String], programFolder: String, hasOwnNetwork: Bool
  ) throws(SteppedWorldFailure) {
    self.environment = environment
    self.programFolder = programFolder
    self.hasOwnNetwork = hasOwnNetwork
    library = try TimeLibrary.path(environment: environment, programFolder: programFolder)
    if hasOwnNetwork, let failure = ProgramNetwork.unavailability(library: library) { throw failure }
  }

  /// Runs the programs in a world of their own. Blocks.
  ///
  /// - Parameter report: Called on this thread.
  /// - Returns: The scenario's scores and the programs', and a failure for each program that failed; `nil` if cancelled.
  func scores(
    of scenario: Scenario, with programs: [ProgramEntry], isCancelled: () -> Bool,
    report: @escaping (Message) -> Void
  ) -> [ScoreValue]? {
    do {
      return try run(programs, in: scenario, isCancelled, report)
    } catch SteppedWorld.Stop.cancelled {
      return nil
    } catch {
      return [ScoreValue(name: "run", value: nil, failure: "\(error)")]
    }
  }

  private func run(
    _ programs: [ProgramEntry], in scenario: Scenario, _ isCancelled: () -> Bool,
    _ report: @escaping (Message) -> Void
  ) throws -> [ScoreValue] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nearby-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let record = RunRecord()
    let world = try SteppedWorld(
      scenario,
      SteppedWorld.Settings(
        environment: environment, library: library, folder: folder.path, programFolder: programFolder,
        hasOwnNetwork: hasOwnNetwork)
    ) { event, world in record.note(event, in: world, report) }
    try world.run(programs, until: scenario.duration, isCancelled: isCancelled)
    let reports = record.reports.pairs
    // Without a session between two devices, the usual scores have nothing to measure.
    let wanted = scenario.scores.isEmpty && !reports.isEmpty ? Scenario.usualScores : scenario.scores
    return wanted.map { ScoreValue($0, in: reports, end: scenario.duration) }
      + record.scores.values + record.failures
  }
}

/// What happens in a run, as far as its result needs it.
private final class RunRecord {
  /// The last lines of a program, for the failure.
  private static let keptLines = 3

  var reports = JoinedReports()
  var scores = ProgramScores()
  private(set) var failures: [ScoreValue] = []
  private var lastLines: [String: [String]] = [:]

  func note(
    _ event: SteppedWorld.Event, in world: SteppedWorld, _ report: (CampaignPrograms.Message) -> Void
  ) {
    switch event {
    case .line(let line, let program):
      if let trouble = scores.read(line) { fail(program, trouble) }
      lastLines[program.device] = (lastLines[program.device] ?? []).suffix(Self.keptLines - 1) + [line]
      report(.line(line, device: program.device))
    case .journal(let entry): reports.note(entry, in: world)
    case .ended(let program, let status):
      report(.line("exited with status \(status)", device: program.device))
      // An interrupt is how a run ends.
      guard status != 0, status != 128 + SIGINT else { return }
      let last = (lastLines[program.device] ?? []).joined(separator: " | ")
      fail(program, "exited with status \(status)" + (last.isEmpty ? "" : ": \(last.prefix(1000))"))
    case .trouble(let text): report(.trouble(text))
    }
  }

  /// One failure a program: the first.
  private func fail(_ program: ProgramEntry, _ reason: String) {
    let name = "program \(program.device)"
    guard !failures.contains(where: { $0.name == name }) else { return }
    failures.append(ScoreValue(name: name, value: nil, failure: "\(program.device): \(reason)"))
  }
}
