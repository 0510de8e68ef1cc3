import Foundation
import NearbyCommandLine
import Testing

@testable import nearby

@Suite("nearby check")
struct CheckCommandTests {
  private static let apps = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
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
    "Apps of several styles get the expected verdicts",
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

  @Test("The summary says how many files build and what to change first")
  func summary() {
    let result = run([Self.apps.appendingPathComponent("Wave").path, "--summary"])
    #expect(
      result.output.hasPrefix("3 of 8 files build on Linux with swift-nearby; 2 are views"))
    #expect(
      result.output.contains("1 more file: move Reading out of ContentView.swift into a file that builds"))
  }

  @Test("--strict exits with 65 if a file that is not a view does not build")
  func strict() {
    #expect(
      run([Self.apps.appendingPathComponent("Tag/AccessoryLink.swift").path, "--strict"]).code == .success)
    #expect(run([Self.apps.appendingPathComponent("Wave").path, "--strict", "--summary"]).code == .badData)
  }

  @Test("A missing path is an error", arguments: ["/nowhere", "Fixtures/none"])
  func missing(path: String) {
    #expect(run([path]).code == .noInput)
  }

  @Test("--package writes the files that build and a first test, and overwrites only with --force")
  func package() throws {
    let files = FileManager.default
    let place = files.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
    defer { try? files.removeItem(at: place) }
    let root = Self.apps.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let words = [
      Self.apps.appendingPathComponent("Wave").path, "--package", place.path, "--nearby", root.path, "--fast",
    ]
    #expect(run(words).code == .success)
    let manifest = try String(contentsOf: place.appendingPathComponent("Package.swift"), encoding: .utf8)
    let product = ".product(name: \"NearbyInteraction\", package: \"\(root.lastPathComponent)\")"
    #expect(manifest.contains(product))
    let sources = place.appendingPathComponent("Sources/Wave/Wave/Models")
    #expect(
      try files.contentsOfDirectory(atPath: sources.path).sorted()
        == ["NearbyModel.swift", "Platform.swift", "Store.swift"])
    #expect(
      files.fileExists(atPath: place.appendingPathComponent("Tests/WaveOnLinuxTests/FirstTests.swift").path))
    #expect(run(words).code == .inputOutput)
    #expect(run(words + ["--force", "--copy"]).code == .success)
  }

  @Test("If an app's target has the name of one of this package's targets, ours is renamed")
  func clash() {
    func manifest(_ name: String) -> String {
      CheckManifest(
        targets: [
          PackageTarget(
            name: name, appName: name, isTest: false,
            files: [
              .init(
                path: "A.swift", place: "A.swift", imports: ["CoreLocation"], isEntryPoint: false, module: 0,
                number: 0)
            ])
        ], location: .folder("/of/swift-nearby")
      ).text
    }
    #expect(!manifest("Wave").contains("moduleAliases"))
    #expect(!manifest("Wave").contains("products:"))
    for name in EngineTargets.names {
      let text = manifest(name)
      let aliased = "moduleAliases: [\"\(name)\": \"\(name)OfSwiftNearby\"]"
      for product in ["AppleShims", "CoreLocation", "NearbyTesting"] {
        #expect(text.contains(".product(name: \"\(product)\", package: \"swift-nearby\", \(aliased))"))
      }
      #expect(text.contains("products: [.library(name: \"\(name)-on-Linux\", targets: [\"\(name)\"])]"))
    }
  }

  @Test("EngineTargets lists the targets of the manifest that an app's targets could clash with")
  func engineTargets() throws {
    let manifest = Self.apps.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let names = Set(text.matches(of: /module\(\s*"(\w+)"/).map { String($0.1) })
    // Modules with Apple's names, two for tests only, and those that only the command uses.
    let others: Set = [
      "NearbyCampaignQueue", "NearbyCampaigns", "NearbyCommandLine", "NearbyMQTT",
      "NearbyPlots",
      "NearbyReadings", "NearbySite", "NearbySteppedWorld",
      "AccessorySetupKit", "ARKit", "Combine", "CommonCrypto", "CoreBluetooth", "CoreGraphics",
      "CoreLocation", "CryptoKit", "MultipeerConnectivity", "NearbyInteraction", "OSLog", "SwiftUI", "UIKit",
      "UserNotifications",
      "_Testing_CoreGraphics", "_Testing_UIKit", "os", "simd",
    ]
    #expect(names.subtracting(others) == EngineTargets.names)
    #expect(!text.contains(".executable("), "an executable product clashes with apps' targets")
  }
}
