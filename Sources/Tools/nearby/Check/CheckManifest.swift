/// The Package.swift that `nearby check --package` writes.
struct CheckManifest {
  struct Target: Equatable {
    var name: String
    var isTest: Bool
    var isProgram: Bool
    /// Paths as in the report.
    var files: [String]
    var imports: [String]
    /// Other targets of this package that it imports.
    var siblings: [String]

    var folder: String { isTest ? "Tests" : "Sources" }
    /// Whether to write a first test for it.
    var hasFirstTest: Bool { !isTest }
    var firstTestName: String { name + "OnLinuxTests" }
  }

  enum Location: Equatable {
    case folder(String)
    case address(String)
  }

  let targets: [Target]
  let location: Location

  /// Products that consist of one module each.
  private static let products: Set<String> = [
    "ARKit", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity", "NearbyAccessory", "NearbyInteraction",
    "NearbyPeers", "simd",
  ]

  var text: String {
    var lines = [
      "// swift-tools-version: 6.0",
      "// Written by `nearby check --package`: the files of the app that build on Linux.",
      "import PackageDescription", "", "let package = Package(", "  name: \"\(targets[0].name)-on-Linux\",",
    ]
    // SwiftPM applies module aliases only in a package that has a product.
    if !clashes.isEmpty, let library = targets.first(where: { !$0.isTest && !$0.isProgram }) {
      lines.append(
        "  products: [.library(name: \"\(library.name)-on-Linux\", targets: [\"\(library.name)\"])],")
    }
    lines += ["  dependencies: [\(dependency)],", "  targets: ["]
    for target in targets {
      lines += self.lines(target)
      if target.hasFirstTest { lines += testLines(target) }
    }
    return (lines + ["  ]", ")", ""]).joined(separator: "\n")
  }

  private var dependency: String {
    switch location {
    case .folder(let path): ".package(path: \(Self.quoted(path)))"
    case .address(let address): ".package(url: \(Self.quoted(address)), branch: \"main\")"
    }
  }

  /// SwiftPM's identity of the package, which differs from its name; module aliases refer to it.
  private var packageName: String {
    switch location {
    case .folder(let path): path.split(separator: "/").last.map(String.init) ?? "swift-nearby"
    case .address(let address):
      address.split(separator: "/").last.map { String($0.split(separator: ".")[0]) } ?? "swift-nearby"
    }
  }

  /// Targets with the same name as one of ours.
  private var clashes: [String] { targets.map(\.name).filter(EngineTargets.names.contains) }

  private func product(_ name: String) -> String {
    let aliases = clashes.map { "\(Self.quoted($0)): \(Self.quoted(EngineTargets.alias($0)))" }
    let last = aliases.isEmpty ? "" : ", moduleAliases: [\(aliases.joined(separator: ", "))]"
    return ".product(name: \"\(name)\", package: \(Self.quoted(packageName))\(last))"
  }

  private func lines(_ target: Target) -> [String] {
    let kind = target.isTest ? "testTarget" : target.isProgram ? "executableTarget" : "target"
    // Always depend on the shims, so that `#if canImport(UIKit)` gives the same result in every target.
    let names = ["AppleShims"] + target.imports.filter(Self.products.contains)
    let dependencies = target.siblings.map { "\"\($0)\"" } + names.map(product)
    return [
      "    .\(kind)(", "      name: \"\(target.name)\",", "      dependencies: [",
    ] + dependencies.map { "        \($0)," } + [
      "      ],", "      swiftSettings: [.swiftLanguageMode(.v5)]),",
    ]
  }

  private func testLines(_ target: Target) -> [String] {
    let names = ["NearbyTesting", "NearbyInteraction", "MultipeerConnectivity"]
    return [
      "    .testTarget(", "      name: \"\(target.firstTestName)\",", "      dependencies: [",
      "        \"\(target.name)\",",
    ] + names.map { "        \(product($0))," } + [
      "      ],", "      swiftSettings: [.swiftLanguageMode(.v5)]),",
    ]
  }

  static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
