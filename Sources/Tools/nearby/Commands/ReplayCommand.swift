import Foundation
import NearbyRecordings

/// `nearby replay FOLDER`.
struct ReplayCommand {
  private let folder: String
  private let isJSON: Bool
  private let isSummaryOnly: Bool
  private let plot: String?
  private let object: String?
  private let tag: String?
  /// Metres.
  private let rangeOffset: Double

  init(_ arguments: Arguments) throws(UsageError) {
    folder = arguments.positionals[0]
    isJSON = arguments.has("json")
    isSummaryOnly = arguments.has("summary")
    plot = arguments.text("plot")
    object = arguments.text("object")
    tag = arguments.text("tag")
    rangeOffset = try arguments.requiredValue("radio-offset", as: .number(-1000...1000, unit: "metres"))
  }

  func run(in context: CommandContext) throws(CommandError) {
    let recording = try RecordingFolder.read(folder).choosing(object: object, tag: tag, folder: folder)
    let rows = recording.replay(rangeOffset: rangeOffset)
    if !isSummaryOnly { try printRows(rows, in: context) }
    if let plot { try PlotFile.write(ReplayPlot.plot(rows, title: title).svg(), to: plot) }
    let summary = ReplaySummary(rows, rangeOffset: rangeOffset)
    switch (isJSON, isSummaryOnly) {
    case (false, true): context.output.write(ReplayText.summary(summary))
    case (false, false): context.output.write("\n" + ReplayText.summary(summary))
    case (true, true): context.output.line(ReplayText.summaryJSON(summary))
    case (true, false): break
    }
  }

  private var title: String { URL(fileURLWithPath: folder).lastPathComponent }

  private func printRows(_ rows: [ReplayRow], in context: CommandContext) throws(CommandError) {
    if !isJSON { context.output.line(ReplayText.header) }
    for (index, row) in rows.enumerated() {
      if index.isMultiple(of: 256) {
        if context.interrupt.isRaised { throw .interrupted }
        if context.isOutputClosed() { return }
      }
      context.output.line(isJSON ? ReplayText.json(row) : ReplayText.line(row))
    }
  }
}

/// Finds a recording, or says what stands in its place.
enum RecordingFolder {
  static func read(_ path: String) throws(CommandError) -> Recording {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput("\(path): no such folder")
    }
    guard isFolder.boolValue else {
      throw .noInput("\(path): a file; expected the folder of a recording, with a ranges.csv in it")
    }
    let url = URL(fileURLWithPath: path, isDirectory: true)
    guard files.fileExists(atPath: url.appendingPathComponent("ranges.csv").path) else {
      throw .noInput("\(path): no ranges.csv in this folder\(hint(path))")
    }
    do {
      return try Recording(folder: url)
    } catch {
      throw CommandError(error)
    }
  }

  /// Names the sequences further down, where there are any.
  private static func hint(_ path: String) -> String {
    let files = FileManager.default
    let names = ((try? files.subpathsOfDirectory(atPath: path)) ?? []).prefix(20_000)
    let sequences = names.filter { $0.hasSuffix("/ranges.csv") }.map { $0.dropLast("/ranges.csv".count) }
    guard !sequences.isEmpty else { return "" }
    return "; there is one in: " + sequences.sorted().prefix(8).joined(separator: ", ")
  }
}

extension Recording {
  /// The ranges of the object and antenna that were asked for.
  func choosing(object: String?, tag: String?, folder: String) throws(CommandError) -> Recording {
    var chosen = self
    try Self.check(object, among: ranges.map(\.object), option: "object")
    try Self.check(tag, among: ranges.compactMap(\.tag), option: "tag")
    chosen.ranges = ranges.filter { range in
      (object == nil || range.object == object) && (tag == nil || range.tag == tag)
    }
    chosen.extraColumns = []
    guard !chosen.ranges.isEmpty else {
      throw .badData("\(folder): no range between object '\(object ?? "")' and tag '\(tag ?? "")'")
    }
    return chosen
  }

  private static func check(_ wanted: String?, among found: [String], option: String) throws(CommandError) {
    guard let wanted, !found.contains(wanted) else { return }
    let known = Set(found).sorted { ($0.count, $0) < ($1.count, $1) }
    let list = known.isEmpty ? "none" : known.prefix(20).joined(separator: ", ")
    throw .badData("--\(option): found '\(wanted)', expected one the recording has: \(list)")
  }
}

extension CommandError {
  /// A recording that can't be used: a missing file is no input, an unwritable one is the disk's fault.
  init(_ error: RecordingError) {
    switch error {
    case .missingFile, .unreadable: self = .noInput("\(error)")
    case .unwritable: self = .inputOutput("\(error)")
    case .empty, .missingColumn, .duplicateColumn, .fieldCount, .unclosedQuote, .notText, .notANumber,
      .notFinite, .outOfRange, .emptyName, .timeBackwards, .notUnit, .duplicateName, .unknownName,
      .lineTooLong, .noPoses, .poseFieldCount, .notJSON:
      self = .badData("\(error)")
    }
  }
}

/// Why the system would not do something with a file.
enum FileTrouble {
  static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(clamping: underlying.code)))
    }
    return error.localizedDescription
  }
}
