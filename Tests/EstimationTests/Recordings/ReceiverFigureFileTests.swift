import Foundation
import NearbyEstimation
import NearbyRecordings
import Testing

@Suite("File of receiver figures")
final class ReceiverFigureFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("nearby-figures-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ text: String) throws -> URL {
    let file = folder.appendingPathComponent("features.csv")
    try Data(text.utf8).write(to: file)
    return file
  }

  private func rows(_ text: String) throws -> (rows: [ReceiverFigures], file: ReceiverFigureFile) {
    var file = try ReceiverFigureFile(file: file(text))
    var rows: [ReceiverFigures] = []
    while let row = try file.next() { rows.append(row) }
    return (rows, file)
  }

  @Test("Columns are found by name, in any order, between others")
  func columns() throws {
    let header = "env,noise_std,rxpacc,fp_amp3,fp_amp2,fp_amp1,fp_dbm,rx_dbm,range_m"
    let (rows, file) = try rows("\(header)\nhall,8,7,6,5,4,-3,-2,1\n\"a,b\",16,14,12,10,8,-6,-4,2\n")
    #expect(rows.count == 2)
    #expect(rows[0].range == 1 && rows[0].power == -2 && rows[0].firstPathPower == -3)
    #expect(rows[0].firstPathAmplitudes == SIMD3(4, 5, 6))
    #expect(rows[1].accumulatedSymbols == 14 && rows[1].noise == 16)
    #expect(file.columns.missing.isEmpty)
    #expect(file.missingValues == 0)
  }

  @Test("Blank, nan and infinite fields are missing and counted; other columns may hold anything")
  func missing() throws {
    let (rows, file) = try rows("range_m,rx_dbm,note\n1,-inf,x\nnan,-80,nan\n,NaN,\n2,-81,y\n")
    #expect(rows.map(\.range.isNaN) == [false, true, true, false])
    #expect(rows.map(\.power.isNaN) == [true, false, true, false])
    #expect(file.missingValues == 4)
    #expect(file.columns.missing == ["fp_dbm", "fp_amp1", "fp_amp2", "fp_amp3", "rxpacc", "noise_std"])
  }

  @Test("A file of many blocks gives every row, and errors name the right line")
  func blocks() throws {
    let count = 150_000
    var text = "range_m,rx_dbm,note\n"
    for row in 0..<count { text += "\(row).5,-80,\"x\n\(row)\"\n" }
    #expect(text.utf8.count > 2 * ReceiverFigureFile.blockSize)
    let (rows, _) = try rows(text)
    #expect(rows.map(\.range) == (0..<count).map { Double($0) + 0.5 })
    var broken = try ReceiverFigureFile(file: file(text + "1,two,x\n"))
    let expected = "features.csv:\(2 * count + 2): rx_dbm: found \"two\"; expected a number"
    do {
      while try broken.next() != nil {}
      Issue.record("no error")
    } catch {
      #expect("\(error)".hasSuffix(expected))
    }
  }

  @Test(
    "Errors say what is wrong",
    arguments: [
      ("", "features.csv: empty; expected a header line and at least one row"),
      ("a,b\n1,2\n", "features.csv:1: no column rx_dbm; found a, b"),
      ("range_m,b\n1,2\n", "features.csv:1: no column rx_dbm; found range_m, b"),
      ("rx_dbm,rx_dbm\n1,2\n", "features.csv:1: column rx_dbm appears twice"),
      ("rx_dbm,b\n1,2\n1\n", "features.csv:3: 1 fields; expected 2, as in the header"),
      ("rx_dbm,b\n0x10,2\n", "features.csv:2: rx_dbm: found \"0x10\"; expected a number"),
      ("rx_dbm,b\n1,\"2\n", "features.csv:2: a quoted field is never closed"),
    ])
  func errors(text: String, message: String) throws {
    do {
      _ = try rows(text)
      Issue.record("no error")
    } catch {
      #expect("\(error)".hasSuffix(message), "\(error)")
    }
  }

  @Test("A line longer than a block is an error, not memory")
  func longLine() throws {
    let text = "rx_dbm\n" + String(repeating: "1", count: 3 * ReceiverFigureFile.blockSize)
    #expect(throws: RecordingError.self) { try rows(text) }
  }

  @Test("Every prefix of a file gives rows or an error")
  func prefixes() throws {
    let text = "range_m,rx_dbm,note\n1,-80,\"x\"\"y\"\r\n2,-inf,z\n"
    for end in 0...text.utf8.count {
      _ = try? rows(String(decoding: text.utf8.prefix(end), as: UTF8.self))
    }
    #expect(try rows(text).rows.count == 2)
  }
}
