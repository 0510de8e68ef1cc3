import Foundation
import NearbyCommandLine
import Testing

@testable import nearby

@Suite("nearby anchors")
final class AnchorsCommandTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("nearby-anchors-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ text: String, _ name: String = "hall.json") throws -> String {
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  private func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private static let quick = ["--step", "2", "--runs", "2"]

  @Test("Bound and simulation agree in a good layout")
  func agreement() throws {
    let file = try write(AnchorHall.scenario())
    let result = run(["anchors", file, "--json"] + ["--step", "2", "--runs", "6"])
    #expect(result.code == .success, "\(result.errors)")
    let objects = try lines(result.output)
    #expect(objects.count == 4 * 5 + 1)
    var bounds: [Double] = []
    var errors: [Double] = []
    for cell in objects.dropLast() {
      #expect(
        cell.keys.sorted() == [
          "anchors", "answered", "blocked", "bound", "boundHorizontal", "cell", "simulated",
          "simulatedHorizontal",
        ])
      #expect(cell["anchors"] as? Int == 8)
      bounds.append(try #require(cell["boundHorizontal"] as? Double))
      errors.append(try #require(cell["simulatedHorizontal"] as? Double))
    }
    let ratio = errors.reduce(0, +) / bounds.reduce(0, +)
    #expect((0.6...2).contains(ratio), "\(ratio)")
    let summary = try #require(objects.last)
    let before = try #require(summary["meanBound"] as? Double)
    let after = try #require(summary["meanBoundWithProposal"] as? Double)
    #expect(after < before)
    #expect((summary["proposal"] as? [Double])?.count == 3)
  }

  @Test("A wall makes both errors larger behind it")
  func wall() throws {
    func errors(_ walls: String) throws -> (bound: Double, blocked: Int) {
      let file = try write(AnchorHall.scenario(walls: walls))
      let cells = try lines(run(["anchors", file, "--json"] + Self.quick).output).dropLast()
      #expect(!cells.isEmpty)
      let bounds = cells.compactMap { $0["boundHorizontal"] as? Double }
      return (
        bounds.reduce(0, +) / Double(bounds.count),
        cells.compactMap { $0["blocked"] as? Int }.reduce(0, +)
      )
    }
    let open = try errors("")
    let walled = try errors("{ from: [0, -4], to: [0, 4], bottom: 0, top: 4, material: \"concrete\" }")
    #expect(open.blocked == 0)
    #expect(walled.blocked > 20)
    #expect(walled.bound > 1.3 * open.bound, "\(walled) against \(open)")
  }

  @Test("Three anchors in a corner: the proposal is far from them")
  func proposal() throws {
    let list = "anchor_id,x_m,y_m,z_m\n0,0,0,3\n1,3,0,3\n2,0,3,3\n3,20,1,3\n"
    let file = try write(list, "anchors.csv")
    let summary = try #require(try lines(run(["anchors", file, "--json"] + Self.quick).output).last)
    #expect(summary["heightKnown"] as? Bool == true)
    let place = try #require(summary["proposal"] as? [Double])
    #expect(place[0] > 5, "\(place)")
  }

  @Test("Text has the table, the map and the proposal; the picture has both panels")
  func text() throws {
    let plot = folder.appendingPathComponent("floor.svg").path
    let walls = "{ from: [0, -4], to: [0, 4], material: \"brick\" }"
    let file = try write(AnchorHall.scenario(walls: walls))
    let result = run(["anchors", file, "--plot", plot] + Self.quick)
    #expect(result.code == .success, "\(result.errors)")
    for words in ["8 anchors", "bound", "simulated", "are blocked", "one more anchor helps most at"] {
      #expect(result.output.contains(words), "\(result.output)")
    }
    let svg = try String(contentsOfFile: plot, encoding: .utf8)
    #expect(svg.hasPrefix("<?xml") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("Cramér-Rao") && svg.contains("simulated error") && svg.contains(">a7<"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    #expect(run(["anchors", file, "--plot", plot] + Self.quick).output == result.output)
  }

  @Test("Ranges are at least as good as differences")
  func ranges() throws {
    let file = try write(AnchorHall.scenario())
    func mean(_ options: [String]) throws -> Double {
      let cells = try lines(run(["anchors", file, "--json"] + Self.quick + options).output).dropLast()
      let bounds = cells.compactMap { $0["bound"] as? Double }
      #expect(bounds.count == cells.count && !bounds.isEmpty)
      return bounds.reduce(0, +) / Double(bounds.count)
    }
    #expect(try mean(["--ranges"]) <= mean([]))
  }

  @Test("A folder with an anchors.csv works like the file")
  func folderForm() throws {
    _ = try write("anchor_id,x_m,y_m,z_m\n0,0,0,0\n1,4,0,3\n2,4,5,0\n3,0,5,3\n4,2,2,3\n", "anchors.csv")
    let result = run(["anchors", folder.path] + Self.quick)
    #expect(result.code == .success, "\(result.errors)")
    #expect(result.output.contains("5 anchors"))
  }

  @Test(
    "Layouts that can't locate anything are errors that say why",
    arguments: [
      ("0,0,0,0\n1,4,0,3\n", "2 anchors; a position needs at least 3"),
      ("0,0,0,0\n1,4,0,3\n2,4,0,3\n", "anchors 1 and 2 are at the same place"),
      ("0,0,0,0\n0,4,0,3\n2,4,5,3\n", "anchor 0 appears twice"),
      ("0,0,0,0\n1,4,4,3\n2,8,8,0\n3,2,2,1\n", "on one line in the plan"),
      ("0,0,0,0\n1,0,0,3\n2,0,0,6\n", "on one line in the plan"),
      ("0,0,0,0\n1,nan,0,3\n2,4,5,3\n", "anchors.csv:3: x_m"),
      ("0,0,0,0\n1,1e300,0,3\n2,4,5,3\n", "anchors.csv:3: x_m"),
      ("0,0,0,0\n1,500000,0,3\n2,4,500000,3\n", "expected sides of 0.5 m to 100 km"),
      ("", "anchors.csv: empty"),
    ])
  func badLayouts(rows: String, message: String) throws {
    let file = try write("anchor_id,x_m,y_m,z_m\n" + rows, "anchors.csv")
    let result = run(["anchors", file])
    #expect(result.code == .badData, "\(result.output)")
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test("A scenario without anchors says what counts as one")
  func noAnchors() throws {
    let file = try write(AnchorHall.scenario(anchors: 0))
    let result = run(["anchors", file])
    #expect(result.code == .badData)
    #expect(result.errors.contains("devices of kind accessory that stand still"))
    #expect(run(["anchors", folder.path + "/none.json"]).code == .noInput)
  }

  @Test("A huge floor has bounded work")
  func huge() throws {
    let list = "anchor_id,x_m,y_m,z_m\n0,0,0,3\n1,90000,0,3\n2,0,90000,0\n3,90000,90000,3\n"
    let file = try write(list, "anchors.csv")
    let small = run(["anchors", file, "--step", "1"])
    #expect(small.code == .badData && small.errors.contains("use a larger --step"))
    // The default step fits any floor; nothing is heard over 300 m.
    let result = run(["anchors", file, "--runs", "1"])
    #expect(result.code == .success, "\(result.errors)")
    #expect(result.output.contains("with a position"))
  }
}
