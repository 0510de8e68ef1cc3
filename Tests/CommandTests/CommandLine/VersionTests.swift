import Foundation
import Testing

@testable import nearby

@Suite("Version")
struct VersionTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("The changelog's newest section has the version that the command prints")
  func changelog() throws {
    let text = try String(contentsOf: Self.package.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect(heading.split(separator: " ").dropFirst().first.map(String.init) == NearbyVersion.version)
  }
}
