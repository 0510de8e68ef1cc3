import Foundation

extension PositionRecording {
  /// Writes the folder that `init(folder:)` reads, creating it if necessary. A part without rows gets no file,
  /// and an existing file for it is removed.
  ///
  /// Times have six decimals, places and differences four; a quaternion has six.
  package func write(to folder: URL) throws(RecordingError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(file: folder.path, reason: error.localizedDescription)
    }
    try Self.write(anchorRows(), "anchor_id,x_m,y_m,z_m", folder, "anchors.csv")
    try Self.write(differenceRows(), "t_s,anchor_a,anchor_b,tdoa_m", folder, "tdoa.csv")
    try Self.write(rangeRows(), "t_s,anchor_id,range_m", folder, "ranges.csv")
    try Self.write(
      inertialRows(), "t_s,wx_rad_s,wy_rad_s,wz_rad_s,ax_m_s2,ay_m_s2,az_m_s2", folder, "imu.csv")
    try Self.write(truthRows(), "t_s,x_m,y_m,z_m,qw,qx,qy,qz", folder, "truth.csv")
    try Self.writeText(try metaText(folder), folder.appendingPathComponent("meta.json"))
  }

  private static func write(
    _ rows: [String], _ header: String, _ folder: URL, _ name: String
  ) throws(RecordingError) {
    let text = rows.isEmpty ? "" : header + "\n" + rows.joined(separator: "\n") + "\n"
    try writeText(text, folder.appendingPathComponent(name))
  }

  private static func writeText(_ text: String, _ file: URL) throws(RecordingError) {
    do {
      if !text.isEmpty {
        try Data(text.utf8).write(to: file, options: .atomic)
      } else if FileManager.default.fileExists(atPath: file.path) {
        try FileManager.default.removeItem(at: file)
      }
    } catch {
      throw .unwritable(file: file.path, reason: error.localizedDescription)
    }
  }

  private func anchorRows() -> [String] {
    anchors.map { "\($0.id)," + Self.fields($0.position) }
  }

  private func differenceRows() -> [String] {
    differences.map {
      "\(Self.fixed($0.time, 6)),\($0.from),\($0.to),\(Self.fixed($0.metres, 4))"
    }
  }

  private func rangeRows() -> [String] {
    ranges.map { "\(Self.fixed($0.time, 6)),\($0.anchor),\(Self.fixed($0.metres, 4))" }
  }

  private func inertialRows() -> [String] {
    inertial.map {
      "\(Self.fixed($0.time, 6)),\(Self.fields($0.rotationRate)),\(Self.fields($0.acceleration))"
    }
  }

  private func truthRows() -> [String] {
    truePath.map { pose in
      let q = pose.orientation
      let turn = [q.w, q.x, q.y, q.z].map { Self.fixed($0, 6) }.joined(separator: ",")
      return "\(DecimalNumber.text(pose.time)),\(Self.fields(pose.position)),\(turn)"
    }
  }

  private func metaText(_ folder: URL) throws(RecordingError) -> String {
    var meta = notes
    let arm = antennaInBody
    meta["antenna_in_body_m"] = .list([.number(arm.x), .number(arm.y), .number(arm.z)])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(meta), as: UTF8.self) + "\n"
    } catch {
      throw .unwritable(
        file: folder.appendingPathComponent("meta.json").path, reason: String(describing: error))
    }
  }

  private static func fields(_ vector: SIMD3<Double>) -> String {
    "\(fixed(vector.x, 4)),\(fixed(vector.y, 4)),\(fixed(vector.z, 4))"
  }

  /// A number with a fixed number of decimals, in the C locale.
  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }
}
