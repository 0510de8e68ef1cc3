import Foundation
import NearbyTextForms

/// Writes log messages to standard error, one record per line: time, type, subsystem, category, text.
///
/// The environment variable `NEARBY_LOG` sets the least severe type to write: `debug`, `info` (the default),
/// `default`, `error`, `fault` or `off`. `NEARBY_LOG_PRIVATE=1` shows private values, as a debugger does on
/// Apple's systems. If standard error goes to systemd's journal, each line starts with its priority instead.
final class LogOutput: Sendable {
  static let shared = LogOutput(environment: ProcessInfo.processInfo.environment)

  let showsPrivate: Bool
  private let least: Int
  private let isJournal: Bool

  init(environment: [String: String]) {
    showsPrivate = environment["NEARBY_LOG_PRIVATE"] == "1"
    least =
      ["debug": 0, "info": 1, "default": 2, "error": 3, "fault": 4, "off": 5][environment["NEARBY_LOG"] ?? ""]
      ?? 1
    isJournal = environment["JOURNAL_STREAM"] != nil
  }

  func isEnabled(_ type: OSLogType) -> Bool { Self.rank(type) >= least }

  private static func rank(_ type: OSLogType) -> Int {
    switch type {
    case .debug: 0
    case .info: 1
    case .error: 3
    case .fault: 4
    default: 2
    }
  }

  func write(_ type: OSLogType, _ log: OSLog, _ text: String) {
    StandardStream.writeError(line: line(type, log, text, at: Date()))
  }

  /// Formats a record; continuation lines are indented, so that none can pass for a record.
  func line(_ type: OSLogType, _ log: OSLog, _ text: String, at time: Date) -> String {
    let text = PrintableText.lines(text).split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n    ")
    let name = ["debug", "info", "default", "error", "fault"][Self.rank(type)]
    let origin = log.subsystem.isEmpty ? "" : "[\(log.subsystem):\(log.category)] "
    if isJournal { return "<\([7, 6, 5, 3, 2][Self.rank(type)])>\(origin)\(text)" }
    let seconds = time.timeIntervalSince1970
    let stamp = String(format: "%.3f", seconds)
    return "\(stamp) \(name) \(origin)\(text)"
  }
}
