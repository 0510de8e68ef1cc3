import Foundation
import NearbyCommandLine
import TestSupport
import Testing

@testable import nearby

/// Packages that use modules of `Scripts/prebuild`; `make test-prebuilt` builds real ones.
struct PrebuiltModulesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A manifest finds prebuilt modules by options, and depends on no package")
  func manifest() throws {
    let modules = try #require(try modules(Self.toolset))
    let app = PackageTarget(name: "App", appName: "App", isTest: false, files: [])
    let text = CheckManifest(targets: [app], location: .prebuilt(modules)).text
    #expect(!text.contains("dependencies: [.package"))
    #expect(!text.contains(".product("))
    #expect(text.contains("\"-I\",\n  \"/of/Modules\","))
    #expect(text.contains("\"-lNearby\","))
    #expect(text.contains("swiftSettings: settings + nearby),"))
    #expect(text.contains("swiftSettings: [.swiftLanguageMode(.v5)] + nearby, linkerSettings: linked),"))
  }

  @Test("A module named like one of ours is renamed, because prebuilt modules can't be")
  func names() throws {
    let modules = try #require(try modules(Self.toolset))
    #expect(CheckManifest.Location.prebuilt(modules).names.contains("NearbyBeacons"))
    #expect(CheckManifest.Location.folder("/of/swift-nearby").names.isEmpty)
  }

  @Test("A folder without a toolset is none")
  func noToolset() throws {
    #expect(try modules(nil) == nil)
  }

  @Test(
    "A folder with another toolset is refused", arguments: ["", "[]", "{\"schemaVersion\": \"1.0\"}"])
  func foreign(toolset: String) throws {
    #expect(throws: CommandError.self) { try modules(toolset) }
  }

  @Test("A folder without the library is refused")
  func noLibrary() throws {
    #expect(throws: CommandError.self) { try modules(Self.toolset, hasLibrary: false) }
  }

  private static let toolset = """
    {"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-I", "/of/Modules"]},
     "linker": {"extraCLIOptions": ["-L/of", "-lNearby"]}}
    """

  /// What the folder contains; `nil` leaves the toolset out.
  private func modules(_ toolset: String?, hasLibrary: Bool = true) throws -> PrebuiltModules? {
    if let toolset { _ = try folder.write(toolset, to: "toolset.json") }
    if hasLibrary { _ = try folder.write("", to: "libNearby.a") }
    return try PrebuiltModules(folder: folder.url.path)
  }
}
