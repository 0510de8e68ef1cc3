import Foundation

extension Recording {
  /// Writes the folder that `init(folder:)` reads, creating it if necessary. Empty parts get no file, and an
  /// existing file for them is removed.
  ///
  /// Reading the folder back gives an equal value, with times exact to the nanosecond.
  package func write(to folder: URL) throws(RecordingError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(file: folder.path, reason: error.localizedDescription)
    }
    try Self.write(inOrder().rangesText(), to: folder.appendingPathComponent("ranges.csv"))
    try Self.write(Self.text(truePath), to: folder.appendingPathComponent("traj_gt.csv"))
    try Self.write(
      Self.text(trackedPath), to: folder.appendingPathComponent("traj_vio_semisynthetic.csv"))
    try Self.write(
      Self.text(objects, header: "object_id,x_m,y_m,z_m"),
      to: folder.appendingPathComponent("objects_gt.csv"))
    try Self.write(
      Self.text(tags, header: "tag_id,bx_m,by_m,bz_m"),
      to: folder.appendingPathComponent("tags.csv"))
    try Self.write(try metaText(folder), to: folder.appendingPathComponent("meta.json"))
  }

  private static func write(_ text: String, to file: URL) throws(RecordingError) {
    do {
      if text.isEmpty {
        if FileManager.default.fileExists(atPath: file.path) {
          try FileManager.default.removeItem(at: file)
        }
      } else {
        try Data(text.utf8).write(to: file, options: .atomic)
      }
    } catch {
      throw .unwritable(file: file.path, reason: error.localizedDescription)
    }
  }

  private func rangesText() -> String {
    let hasTags = ranges.contains { $0.tag != nil }
    let hasTruth = ranges.contains { $0.trueRange != nil }
    var header = ["t_s"]
    if hasTags { header.append("tag_id") }
    header += ["object_id", "range_m"]
    header += extraColumns.map { Self.quoted($0.name) }
    if hasTruth { header.append("gt_range_m") }
    var text = header.joined(separator: ",") + "\n"
    for (row, range) in ranges.enumerated() {
      text += DecimalNumber.text(range.time)
      if hasTags { text += ",\(Self.quoted(range.tag ?? "-"))" }
      text += ",\(Self.quoted(range.object)),\(range.range)"
      for column in extraColumns { text += ",\(Self.field(column, row))" }
      if hasTruth { text += ",\(range.trueRange.map { "\($0)" } ?? "")" }
      text += "\n"
    }
    return text
  }

  private static func field(_ column: RecordedColumn, _ row: Int) -> String {
    switch column.values {
    case .numbers(let numbers):
      guard row < numbers.count, numbers[row].isFinite else { return "" }
      return "\(numbers[row])"
    case .text(let text): return row < text.count ? quoted(text[row]) : ""
    }
  }

  private static func text(_ path: [RecordedPose]) -> String {
    guard !path.isEmpty else { return "" }
    var text = "t_s,px_m,py_m,pz_m,qw,qx,qy,qz\n"
    for pose in path {
      let (p, q) = (pose.position, pose.orientation)
      text += "\(DecimalNumber.text(pose.time)),\(p.x),\(p.y),\(p.z),\(q.w),\(q.x),\(q.y),\(q.z)\n"
    }
    return text
  }

  private static func text(_ points: [RecordedPoint], header: String) -> String {
    guard !points.isEmpty else { return "" }
    var text = header + "\n"
    for point in points {
      let p = point.position
      text += "\(quoted(point.name)),\(p.x),\(p.y),\(p.z)\n"
    }
    return text
  }

  private func metaText(_ folder: URL) throws(RecordingError) -> String {
    guard !meta.isEmpty else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(meta), as: UTF8.self) + "\n"
    } catch {
      throw .unwritable(
        file: folder.appendingPathComponent("meta.json").path, reason: String(describing: error))
    }
  }

  /// Quotes a field if its text requires it.
  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
    guard needsQuotes else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}
