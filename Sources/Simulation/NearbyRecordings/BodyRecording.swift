import Foundation
import NearbyEstimation
import NearbyMaths

/// A recording of ranges between bodies that carry several antennas each.
///
/// A folder with files `base{A}_targ{B}.csv`, one for each ordered pair of bodies `A` and `B`, and
/// `antennas.csv` in the same folder or the one above. If the folder itself has no such file, those of its
/// subfolders are read.
///
/// | file | columns |
/// |---|---|
/// | `antennas.csv` | `agent`, `antenna`, `bx_m`, `by_m`, `bz_m`: place along the body's axes, metres |
/// | `base{A}_targ{B}.csv` | `t_s`; `r{i}{j}_m` or `r{i}_{j}_m`: range between antenna `i` of `A` and `j` of `B` |
/// | the same, truth, optional | `rel_x_m`, `rel_y_m`, `rel_z_m`, `rel_yaw_deg`: `B` along the axes of `A` |
///
/// A blank, `nan` or infinite range is missing. Ranges of antennas that `antennas.csv` does not list are left
/// out and counted, as are files of bodies that it does not list. Times must not decrease.
package struct BodyRecording: Equatable, Sendable {
  /// The true pose of the target.
  package struct Truth: Equatable, Sendable {
    /// Along the base's axes, metres.
    package var position: SIMD3<Double>
    /// Direction of the target's x axis in the base's level plane, radians from x towards y.
    package var yaw: Double
  }

  package struct Row: Equatable, Sendable {
    package var time: Duration
    package var ranges: [BodyRange]
    package var truth: Truth?
  }

  /// The ranges between two bodies.
  package struct Pair: Equatable, Sendable {
    /// Name of the subfolder; empty for the folder itself.
    package var sequence: String
    package var base: String
    package var target: String
    /// Places of the antennas along each body's axes, metres.
    package var baseAntennas: [SIMD3<Double>]
    package var targetAntennas: [SIMD3<Double>]
    /// In file order.
    package var rows: [Row]
  }

  package var pairs: [Pair] = []
  /// Number of ranges that were blank, `nan` or infinite.
  package var missingRanges = 0
  /// Number of columns, and of files, whose antenna or body is unknown.
  package var unknownColumns = 0
  package var unknownFiles = 0

  private static let antennaFile = "antennas.csv"

  /// Whether a folder holds such a recording.
  package static func isRecording(_ folder: URL) -> Bool { !files(in: folder).isEmpty }

  package init(folder: URL) throws(RecordingError) {
    let files = Self.files(in: folder)
    guard let first = files.first else {
      throw .missingFile(file: folder.appendingPathComponent("base1_targ2.csv").path)
    }
    for file in files {
      let bodies = try BodyAntennas(file: try Self.antennas(of: file.url))
      guard let base = bodies[file.base], let target = bodies[file.target] else {
        unknownFiles += 1
        continue
      }
      try read(file, base: base, target: target)
    }
    guard !pairs.isEmpty else {
      throw .unknownName(
        file: first.url.path, line: 1, column: "agent", found: first.base + ", " + first.target,
        list: Self.antennaFile)
    }
  }

  // MARK: Files

  private struct File {
    var url: URL
    var sequence: String
    var base: String
    var target: String
  }

  /// The pairs' files in the folder, or in its subfolders, sorted by name.
  private static func files(in folder: URL) -> [File] {
    let own = pairFiles(in: folder, sequence: "")
    if !own.isEmpty { return own }
    return names(in: folder).flatMap { name in
      pairFiles(in: folder.appendingPathComponent(name, isDirectory: true), sequence: name)
    }
  }

  private static func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private static func pairFiles(in folder: URL, sequence: String) -> [File] {
    names(in: folder).compactMap { name in
      guard name.hasPrefix("base"), name.hasSuffix(".csv") else { return nil }
      let parts = name.dropFirst(4).dropLast(4).split(separator: "_", omittingEmptySubsequences: false)
      guard parts.count == 2, let base = parts.first, let last = parts.last, last.hasPrefix("targ"),
        !base.isEmpty, last.count > 4
      else { return nil }
      return File(
        url: folder.appendingPathComponent(name), sequence: sequence, base: String(base),
        target: String(last.dropFirst(4)))
    }
  }

  /// The list of antennas beside a file, or one folder above.
  private static func antennas(of file: URL) throws(RecordingError) -> URL {
    let folder = file.deletingLastPathComponent()
    let own = folder.appendingPathComponent(antennaFile)
    if FileManager.default.fileExists(atPath: own.path) { return own }
    let above = folder.deletingLastPathComponent().appendingPathComponent(antennaFile)
    guard FileManager.default.fileExists(atPath: above.path) else { throw .missingFile(file: own.path) }
    return above
  }

  // MARK: Rows

  private mutating func read(
    _ file: File, base: BodyAntennas.Body, target: BodyAntennas.Body
  ) throws(RecordingError) {
    guard var reader = try Recording.reader(file.url) else { throw .missingFile(file: file.url.path) }
    let columns = try BodyRangeColumns(reader, base: base, target: target)
    unknownColumns += columns.unknown
    var pair = Pair(
      sequence: file.sequence, base: file.base, target: file.target, baseAntennas: base.places,
      targetAntennas: target.places, rows: [])
    var latest = -Double.infinity
    while try reader.next() {
      let seconds = try reader.number(columns.time, in: Recording.timeBounds)
      guard seconds >= latest else {
        throw .timeBackwards(
          file: reader.file, line: reader.line, column: "t_s", found: seconds, latest: latest)
      }
      latest = seconds
      let ranges = try columns.ranges(reader)
      missingRanges += columns.count - ranges.count
      pair.rows.append(
        Row(time: Recording.duration(seconds), ranges: ranges, truth: try columns.truth(reader)))
    }
    guard !pair.rows.isEmpty else { throw .empty(file: reader.file) }
    pairs.append(pair)
  }
}
