import Foundation
import Testing

@testable import NearbySourceCheck

/// The table of this package's modules is made of their sources; with NEARBY_UPDATE_TABLES=1 this makes it anew.
@Suite("The table of this package's modules")
struct TableTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let modules = [
    "ARKit", "NearbyFoundation", "Combine", "CoreBluetooth", "CoreGraphics", "CoreLocation",
    "MultipeerConnectivity", "NearbyAccessory", "NearbyInteraction", "NearbyPeers", "NearbyTesting", "OSLog",
    "NearbySafeArchives", "SwiftUI", "UIKit", "UserNotifications", "os", "simd",
  ]

  /// The folders of Sources that have public modules.
  private static let groups = ["Apple", "AppleShims", "Ours"]

  /// `nil` where the module is not in this package yet.
  private static func names(_ module: String) -> PublishedNames? {
    let folders = groups.map { root.appendingPathComponent("Sources/\($0)/\(module)") }
    guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
      return nil
    }
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let files = found.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      FileManager.default.contents(atPath: folder.appendingPathComponent(path).path).map {
        SourceFile(path: path, octets: [UInt8]($0))
      }
    }
    return files.isEmpty
      ? nil : PublishedNames(of: files, modules: ModuleTable.linux.moduleNames.union(modules))
  }

  @Test(
    "It has what the sources declare",
    .enabled(if: ProcessInfo.processInfo.environment["NEARBY_UPDATE_TABLES"] == nil))
  func same() {
    for module in Self.modules {
      guard let names = Self.names(module) else { continue }
      let known = PublishedNames(inTableOf: module)
      #expect(
        Set(names.free + names.members).subtracting((known?.free ?? []) + (known?.members ?? [])) == [],
        "\(module) has got more: NEARBY_UPDATE_TABLES=1 swift test --filter CheckTests")
    }
  }

  @Test("It knows the parts of modules that the module maps name, and no other")
  func parts() throws {
    var found: [String: Set<String>] = [:]
    let sources = Self.root.appendingPathComponent("Sources/Apple/Submodules")
    for folder in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let map = sources.appendingPathComponent(folder + "/module.modulemap")
      guard let text = try? String(contentsOf: map, encoding: .utf8), text.contains("explicit module"),
        let module = text.firstMatch(of: /\nmodule (\w+)/)
      else { continue }
      found[String(module.1)] = Set(text.matches(of: /explicit module (\w+)/).map { String($0.1) })
    }
    #expect(found == Submodules.there)
  }

  @Test(
    "It is written anew", .enabled(if: ProcessInfo.processInfo.environment["NEARBY_UPDATE_TABLES"] != nil))
  func update() throws {
    var lines = [
      "// Generated from this package's sources: NEARBY_UPDATE_TABLES=1 swift test --filter CheckTests", "",
      "/// What this package's modules declare in public.", "enum FacadeNames {",
      "  static let modules: [ModuleNames] = [",
    ]
    for module in Self.modules {
      if let names = Self.names(module) ?? PublishedNames(inTableOf: module) {
        lines += names.source(module: module)
      }
    }
    lines += ["  ]", "}", ""]
    let file = Self.root.appendingPathComponent("Sources/Tools/NearbySourceCheck/Tables/FacadeNames.swift")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
  }
}
