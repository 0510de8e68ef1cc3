import Foundation

extension Recording {
  /// Reads a folder of files in the following form. Only `ranges.csv` is required.
  ///
  /// | file | columns |
  /// |---|---|
  /// | `ranges.csv` | `t_s`, `object_id`, `range_m`; optional: `tag_id`, `gt_range_m`, others |
  /// | `traj_gt.csv`, `traj_vio_semisynthetic.csv` | `t_s`, `px_m`, `py_m`, `pz_m`, `qw`, `qx`, `qy`, `qz` |
  /// | the same, planar | `t_s`, `x_m`, `y_m`; optional: `z_m`, and `qw`, `qx`, `qy`, `qz` |
  /// | `objects_gt.csv` | `object_id`, `x_m`, `y_m`, `z_m` |
  /// | `tags.csv` | `tag_id`, `bx_m`, `by_m`, `bz_m` |
  /// | `meta.json` | a JSON object |
  ///
  /// Times must not decrease, quaternions must have length 1 within `quaternionTolerance`, and names of
  /// objects and antennas must be non-empty and unique. Ranges to objects without a position are valid; they
  /// have no truth. Of the columns that estimators do not need, `nan` and infinite numbers count as missing.
  package init(folder: URL) throws(RecordingError) {
    let table = try Self.ranges(file: folder.appendingPathComponent("ranges.csv"))
    ranges = table.ranges
    extraColumns = table.extraColumns
    missingValues = table.notFinite
    truePath = try Self.path(file: folder.appendingPathComponent("traj_gt.csv"))
    trackedPath = try Self.path(file: folder.appendingPathComponent("traj_vio_semisynthetic.csv"))
    objects = try Self.points(
      file: folder.appendingPathComponent("objects_gt.csv"), name: "object_id",
      axes: ["x_m", "y_m", "z_m"])
    tags = try Self.points(
      file: folder.appendingPathComponent("tags.csv"), name: "tag_id",
      axes: ["bx_m", "by_m", "bz_m"])
    try Self.check(table, against: tags, folder)
    meta = try Self.meta(file: folder.appendingPathComponent("meta.json"))
  }

  /// Reads the poses of a file in TUM form.
  package static func poses(tum file: URL) throws(RecordingError) -> [RecordedPose] {
    guard let bytes = try bytes(file) else { throw .missingFile(file: file.path) }
    var reader = TUMPoseReader(source: file.path)
    var poses = try reader.append(bytes)
    if let last = try reader.finish() { poses.append(last) }
    if poses.isEmpty { throw .noPoses(file: file.path) }
    return poses
  }

  /// Size of the largest file that is read, octets.
  static let sizeLimit = 512 << 20

  /// The contents of a file, or `nil` if it does not exist.
  static func bytes(_ file: URL) throws(RecordingError) -> [UInt8]? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else { return nil }
    if isFolder.boolValue { throw .unreadable(file: file.path, reason: "a folder; expected a file") }
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      let size = attributes[.size] as? UInt64 ?? 0
      guard size <= UInt64(sizeLimit) else {
        throw RecordingError.unreadable(
          file: file.path,
          reason: "\(size) octets, at most \(sizeLimit) are read; cut it into several recordings")
      }
      return [UInt8](try Data(contentsOf: file))
    } catch let error as RecordingError {
      throw error
    } catch {
      throw .unreadable(file: file.path, reason: error.localizedDescription)
    }
  }

  static func reader(_ file: URL) throws(RecordingError) -> CSVReader? {
    guard let bytes = try bytes(file) else { return nil }
    return try CSVReader(file: file.path, bytes: bytes)
  }

  private static func ranges(file: URL) throws(RecordingError) -> RangeTable {
    guard var reader = try reader(file) else { throw .missingFile(file: file.path) }
    var table = try RangeTable(header: reader)
    while try reader.next() { try table.append(reader) }
    guard !table.ranges.isEmpty else { throw .empty(file: file.path) }
    return table
  }

  /// Throws if some antennas' positions are known but one's is not: its ranges would use a wrong lever arm.
  private static func check(
    _ table: RangeTable, against tags: [RecordedPoint], _ folder: URL
  ) throws(RecordingError) {
    let names = Set(tags.map(\.name))
    let unknown = table.firstLines.filter { !names.contains($0.key) }
    guard !tags.isEmpty, let first = unknown.min(by: { $0.value < $1.value }) else { return }
    throw .unknownName(
      file: folder.appendingPathComponent("ranges.csv").path, line: first.value, column: "tag_id",
      found: String(first.key.prefix(40)), list: "tags.csv")
  }

  static func path(file: URL) throws(RecordingError) -> [RecordedPose] {
    guard var reader = try reader(file) else { return [] }
    let time = try reader.requiredColumn("t_s")
    let isPlanar = reader.column("px_m") == nil && reader.column("x_m") != nil
    let x = try reader.requiredColumn(isPlanar ? "x_m" : "px_m")
    let y = try reader.requiredColumn(isPlanar ? "y_m" : "py_m")
    let z = isPlanar ? reader.column("z_m") : try reader.requiredColumn("pz_m")
    let hasTurn = !isPlanar || reader.column("qw") != nil
    let turn = hasTurn ? try PathOrientation(header: reader) : nil
    var poses: [RecordedPose] = []
    var latest = -Double.infinity
    while try reader.next() {
      let seconds = try reader.number(time, in: timeBounds)
      guard seconds >= latest else {
        throw .timeBackwards(
          file: reader.file, line: reader.line, column: "t_s", found: seconds, latest: latest)
      }
      latest = seconds
      let height = if let z { try reader.number(z, in: placeBounds) } else { 0.0 }
      let position = SIMD3(
        try reader.number(x, in: placeBounds), try reader.number(y, in: placeBounds), height)
      let orientation = try turn?.orientation(reader) ?? SIMD4(0, 0, 0, 1)
      poses.append(
        RecordedPose(time: duration(seconds), position: position, orientation: orientation))
    }
    guard !poses.isEmpty else { throw .empty(file: file.path) }
    return poses
  }

  private static func points(
    file: URL, name: String, axes: [String]
  ) throws(RecordingError) -> [RecordedPoint] {
    guard var reader = try reader(file) else { return [] }
    let nameColumn = try reader.requiredColumn(name)
    let x = try reader.requiredColumn(axes[0])
    let y = try reader.requiredColumn(axes[1])
    let z = try reader.requiredColumn(axes[2])
    var points: [RecordedPoint] = []
    var names: Set<String> = []
    while try reader.next() {
      let point = RecordedPoint(
        name: try reader.name(nameColumn),
        position: SIMD3(
          try reader.number(x, in: placeBounds), try reader.number(y, in: placeBounds),
          try reader.number(z, in: placeBounds)))
      guard names.insert(point.name).inserted else {
        throw .duplicateName(
          file: reader.file, line: reader.line, column: name, found: String(point.name.prefix(40)))
      }
      points.append(point)
    }
    return points
  }

  static func meta(file: URL) throws(RecordingError) -> [String: RecordedMeta] {
    guard let bytes = try bytes(file) else { return [:] }
    do {
      return try JSONDecoder().decode([String: RecordedMeta].self, from: Data(bytes))
    } catch {
      throw .notJSON(file: file.path, reason: String(describing: error))
    }
  }

  /// Converts seconds within `timeBounds` to the nearest nanosecond.
  static func duration(_ seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}

/// Reads the quaternion columns of a path.
private struct PathOrientation {
  private let columns: [Int]
  init(header: CSVReader) throws(RecordingError) {
    var columns: [Int] = []
    for name in ["qx", "qy", "qz", "qw"] { columns.append(try header.requiredColumn(name)) }
    self.columns = columns
  }
  func orientation(_ reader: CSVReader) throws(RecordingError) -> SIMD4<Double> {
    let turn = SIMD4(
      try reader.number(columns[0]), try reader.number(columns[1]), try reader.number(columns[2]),
      try reader.number(columns[3]))
    let place = FieldPlace(file: reader.file, line: reader.line, column: "qw, qx, qy, qz")
    return try Recording.unit(turn, at: place)
  }
}
