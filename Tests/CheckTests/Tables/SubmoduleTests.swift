import Foundation
import Testing

@testable import NearbySourceCheck

@Suite("Submodules")
struct SubmoduleTests {
  @Test("The known submodules are exactly those that the module maps declare")
  func parts() throws {
    var found: [String: Set<String>] = [:]
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    for path in paths where path.hasSuffix("/module.modulemap") {
      let map = sources.appendingPathComponent(path)
      guard let text = try? String(contentsOf: map, encoding: .utf8), text.contains("explicit module"),
        let module = text.firstMatch(of: /\nmodule (\w+)/)
      else { continue }
      found[String(module.1)] = Set(text.matches(of: /explicit module (\w+)/).map { String($0.1) })
    }
    #expect(found == Submodules.there)
  }
}
