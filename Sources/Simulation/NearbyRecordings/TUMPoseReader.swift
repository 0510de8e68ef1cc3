/// Reads poses in TUM form as they arrive, in seconds and metres, one per line:
///
///     timestamp tx ty tz qx qy qz qw
///
/// Accepts octets in chunks of any size, from a file, a socket or standard input. Fields are separated by
/// spaces or tabs, and lines end in LF or CR LF. Blank lines, lines that begin with `#` and a byte-order mark
/// are skipped. Parsing is strict: eight finite decimals, times that do not decrease, and a quaternion of
/// length 1 within `Recording.quaternionTolerance`, which is returned normalised. The first invalid line is
/// fatal: every later call throws the same error.
package struct TUMPoseReader: Sendable {
  /// Name of the source in messages.
  package let source: String
  /// Maximum length of a line without its line end, octets; also the most that is buffered.
  package let longestLine: Int
  /// Number of the current line, from 1.
  package private(set) var line = 1

  private static let names = ["timestamp", "tx", "ty", "tz", "qx", "qy", "qz", "qw"]
  private var held: [UInt8] = []
  private var latest = -Double.infinity
  private var trouble: RecordingError?

  package init(source: String = "poses", longestLine: Int = 4096) {
    self.source = source
    self.longestLine = max(1, longestLine)
  }

  /// Consumes octets and appends the poses of the lines they complete, including those before an invalid
  /// line.
  package mutating func append(
    _ octets: some Sequence<UInt8>, to poses: inout [RecordedPose]
  ) throws(RecordingError) {
    if let trouble { throw trouble }
    do throws(RecordingError) {
      for octet in octets {
        if octet == UInt8(ascii: "\n") {
          if let pose = try takeLine() { poses.append(pose) }
          line += 1
        } else if held.count < longestLine || (held.count == longestLine && octet == UInt8(ascii: "\r")) {
          held.append(octet)
        } else {
          throw .lineTooLong(file: source, line: line, longest: longestLine)
        }
      }
    } catch {
      trouble = error
      throw error
    }
  }

  /// Consumes octets and returns the poses of the lines they complete.
  package mutating func append(_ octets: some Sequence<UInt8>) throws(RecordingError) -> [RecordedPose] {
    var poses: [RecordedPose] = []
    try append(octets, to: &poses)
    return poses
  }

  /// Parses a last line without a line end, once the source has ended.
  package mutating func finish() throws(RecordingError) -> RecordedPose? {
    if let trouble { throw trouble }
    do throws(RecordingError) {
      return try takeLine()
    } catch {
      trouble = error
      throw error
    }
  }

  private mutating func takeLine() throws(RecordingError) -> RecordedPose? {
    defer { held.removeAll(keepingCapacity: true) }
    var (start, end) = (0, held.count)
    if line == 1, held.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    if end > start, held[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    while start < end, Self.isBlank(held[start]) { start += 1 }
    if start == end || held[start] == UInt8(ascii: "#") { return nil }
    return try pose(from: start, to: end)
  }

  private mutating func pose(from start: Int, to end: Int) throws(RecordingError) -> RecordedPose {
    var numbers = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var count = 0
    var position = start
    while position < end {
      let first = position
      while position < end, !Self.isBlank(held[position]) { position += 1 }
      if count < Self.names.count {
        let number = try DecimalNumber.finite(
          held, from: first, to: position,
          at: FieldPlace(file: source, line: line, column: Self.names[count]))
        if count < 4 { numbers.0[count] = number } else { numbers.1[count - 4] = number }
      }
      count += 1
      while position < end, Self.isBlank(held[position]) { position += 1 }
    }
    guard count == Self.names.count else {
      throw .poseFieldCount(file: source, line: line, found: count)
    }
    return try checked(numbers.0, orientation: numbers.1)
  }

  private mutating func checked(
    _ place: SIMD4<Double>, orientation: SIMD4<Double>
  ) throws(RecordingError) -> RecordedPose {
    func field(_ column: Int) -> FieldPlace {
      FieldPlace(file: source, line: line, column: Self.names[column])
    }
    let time = try field(0).check(place.x, in: Recording.timeBounds)
    guard time >= latest else {
      throw .timeBackwards(file: source, line: line, column: Self.names[0], found: time, latest: latest)
    }
    for axis in 1...3 { _ = try field(axis).check(place[axis], in: Recording.placeBounds) }
    let turn = try Recording.unit(
      orientation, at: FieldPlace(file: source, line: line, column: "qx qy qz qw"))
    latest = time
    return RecordedPose(
      time: Recording.duration(time), position: SIMD3(place.y, place.z, place.w), orientation: turn)
  }

  private static func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 }
}
