import Foundation
import Testing

@testable import nearby

@Suite("nearby check")
struct CheckCommandTests {
  private static let apps = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Fixtures/CheckApps")

  private func run(_ words: [String]) -> (code: ExitCode, output: String, errors: String) {
    let (context, output, errors) = CommandContext.recording()
    let code = NearbyCommand.run(["check"] + words, in: context)
    return (code, output.text, errors.text)
  }

  private struct Report: Decodable {
    struct Module: Decodable { var files: [File] }
    struct File: Decodable {
      var path: String
      var state: String
    }
    var files: Int
    var modules: [Module]
  }

  @Test(
    "Apps of several styles get the verdict that the compiler gives",
    arguments: ["Peek.app/Peek.xcodeproj", "Wave", "Beacons", "Tag"])
  func verdicts(app: String) throws {
    let folder = Self.apps.appendingPathComponent(app.split(separator: "/").first.map(String.init) ?? app)
    let result = run([Self.apps.appendingPathComponent(app).path, "--json"])
    #expect(result.code == .success, "\(result.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    let lines = report.modules.flatMap(\.files).map { "\($0.path) \($0.state)" }.sorted()
    let expected = try String(contentsOf: folder.appendingPathComponent("expected.txt"), encoding: .utf8)
    #expect(lines == expected.split(separator: "\n").map(String.init))
    #expect(report.files == lines.count)
  }

  @Test("The summary says how many build and what to change first")
  func summary() {
    let result = run([Self.apps.appendingPathComponent("Wave").path, "--summary"])
    #expect(
      result.output.hasPrefix("3 of 8 files build on Linux with swift-nearby; 2 to be left out as views"))
    #expect(
      result.output.contains("1 file more: move Reading out of ContentView.swift into a file that builds"))
  }

  @Test("With --strict a file that does not build and is no view ends with 65")
  func strict() {
    #expect(run([Self.apps.appendingPathComponent("Tag").path, "--strict"]).code == .success)
    #expect(run([Self.apps.appendingPathComponent("Wave").path, "--strict", "--summary"]).code == .badData)
  }

  @Test("What is not there or has no sources is said", arguments: ["/nowhere", "Fixtures/none"])
  func missing(path: String) {
    #expect(run([path]).code == .noInput)
  }

  @Test("A package has the files that build and a first test, and is not written over")
  func package() throws {
    let files = FileManager.default
    let place = files.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
    defer { try? files.removeItem(at: place) }
    let root = Self.apps.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let words = [
      Self.apps.appendingPathComponent("Wave").path, "--package", place.path, "--nearby", root.path,
    ]
    #expect(run(words).code == .success)
    let manifest = try String(contentsOf: place.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(manifest.contains(".product(name: \"NearbyInteraction\", package: \"swift-nearby\")"))
    let sources = place.appendingPathComponent("Sources/Wave/Wave/Models")
    #expect(
      try files.contentsOfDirectory(atPath: sources.path).sorted()
        == ["NearbyModel.swift", "Platform.swift", "Store.swift"])
    #expect(
      files.fileExists(atPath: place.appendingPathComponent("Tests/WaveOnLinuxTests/FirstTests.swift").path))
    #expect(run(words).code == .inputOutput)
    #expect(run(words + ["--force", "--copy"]).code == .success)
  }
}
