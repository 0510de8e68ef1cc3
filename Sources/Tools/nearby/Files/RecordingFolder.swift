import Foundation
import NearbyCommandLine
import NearbyRecordings

/// Reads a recording, or reports what was found instead.
enum RecordingFolder {
  static func read(_ path: String) throws(CommandError) -> Recording {
    let url = try url(path, with: "ranges.csv")
    do {
      return try Recording(folder: url)
    } catch {
      throw CommandError(error)
    }
  }

  /// The folder at a path, which must contain the given file.
  static func url(_ path: String, with file: String) throws(CommandError) -> URL {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput("\(path): no such folder")
    }
    guard isFolder.boolValue else {
      throw .noInput("\(path): expected a folder with a \(file), found a file")
    }
    let url = URL(fileURLWithPath: path, isDirectory: true)
    guard files.fileExists(atPath: url.appendingPathComponent(file).path) else {
      throw .noInput("\(path): no \(file) in this folder\(hint(path, file))")
    }
    return url
  }

  /// Maximum number of names searched for a hint, so that a call with `/` ends soon.
  private static let mostNames = 20_000
  /// Maximum number of names in an error message.
  private static let mostListed = 8

  /// Lists subfolders with such a file, if any.
  private static func hint(_ path: String, _ file: String) -> String {
    let files = FileManager.default
    let names = ((try? files.subpathsOfDirectory(atPath: path)) ?? []).prefix(mostNames)
    let sequences = names.filter { $0.hasSuffix("/\(file)") }.map { $0.dropLast(file.count + 1) }
    guard !sequences.isEmpty else { return "" }
    return "; found one in: " + sequences.sorted().prefix(mostListed).joined(separator: ", ")
  }
}

extension Recording {
  /// Only the ranges of the chosen object and antenna.
  func choosing(_ options: RecordingOptions) throws(CommandError) -> Recording {
    let (object, tag) = (options.object, options.tag)
    try Self.check(object, among: ranges.map(\.object), RecordingOptions.object)
    try Self.check(tag, among: ranges.compactMap(\.tag), RecordingOptions.tag)
    let chosen = selecting { range in
      (object == nil || range.object == object) && (tag == nil || range.tag == tag)
    }
    guard !chosen.ranges.isEmpty else {
      throw .badData("\(options.folder): no range between object '\(object ?? "")' and tag '\(tag ?? "")'")
    }
    return chosen
  }

  private static func check(
    _ wanted: String?, among found: [String], _ option: some DeclaredOption
  ) throws(CommandError) {
    guard let wanted, !found.contains(wanted) else { return }
    let known = Set(found).sorted { ($0.count, $0) < ($1.count, $1) }
    let list = known.isEmpty ? "none" : known.prefix(20).joined(separator: ", ")
    throw .badData("--\(option.spec.name): found '\(wanted)', expected one of \(list)")
  }
}

extension CommandError {
  /// Maps the error to an exit code: no input for a missing file, an I/O error for an unwritable one.
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
