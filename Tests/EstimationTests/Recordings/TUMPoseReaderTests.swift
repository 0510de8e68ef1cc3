import NearbyEstimation
import NearbyRecordings
import TestSupport
import Testing

@Suite("Poses in TUM format")
struct TUMPoseReaderTests {
  private static let good = "# a track\n\n0.5 1 2 3 0 0 0 1\r\n 1.25\t-1e1  0.5 +2 0 0 0.6 -0.8 \n"
  private static let poses = [
    RecordedPose(time: .milliseconds(500), position: SIMD3(1, 2, 3)),
    RecordedPose(
      time: .milliseconds(1250), position: SIMD3(-10, 0.5, 2), orientation: SIMD4(0, 0, 0.6, -0.8)),
  ]

  private func error(_ text: String) -> String? {
    var reader = TUMPoseReader(source: "track.tum", longestLine: 100)
    do throws(RecordingError) {
      _ = try reader.append(text.utf8)
      _ = try reader.finish()
      return nil
    } catch {
      return error.description
    }
  }

  @Test("Reads comments, blank lines, tabs, CR LF and a byte-order mark")
  func reads() throws {
    for text in [Self.good, "\u{FEFF}" + Self.good] {
      var reader = TUMPoseReader()
      #expect(try reader.append(text.utf8) == Self.poses)
      #expect(reader.line == 5)
      #expect(try reader.finish() == nil)
    }
  }

  @Test("Gives the same poses however the input is split", arguments: 1...9)
  func pieces(size: Int) throws {
    let octets = Array(Self.good.utf8)
    var reader = TUMPoseReader()
    var poses: [RecordedPose] = []
    for start in stride(from: 0, to: octets.count, by: size) {
      try reader.append(octets[start..<min(start + size, octets.count)], to: &poses)
    }
    #expect(poses == Self.poses)
  }

  @Test("Waits for the end of a line; finish also reads a last line without one")
  func lastLine() throws {
    var reader = TUMPoseReader()
    #expect(try reader.append("0.5 1 2 3 0 0 0 1".utf8).isEmpty)
    #expect(try reader.finish() == Self.poses[0])
    #expect(try reader.finish() == nil)
  }

  @Test("Reads epoch times to a microsecond")
  func epoch() throws {
    var reader = TUMPoseReader()
    let pose = try #require(try reader.append("1403636579.763555527 0 0 0 0 0 0 1\n".utf8).first)
    let late = (pose.time - .nanoseconds(1_403_636_579_763_555_527)) / .microseconds(1)
    #expect(late.magnitude < 1)
  }

  @Test("Rounded quaternions are normalised")
  func rounded() throws {
    var reader = TUMPoseReader()
    let turn = try #require(try reader.append("0 0 0 0 0.707 0 0 0.707\n".utf8).first?.orientation)
    #expect(((turn * turn).sum() - 1).magnitude < 1e-12)
  }

  @Test(
    "Invalid lines are refused with their line number and field",
    arguments: [
      ("0 1 2 3 0 0 0\n", "1: 7 fields; expected 8: timestamp tx ty tz qx qy qz qw"),
      ("# x\n0 1 2 3 0 0 0 1 9\n", "2: 9 fields; expected 8: timestamp tx ty tz qx qy qz qw"),
      ("0 1 2 3 0 0 0 1", ""),
      ("0 1 2 up 0 0 0 1\n", "1: tz: found \"up\"; expected a number"),
      ("0,1,2,3,0,0,0,1\n", "1: timestamp: found \"0,1,2,3,0,0,0,1\"; expected a number"),
      ("nan 1 2 3 0 0 0 1\n", "1: timestamp: found \"nan\"; expected a finite number"),
      ("0 1 -inf 3 0 0 0 1\n", "1: ty: found \"-inf\"; expected a finite number"),
      ("0 1 2 3 0 0 NaN 1\n", "1: qz: found \"NaN\"; expected a finite number"),
      ("0 1 1e99 3 0 0 0 1\n", "1: ty: found 1e+99; expected -1000000000.0 to 1000000000.0"),
      ("1e99 1 1 3 0 0 0 1\n", "1: timestamp: found 1e+99; expected -9000000000.0 to 9000000000.0"),
      (
        "0 1 2 3 0 0 0 0\n",
        "1: qx qy qz qw: found a quaternion of length 0.0; expected 1 within 0.01"
      ),
      (
        "0 1 2 3 0 0 0 1\n0 1 2 3 0.3 0.4 0 0\n",
        "2: qx qy qz qw: found a quaternion of length 0.5; expected 1 within 0.01"
      ),
      (
        "1 1 2 3 0 0 0 1\n0.5 1 2 3 0 0 0 1\n",
        "2: timestamp: found 0.5 after 1.0; expected times that do not go backwards"
      ),
      ("0 1 2 3 0 0 0 0x1\n", "1: qw: found \"0x1\"; expected a number"),
      ("0 1 2 3 0 0 0 1\u{0}\n", "1: qw: found \"1\\u{0}\"; expected a number"),
    ])
  func refuses(text: String, expected: String) {
    #expect(error(text) == (expected.isEmpty ? nil : "track.tum:" + expected))
  }

  @Test("The length of a line is limited, with its end or without")
  func longLines() {
    let long = String(repeating: "#", count: 100)
    #expect(error(long + "\r\n") == nil)
    let message = "track.tum:2: a line of over 100 octets; expected timestamp tx ty tz qx qy qz qw"
    #expect(error("\n" + long + "#\n") == message)
    #expect(error("\n" + long + "#") == message)
  }

  @Test("Keeps the poses before an invalid line, and repeats its error")
  func final() {
    var reader = TUMPoseReader()
    var poses: [RecordedPose] = []
    let wrong = "0.5 1 2 3 0 0 0 1\nnonsense\n1 1 2 3 0 0 0 1\n"
    #expect(throws: RecordingError.notANumber(file: "poses", line: 2, column: "timestamp", found: "nonsense"))
    {
      try reader.append(wrong.utf8, to: &poses)
    }
    #expect(poses == [Self.poses[0]])
    #expect(throws: RecordingError.notANumber(file: "poses", line: 2, column: "timestamp", found: "nonsense"))
    {
      try reader.append("2 1 2 3 0 0 0 1\n".utf8, to: &poses)
    }
    #expect(throws: RecordingError.notANumber(file: "poses", line: 2, column: "timestamp", found: "nonsense"))
    {
      _ = try reader.finish()
    }
  }

  @Test("Truncated and changed input gives poses or an error", arguments: UInt64(0)..<50)
  func changed(seed: UInt64) {
    var random = RangingRandom(seed: seed)
    var octets = Array(Self.good.utf8)
    for _ in 0..<(1 + seed % 3) {
      octets[Int(random.next() % UInt64(octets.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    octets.removeLast(Int(random.next() % UInt64(octets.count)))
    var reader = TUMPoseReader()
    var poses: [RecordedPose] = []
    do throws(RecordingError) {
      try reader.append(octets, to: &poses)
      if let last = try reader.finish() { poses.append(last) }
    } catch {
      #expect(error.description.hasPrefix("poses:"), "seed \(seed)")
    }
    for pose in poses {
      #expect(((pose.orientation * pose.orientation).sum() - 1).magnitude < 1e-6, "seed \(seed)")
      #expect((pose.position * pose.position).sum().isFinite, "seed \(seed)")
    }
  }
}
