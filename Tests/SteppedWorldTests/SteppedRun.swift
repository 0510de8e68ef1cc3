import Foundation
import NearbyScenarios
import NearbySteppedWorld
import NearbyWorld
import TestSupport

/// A stepped world with the probe as its programs, and what happened in it.
struct SteppedRun {
  /// The folder with the built programs and the library: that of the tests.
  static let folder = [CommandLine.arguments[0], Bundle.main.bundlePath + "/x"].map {
    URL(fileURLWithPath: $0).deletingLastPathComponent().path
  }.first { FileManager.default.isExecutableFile(atPath: "\($0)/StepProbe") }

  /// Whether the programs are built and may have a network of their own. A sanitizer has its own definitions of the
  /// functions that the library defines.
  static let isPossible: Bool = {
    guard let folder, !Sanitizers.isActive,
      let library = try? TimeLibrary.path(environment: [:], programFolder: folder)
    else { return false }
    return ProgramNetwork.unavailability(library: library) == nil
  }()

  private(set) var lines: [String: [String]] = [:]
  private(set) var statuses: [String: Int32] = [:]
  private(set) var troubles: [String] = []
  private(set) var stop: SteppedWorld.Stop?
  private(set) var failure: SteppedWorldFailure?

  /// - Parameter commands: A shell command for each device, whose name is the key. `StepProbe` is found.
  init(
    _ commands: KeyValuePairs<String, String>, seed: UInt64 = 1, for duration: Duration = .seconds(20),
    patience: Duration = .seconds(60), hasOwnNetwork: Bool = true, isCancelled: () -> Bool = { false }
  ) throws {
    let temporary = try TemporaryFolder()
    let folder = Self.folder ?? ""
    var environment = temporary.environmentOfSteppedPrograms
    environment["NEARBY_PERMISSION"] = "allowed"
    environment["NSNearbyInteractionUsageDescription"] = "test"
    var settings = SteppedWorld.Settings(
      environment: environment,
      library: try TimeLibrary.path(environment: environment, programFolder: folder),
      folder: temporary.url.path,
      programFolder: folder, hasOwnNetwork: hasOwnNetwork)
    settings.patience = patience
    let record = Record()
    do {
      let world = try SteppedWorld(Self.scenario(commands.map(\.key), seed: seed), settings) { event, _ in
        record.note(event)
      }
      try world.run(
        commands.map { ProgramEntry(device: $0.key, command: $0.value) }, until: duration,
        isCancelled: isCancelled)
    } catch let error as SteppedWorldFailure {
      failure = error
    } catch let error as SteppedWorld.Stop {
      stop = error
    }
    (lines, statuses, troubles) = (record.lines, record.statuses, record.troubles)
  }

  private static func scenario(_ names: [String], seed: UInt64) throws -> Scenario {
    let devices = names.enumerated().map {
      #"{"name": "\#($1)", "motion": {"stand": [\#(2 * $0), 0]}}"#
    }
    let text = #"{"seed": \#(seed), "duration": 60, "devices": [\#(devices.joined(separator: ", "))]}"#
    return try Scenario(parsing: Data(text.utf8), file: "test")
  }

  private final class Record {
    var lines: [String: [String]] = [:]
    var statuses: [String: Int32] = [:]
    var troubles: [String] = []

    func note(_ event: SteppedWorld.Event) {
      switch event {
      case .line(let line, let program): lines[program.device, default: []].append(line)
      case .ended(let program, let status): statuses[program.device] = status
      case .trouble(let text): troubles.append(text)
      case .journal: break
      }
    }
  }
}

extension TemporaryFolder {
  var environmentOfSteppedPrograms: [String: String] {
    ["HOME": url.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
      .merging(Sanitizers.environment) { own, _ in own }
  }
}
