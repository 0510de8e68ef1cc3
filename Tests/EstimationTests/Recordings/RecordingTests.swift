import Foundation
import NearbyRecordings
import TestSupport
import Testing

@Suite("Recordings")
struct RecordingTests {
  @Test("A file over the limit is refused before it is read")
  func tooLarge() throws {
    let folder = try folder(["ranges.csv": ""])
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("ranges.csv").path
    #expect(truncate(file, 3 << 30) == 0)
    let error = #expect(throws: RecordingError.self) { _ = try Recording(folder: folder) }
    #expect(error?.description.contains("3221225472 octets, at most 536870912 are read") == true)
  }

  private func folder(_ files: [String: String]) throws -> URL {
    let folder = try RangingFolders.temporary()
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    return folder
  }

  private func error(_ files: [String: String]) throws -> RecordingError? {
    let folder = try folder(files)
    defer { try? FileManager.default.removeItem(at: folder) }
    do throws(RecordingError) {
      _ = try Recording(folder: folder)
      return nil
    } catch {
      return error
    }
  }

  private func description(_ files: [String: String]) throws -> String {
    let text = try error(files)?.description ?? "no error"
    return String(text.split(separator: "/").last ?? "")
  }

  @Test("Reads ranges with extra columns, quotes, CR LF, blank lines and a byte-order mark")
  func reads() throws {
    let text =
      "\u{FEFF}t_s,tag_id,object_id,range_m,rx_dbm,note,gt_range_m\r\n0.5,1,\"A,\"\"9\"\"\",2.5,-80.25,x,2.4\r\n"
      + "\r\n0.75,1,B,-0.1,,\"\",\r\n"
    let recording = try Recording(folder: folder(["ranges.csv": text]))
    #expect(
      recording.ranges == [
        RecordedRange(time: .milliseconds(500), tag: "1", object: "A,\"9\"", range: 2.5, trueRange: 2.4),
        RecordedRange(time: .milliseconds(750), tag: "1", object: "B", range: -0.1),
      ])
    let power = try #require(recording.numbers("rx_dbm"))
    #expect(power[0] == -80.25)
    #expect(power[1].isNaN)
    #expect(recording.extraColumns[1] == RecordedColumn(name: "note", values: .text(["x", ""])))
  }

  @Test("Reads ranges without tags, and two-dimensional paths")
  func readsPlane() throws {
    let recording = try Recording(
      folder: folder([
        "ranges.csv": "t_s,range_m,object_id,gt_x_m,gt_y_m\n0.1,2.9552,105,-0.02,-0.01",
        "traj_gt.csv": "t_s,x_m,y_m\n0.1,1.5,2.5\n",
      ]))
    #expect(
      recording.ranges == [RecordedRange(time: .milliseconds(100), tag: nil, object: "105", range: 2.9552)])
    #expect(recording.truePath == [RecordedPose(time: .milliseconds(100), position: SIMD3(1.5, 2.5, 0))])
  }

  @Test("Writes ranges and their extra columns sorted by time, with ties in their order")
  func writesInOrder() throws {
    var recording = Recording(ranges: [])
    for (seconds, name, range) in [(1, "a", 1.0), (0, "a", 2), (1, "b", 3), (0, "b", 4)] {
      recording.ranges.append(
        RecordedRange(time: .seconds(seconds), tag: nil, object: name, range: range))
    }
    recording.extraColumns = [RecordedColumn(name: "rx_dbm", values: .numbers([10, 20, 30, 40]))]
    let folder = try RangingFolders.temporary()
    defer { try? FileManager.default.removeItem(at: folder) }
    try recording.write(to: folder)
    let read = try Recording(folder: folder)
    #expect(read.ranges.map(\.range) == [2, 4, 1, 3])
    #expect(read.numbers("rx_dbm") == [20, 40, 10, 30])
  }

  @Test("Selects ranges with their extra columns")
  func selects() throws {
    let text = "t_s,object_id,range_m,rx_dbm,note\n1,a,1,10,x\n2,b,2,20,y\n3,a,3,30,z\n"
    let recording = try Recording(folder: folder(["ranges.csv": text])).selecting { $0.object == "a" }
    #expect(recording.ranges.map(\.range) == [1, 3])
    #expect(recording.numbers("rx_dbm") == [10, 30])
    #expect(recording.extraColumns[1] == RecordedColumn(name: "note", values: .text(["x", "z"])))
  }

  @Test("nan and infinite numbers in columns that estimators don't need are missing, and counted")
  func missingValues() throws {
    let text =
      "t_s,object_id,range_m,gt_range_m,rx_dbm,rxpacc\n1,a,1,nan,-inf,101\n2,a,2,1.9,-80,\n3,a,3,,NaN,inf\n"
    let recording = try Recording(folder: folder(["ranges.csv": text]))
    #expect(recording.ranges.map(\.trueRange) == [nil, 1.9, nil])
    #expect(recording.numbers("rx_dbm")?.map(\.isNaN) == [true, false, true])
    #expect(recording.numbers("rxpacc")?.map(\.isNaN) == [false, true, true])
    // Blank fields are missing too, but nobody wrote a wrong number there.
    #expect(recording.missingValues == 4)
  }

  @Test(
    "Errors name file, line, column, what was found and what was expected",
    arguments: [
      ("", "ranges.csv: empty; expected a header line and at least one row"),
      ("t_s,object_id,range_m\n", "ranges.csv: empty; expected a header line and at least one row"),
      ("t_s,range_m\n1,2\n", "ranges.csv:1: no column object_id; found t_s, range_m"),
      ("t_s,t_s,range_m\n1,2,3\n", "ranges.csv:1: column t_s appears twice"),
      ("t_s,object_id,range_m\n1,a,2\n1,a\n", "ranges.csv:3: 2 fields; expected 3, as in the header"),
      ("t_s,object_id,range_m\n1,a,2,3\n", "ranges.csv:2: 4 fields; expected 3, as in the header"),
      ("t_s,object_id,range_m\n1,a,two\n", "ranges.csv:2: range_m: found \"two\"; expected a number"),
      ("t_s,object_id,range_m\n1,a,\n", "ranges.csv:2: range_m: found \"\"; expected a number"),
      ("t_s,object_id,range_m\n1,a,nan\n", "ranges.csv:2: range_m: found \"nan\"; expected a finite number"),
      ("t_s,object_id,range_m\n1,a,0x10\n", "ranges.csv:2: range_m: found \"0x10\"; expected a number"),
      ("t_s,object_id,range_m\n1,a,3\u{0}\n", "ranges.csv:2: range_m: found \"3\\u{0}\"; expected a number"),
      (
        "t_s,object_id,range_m\n1,a,\(String(repeating: "1", count: 400))\n",
        "ranges.csv:2: range_m: found \"\(String(repeating: "1", count: 40))\"; expected a finite number"
      ),
      (
        "t_s,object_id,range_m\n1,a,1e308\n",
        "ranges.csv:2: range_m: found 1e+308; expected -1000000000.0 to 1000000000.0"
      ),
      ("t_s,object_id,range_m\ninf,a,1\n", "ranges.csv:2: t_s: found \"inf\"; expected a finite number"),
      (
        "t_s,object_id,range_m\n1e30,a,1\n",
        "ranges.csv:2: t_s: found 1e+30; expected -9000000000.0 to 9000000000.0"
      ),
      ("t_s,object_id,range_m\n1,,1\n", "ranges.csv:2: object_id: empty; expected a name"),
      ("t_s,object_id,range_m\n1,\"a,1\n", "ranges.csv:2: a quoted field is never closed"),
      (
        "t_s,object_id,range_m\n5,a,1\n3,a,1\n",
        "ranges.csv:3: t_s: found 3.0 after 5.0; expected times that do not go backwards"
      ),
      (
        "t_s,object_id,range_m\n0.5,a,1\n0.45,b,1\n",
        "ranges.csv:3: t_s: found 0.45 after 0.5; expected times that do not go backwards"
      ),
      (
        "t_s,object_id,range_m,rx_dbm\n1,a,1,loud\n",
        "ranges.csv:2: rx_dbm: found \"loud\"; expected a number"
      ),
      (
        "t_s,object_id,range_m\n1,a\u{1},1\n",
        "ranges.csv:2: not text; expected UTF-8 without control characters"
      ),
    ])
  func errors(text: String, expected: String) throws {
    #expect(try description(["ranges.csv": text]) == expected)
  }

  @Test("Errors in the other files name these files")
  func otherFiles() throws {
    let good = "t_s,object_id,range_m\n1,a,2\n"
    #expect(try description([:]).hasPrefix("ranges.csv: no such file"))
    #expect(
      try description(["ranges.csv": good, "traj_gt.csv": "t_s,px_m,py_m\n1,2,3\n"])
        == "traj_gt.csv:1: no column pz_m; found t_s, px_m, py_m")
    #expect(
      try description(["ranges.csv": good, "objects_gt.csv": "object_id,x_m,y_m,z_m\na,1,2,up\n"])
        == "objects_gt.csv:2: z_m: found \"up\"; expected a number")
    #expect(
      try description(["ranges.csv": good, "tags.csv": ""])
        == "tags.csv: empty; expected a header line and at least one row")
    #expect(
      try description(["ranges.csv": good, "meta.json": "{"]).hasPrefix("meta.json: not a JSON object"))
    #expect(
      try description(["ranges.csv": good, "meta.json": "[1]"]).hasPrefix("meta.json: not a JSON object"))
  }

  private static let poseHeader = "t_s,px_m,py_m,pz_m,qw,qx,qy,qz\n"
  private static let poseTroubles: [(row: String, expected: String)] = [
    ("2,0,0,0,1,0,0", "4: 7 fields; expected 8, as in the header"),
    ("0.95,0,0,0,1,0,0,0", "4: t_s: found 0.95 after 1.0; expected times that do not go backwards"),
    ("2,nan,0,0,1,0,0,0", "4: px_m: found \"nan\"; expected a finite number"),
    ("2,0,-inf,0,1,0,0,0", "4: py_m: found \"-inf\"; expected a finite number"),
    ("2,0,0,up,1,0,0,0", "4: pz_m: found \"up\"; expected a number"),
    ("2,0,0,1e12,1,0,0,0", "4: pz_m: found 1000000000000.0; expected -1000000000.0 to 1000000000.0"),
    ("inf,0,0,0,1,0,0,0", "4: t_s: found \"inf\"; expected a finite number"),
    (
      "2,0,0,0,0.5,0,0,0",
      "4: qw, qx, qy, qz: found a quaternion of length 0.5; expected 1 within 0.01"
    ),
    ("2,0,0,0,0,0,0,0", "4: qw, qx, qy, qz: found a quaternion of length 0.0; expected 1 within 0.01"),
    ("2,0,0,0,1,0,0,nan", "4: qz: found \"nan\"; expected a finite number"),
  ]

  @Test(
    "Damaged tracks are refused, both the true one and the tracker's",
    arguments: ["traj_gt.csv", "traj_vio_semisynthetic.csv"], poseTroubles.indices)
  func tracks(file: String, trouble: Int) throws {
    let (row, expected) = Self.poseTroubles[trouble]
    let text = Self.poseHeader + "0,0,0,0,1,0,0,0\n1,0,0,0,0.999,0,0,0\n" + row + "\n"
    let found = try description(["ranges.csv": "t_s,object_id,range_m\n1,a,2\n", file: text])
    #expect(found == "\(file):\(expected)")
  }

  @Test("Quaternions of almost length 1 are normalised")
  func nearlyUnit() throws {
    let files = [
      "ranges.csv": "t_s,object_id,range_m\n1,a,2\n",
      "traj_gt.csv": Self.poseHeader + "0,0,0,0,0.707,0.707,0,0\n",
    ]
    let turn = try #require(try Recording(folder: folder(files)).truePath.first?.orientation)
    #expect(((turn * turn).sum() - 1).magnitude < 1e-12)
    #expect(turn.x == turn.w)
  }

  @Test(
    "Lists of objects and antennas with invalid rows are refused",
    arguments: [
      ("objects_gt.csv", "object_id,x_m,y_m,z_m\na,1,2,3\n,1,2,3\n", "3: object_id: empty; expected a name"),
      (
        "objects_gt.csv", "object_id,x_m,y_m,z_m\na,1,2,3\na,1,2,3\n",
        "3: object_id: found \"a\" a second time; expected each name once"
      ),
      (
        "tags.csv", "tag_id,bx_m,by_m,bz_m\n1,0,0,0\n2,0,0,0\n1,0,0,1\n",
        "4: tag_id: found \"1\" a second time; expected each name once"
      ),
      ("tags.csv", "tag_id,bx_m,by_m,bz_m\n1,0,inf,0\n", "2: by_m: found \"inf\"; expected a finite number"),
      (
        "tags.csv", "tag_id,bx_m,by_m,bz_m\n,0,0,0\n", "2: tag_id: empty; expected a name"
      ),
      (
        "objects_gt.csv", "object_id,x_m,y_m\na,1,2\n",
        "1: no column z_m; found object_id, x_m, y_m"
      ),
    ])
  func lists(file: String, text: String, expected: String) throws {
    let found = try description(["ranges.csv": "t_s,object_id,range_m\n1,a,2\n", file: text])
    #expect(found == "\(file):\(expected)")
  }

  @Test("A recording survives a round trip", arguments: [UInt64(1), 2, 3])
  func roundTrip(seed: UInt64) throws {
    var random = RangingRandom(seed: seed)
    var recording = Recording(ranges: [])
    recording.extraColumns = [
      RecordedColumn(name: "rx_dbm", values: .numbers([])), RecordedColumn(name: "note", values: .text([])),
    ]
    var powers: [Double] = []
    for index in 0..<200 {
      let time = Duration.nanoseconds(Int64(index) * 100_000_007 - 3_000_000_000)
      recording.ranges.append(
        RecordedRange(
          time: time, tag: "\(index % 3)", object: index % 2 == 0 ? "A, \"9\"" : "Büro",
          range: random.normal() * 1e3, trueRange: index % 5 == 0 ? nil : random.uniform() * 1e-7))
      powers.append(index % 7 == 0 ? .nan : -80 * random.uniform())
      recording.truePath.append(
        RecordedPose(
          time: time, position: SIMD3(random.normal(), random.normal(), random.normal()),
          orientation: Self.turn(&random)))
    }
    recording.extraColumns[0].values = .numbers(powers)
    recording.extraColumns[1].values = .text(powers.map { "\($0 > -40)" })
    recording.trackedPath = Array(recording.truePath.prefix(3))
    recording.objects = [RecordedPoint(name: "A, \"9\"", position: SIMD3(1, -2, 1e-9))]
    recording.tags = (0..<3).map { RecordedPoint(name: "\($0)", position: SIMD3(0.1, 0.2, 0.3)) }
    recording.meta = [
      "seed": .number(Double(seed)), "by": .text("test"), "more": .list([.flag(true), .null]),
    ]
    let folder = try RangingFolders.temporary()
    defer { try? FileManager.default.removeItem(at: folder) }
    try recording.write(to: folder)
    let read = try Recording(folder: folder)
    #expect(read == recording, "seed \(seed)")
  }

  private static func turn(_ random: inout RangingRandom) -> SIMD4<Double> {
    let q = SIMD4(random.normal(), random.normal(), random.normal(), random.normal() + 4)
    return q / (q * q).sum().squareRoot()
  }

  @Test("Random octets give an error with the file's name, or finite ranges", arguments: UInt64(0)..<200)
  func garbage(seed: UInt64) throws {
    var random = RangingRandom(seed: seed)
    var bytes = Array(
      "t_s,tag_id,object_id,range_m,gt_range_m\n0.1,1,2,\"3.5\",3.25\n0.2,1,2,3.5,3.25\r\n".utf8)
    if seed % 4 == 0 {
      bytes = (0..<Int(random.next() % 400)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    } else {
      for _ in 0..<(1 + seed % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if seed % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
    }
    let folder = try RangingFolders.temporary()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(bytes).write(to: folder.appendingPathComponent("ranges.csv"))
    do throws(RecordingError) {
      let recording = try Recording(folder: folder)
      #expect(seed % 4 != 0, "seed \(seed)")
      #expect(recording.ranges.allSatisfy { $0.range.isFinite }, "seed \(seed)")
      _ = recording.replay()
    } catch {
      #expect(error.description.contains("ranges.csv"), "seed \(seed)")
    }
  }

  @Test("Reads decimals exactly", arguments: UInt64(0)..<20)
  func decimals(seed: UInt64) throws {
    var random = RangingRandom(seed: seed)
    let values = (0..<100).map { _ in random.normal() * 10 }
    let texts = values.map { String(format: "%.\(Int(random.next() % 14))f", $0) }
    let rows = texts.enumerated().map { "\($0.offset),a,\($0.element)\n" }.joined()
    let recording = try Recording(folder: folder(["ranges.csv": "t_s,object_id,range_m\n" + rows]))
    #expect(recording.ranges.map(\.range) == texts.compactMap { Double($0) }, "seed \(seed)")
  }
}
