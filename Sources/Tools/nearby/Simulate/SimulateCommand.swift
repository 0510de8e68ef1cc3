import Foundation
import NearbyChipTools
import NearbyCommandLine
import NearbyRecordings
import NearbyScenarios
import NearbySchedule
import NearbySimulator
import NearbyTextForms

/// `nearby simulate SCENARIO --out FOLDER`.
struct SimulateCommand {
  private static let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000

  let file: String
  let folder: OutputFolder
  private let seed: UInt64?
  private let duration: Duration?
  let interval: Duration
  let device: String?
  /// `nil` to measure two-way ranges.
  private let order: Scenario.AnchorOrder?
  private let radio: Options.Radio
  private let place: Options.Place
  private let rangeOffset: Double

  init(_ arguments: CommandArguments) throws(UsageError) {
    file = try arguments[Options.scenario]
    folder = try OutputFolder(arguments)
    seed = try arguments[Options.seed]
    duration = try arguments[Options.seconds]
    device = try arguments[Options.device]
    order = try arguments[Options.anchors]
    radio = try arguments[Options.radio]
    place = try arguments[Options.place]
    rangeOffset = try arguments[Options.radioOffset]
    let interval = try arguments[Options.interval]
    guard interval >= .milliseconds(1), interval.components.attoseconds % Self.attosecondsPerMillisecond == 0
    else {
      throw .invalidValue(
        option: "\(Options.interval)", found: arguments.text(of: Options.interval) ?? "",
        expected: "whole milliseconds")
    }
    self.interval = interval
  }

  func run(in context: CommandContext) throws(CommandError) {
    if Self.isFolder(file) { return try repeatRecording(in: context) }
    var scenario = try ScenarioFile.read(file, progress: context.errors)
    if let seed { scenario.seed = seed }
    if let duration { scenario.duration = duration }
    try folder.check()
    if let order { return try listen(scenario, order, context) }
    let recording = try record(scenario, context)
    try folder.write(recording)
    let seconds = NumberFormat.fixed(scenario.duration / .seconds(1), 1)
    context.errors.line(
      "\(folder.path): \(recording.ranges.count) ranges in \(seconds) s, seed \(scenario.seed)")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Simulates the path, objects and times of a recording.
  private func repeatRecording(in context: CommandContext) throws(CommandError) {
    let recorded = try RecordingFolder.read(file)
    try folder.check()
    let name = URL(fileURLWithPath: file).lastPathComponent
    let options = SimulatedRecording.Options(
      radio: RadioCharacteristics.table.first { $0.name == radio.rawValue }?.characteristics ?? .module,
      echoLoss: place == .outdoors ? 15 : 8, seed: seed ?? StableHash.of(name), rangeOffset: rangeOffset)
    guard var simulation = SimulatedRecording(recorded, options: options) else {
      throw .badData(
        "\(file): no traj_gt.csv, or no range to an object of objects_gt.csv; nothing was written")
    }
    let repeated = radio == .bluetooth ? simulation.runLowEnergy() : simulation.run()
    try folder.write(repeated)
    let counts = "\(repeated.ranges.count) ranges for \(recorded.ranges.count) recorded ones"
    context.errors.line("\(folder.path): \(counts), seed \(options.seed)")
  }

  private func record(_ scenario: Scenario, _ context: CommandContext) throws(CommandError) -> Recording {
    let recording: Recording
    do throws(ChipRecorderError) {
      var recorder = try ChipRecorder(scenario, device: device, interval: interval)
      recording = try recorder.run { context.interrupt.isRaised }
    } catch {
      throw Self.commandError(error, file: file)
    }
    guard !recording.ranges.isEmpty else {
      throw .badData(
        "\(file): no range was measured in \(scenario.duration / .seconds(1)) s; nothing was written")
    }
    return recording
  }

  private static func commandError(_ error: ChipRecorderError, file: String) -> CommandError {
    switch error {
    case .cancelled: .interrupted
    case .unknownDevice(let name, let known):
      .badData(
        "\(Options.device): found '\(name)', expected one of \(known.joined(separator: ", "))"
      )
    case .noPeers(let name):
      .badData("\(file): device '\(name)' is in no pair; choose another with \(Options.device)")
    case .tooManyPeers(let peers, let shortest):
      .badData(
        "\(Options.interval): \(peers) peers need at least \(NumberFormat.fixed(shortest / .milliseconds(1), 0))ms"
      )
    case .refused(let name, let failure):
      CommandError(code: .internalError, message: "chip of '\(name)': \(failure.sentence)")
    }
  }
}
