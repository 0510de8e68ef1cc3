import Foundation
import NearbyEstimation

/// A recording of a tag among anchors: time differences or ranges or both, the anchors' places, and optionally
/// inertial readings and the true track.
package struct PositionRecording: Sendable {
  package struct Anchor: Equatable, Sendable {
    package var id: Int
    /// Metres in the anchors' frame, z up.
    package var position: SIMD3<Double>

    package init(id: Int, position: SIMD3<Double>) {
      self.id = id
      self.position = position
    }
  }

  package struct Difference: Equatable, Sendable {
    /// Seconds.
    package var time: Double
    package var from: Int
    package var to: Int
    /// The antenna's distance to `to` minus that to `from`, metres.
    package var metres: Double

    package init(time: Double, from: Int, to: Int, metres: Double) {
      self.time = time
      self.from = from
      self.to = to
      self.metres = metres
    }
  }

  package struct Range: Equatable, Sendable {
    /// Seconds.
    package var time: Double
    package var anchor: Int
    /// The antenna's measured distance to the anchor, metres.
    package var metres: Double

    package init(time: Double, anchor: Int, metres: Double) {
      self.time = time
      self.anchor = anchor
      self.metres = metres
    }
  }

  package struct Inertial: Equatable, Sendable {
    /// Seconds.
    package var time: Double
    /// Body axes, rad/s.
    package var rotationRate: SIMD3<Double>
    /// Body axes, m/s², with gravity.
    package var acceleration: SIMD3<Double>

    package init(time: Double, rotationRate: SIMD3<Double>, acceleration: SIMD3<Double>) {
      self.time = time
      self.rotationRate = rotationRate
      self.acceleration = acceleration
    }
  }

  package var anchors: [Anchor]
  /// In the order of the file, whatever their times.
  package var differences: [Difference]
  /// Two-way ranges, in the order of the file; empty without `ranges.csv`.
  package var ranges: [Range]
  /// Empty without `imu.csv`.
  package var inertial: [Inertial]
  /// Poses of the body; empty without `truth.csv`.
  package var truePath: [RecordedPose]
  /// Place of the antenna in the body's axes, metres.
  package var antennaInBody: SIMD3<Double>
  /// The other keys of `meta.json`; not read back.
  package var notes: [String: RecordedMeta] = [:]

  package init(
    anchors: [Anchor], differences: [Difference] = [], ranges: [Range] = [], inertial: [Inertial] = [],
    truePath: [RecordedPose] = [], antennaInBody: SIMD3<Double> = .zero
  ) {
    self.anchors = anchors
    self.differences = differences
    self.ranges = ranges
    self.inertial = inertial
    self.truePath = truePath
    self.antennaInBody = antennaInBody
  }

  /// Reads a folder of files in the following form. `anchors.csv` is required, and `tdoa.csv` or `ranges.csv`.
  ///
  /// | file | columns |
  /// |---|---|
  /// | `tdoa.csv` | `t_s`, `anchor_a`, `anchor_b`, `tdoa_m` = distance to b minus distance to a |
  /// | `ranges.csv` | `t_s`, `anchor_id`, `range_m` |
  /// | `anchors.csv` | `anchor_id`, `x_m`, `y_m`, `z_m` |
  /// | `imu.csv` | `t_s`, `wx_rad_s`, `wy_rad_s`, `wz_rad_s`, `ax_m_s2`, `ay_m_s2`, `az_m_s2` |
  /// | `truth.csv` | `t_s`, `x_m`, `y_m`, `z_m`, `qw`, `qx`, `qy`, `qz` |
  /// | `meta.json` | a JSON object; `antenna_in_body_m` is the antenna's place |
  package init(folder: URL) throws(RecordingError) {
    anchors = try Self.anchors(file: folder.appendingPathComponent("anchors.csv"))
    let differences = try Self.differences(file: folder.appendingPathComponent("tdoa.csv"))
    let ranges = try Self.ranges(file: folder.appendingPathComponent("ranges.csv"))
    guard differences != nil || ranges != nil else {
      throw .missingFile(file: folder.appendingPathComponent("tdoa.csv").path)
    }
    self.differences = differences ?? []
    self.ranges = ranges ?? []
    inertial = try Self.inertial(file: folder.appendingPathComponent("imu.csv"))
    truePath = try Recording.path(file: folder.appendingPathComponent("truth.csv"))
    antennaInBody = try Self.antenna(file: folder.appendingPathComponent("meta.json"))
  }

  // MARK: Reading

  /// Reads an `anchors.csv`.
  package static func anchors(file: URL) throws(RecordingError) -> [Anchor] {
    guard var reader = try Recording.reader(file) else { throw .missingFile(file: file.path) }
    let id = try reader.requiredColumn("anchor_id")
    let place = try VectorColumns("x_m", "y_m", "z_m", in: reader)
    var anchors: [Anchor] = []
    while try reader.next() {
      anchors.append(
        Anchor(id: try reader.integer(id), position: try place.vector(reader, in: Recording.placeBounds)))
    }
    guard !anchors.isEmpty else { throw .empty(file: file.path) }
    return anchors
  }

  private static func differences(file: URL) throws(RecordingError) -> [Difference]? {
    guard var reader = try Recording.reader(file) else { return nil }
    let time = try reader.requiredColumn("t_s")
    let from = try reader.requiredColumn("anchor_a")
    let to = try reader.requiredColumn("anchor_b")
    let metres = try reader.requiredColumn("tdoa_m")
    var differences: [Difference] = []
    while try reader.next() {
      differences.append(
        Difference(
          time: try reader.number(time, in: Recording.timeBounds), from: try reader.integer(from),
          to: try reader.integer(to), metres: try reader.number(metres)))
    }
    guard !differences.isEmpty else { throw .empty(file: file.path) }
    return differences
  }

  private static func ranges(file: URL) throws(RecordingError) -> [Range]? {
    guard var reader = try Recording.reader(file) else { return nil }
    let time = try reader.requiredColumn("t_s")
    let anchor = try reader.requiredColumn("anchor_id")
    let metres = try reader.requiredColumn("range_m")
    var ranges: [Range] = []
    while try reader.next() {
      ranges.append(
        Range(
          time: try reader.number(time, in: Recording.timeBounds), anchor: try reader.integer(anchor),
          metres: try reader.number(metres)))
    }
    guard !ranges.isEmpty else { throw .empty(file: file.path) }
    return ranges
  }

  private static func inertial(file: URL) throws(RecordingError) -> [Inertial] {
    guard var reader = try Recording.reader(file) else { return [] }
    let time = try reader.requiredColumn("t_s")
    let rate = try VectorColumns("wx_rad_s", "wy_rad_s", "wz_rad_s", in: reader)
    let force = try VectorColumns("ax_m_s2", "ay_m_s2", "az_m_s2", in: reader)
    var readings: [Inertial] = []
    while try reader.next() {
      readings.append(
        Inertial(
          time: try reader.number(time, in: Recording.timeBounds),
          rotationRate: try rate.vector(reader, in: Recording.placeBounds),
          acceleration: try force.vector(reader, in: Recording.placeBounds)))
    }
    return readings
  }

  private static func antenna(file: URL) throws(RecordingError) -> SIMD3<Double> {
    let meta = try Recording.meta(file: file)
    guard case .list(let values)? = meta["antenna_in_body_m"] else { return .zero }
    let numbers = values.compactMap { value in
      if case .number(let number) = value, Recording.placeBounds.contains(number) { number } else { nil }
    }
    guard numbers.count == 3, values.count == 3 else {
      throw .notJSON(file: file.path, reason: "antenna_in_body_m: expected three numbers, metres")
    }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }
}

/// The antenna's true places over time.
package struct RecordedAntenna: Sendable {
  private var track: RecordedTrack
  private let arm: SIMD3<Double>
  private let times: ClosedRange<Duration>?

  package init(_ recording: PositionRecording) {
    track = RecordedTrack(recording.truePath)
    arm = recording.antennaInBody
    let path = recording.truePath
    // Bounded: the times of a path don't decrease.
    times = if let first = path.first, let last = path.last { first.time...last.time } else { nil }
  }

  /// The true place at a time in seconds, metres; times must not decrease. `nil` outside the true track.
  package mutating func place(at seconds: Double) -> SIMD3<Double>? {
    guard Recording.timeBounds.contains(seconds) else { return nil }
    let time = Recording.duration(seconds)
    guard times?.contains(time) == true, let pose = track.pose(at: time) else { return nil }
    return pose.positionInWorld + Recording.rotated(arm, by: pose.worldFromDevice)
  }
}

/// Three columns that hold a vector.
struct VectorColumns {
  private let x, y, z: Int

  init(_ x: String, _ y: String, _ z: String, in header: CSVReader) throws(RecordingError) {
    self.x = try header.requiredColumn(x)
    self.y = try header.requiredColumn(y)
    self.z = try header.requiredColumn(z)
  }

  func vector(_ row: CSVReader, in bounds: ClosedRange<Double>) throws(RecordingError) -> SIMD3<Double> {
    SIMD3(try row.number(x, in: bounds), try row.number(y, in: bounds), try row.number(z, in: bounds))
  }

  /// An empty field is not a number.
  func optionalVector(_ row: CSVReader) throws(RecordingError) -> SIMD3<Double> {
    SIMD3(
      try row.optionalNumber(x) ?? .nan, try row.optionalNumber(y) ?? .nan,
      try row.optionalNumber(z) ?? .nan)
  }
}

extension CSVReader {
  /// A field as a whole number, which may be written with a decimal point.
  func integer(_ index: Int) throws(RecordingError) -> Int {
    let value = try number(index, in: -9e15...9e15)
    // Bounded: below 2^53 by the check above.
    guard let whole = Int(exactly: value) else {
      let place = place(index)
      throw .notANumber(file: place.file, line: place.line, column: place.column, found: "\(value)")
    }
    return whole
  }

  /// A field as a finite number; `nil` if it is empty.
  func optionalNumber(_ index: Int) throws(RecordingError) -> Double? {
    isBlank(index) ? nil : try number(index)
  }
}
