/// The Package.swift that `nearby check --package` writes.
struct CheckManifest {
  enum Location: Equatable {
    case folder(String)
    case address(String)
    /// Modules that need no building.
    case prebuilt(PrebuiltModules)
  }

  let targets: [PackageTarget]
  let location: Location

  /// Products that consist of one module each.
  static let products: Set<String> = [
    "ARKit", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity", "NearbyAccessory", "NearbyInteraction",
    "NearbyPeers", "NearbyPosition", "simd",
  ]

  /// Modules that Apple's Foundation brings along, so that apps do not import them.
  static let implicitImports = [
    "Combine", "CoreGraphics", "FoundationNetworking", "FoundationXML", "NearbyFoundation",
    "NearbyURLSession",
    "Observation",
  ]

  var text: String {
    let name = targets.first?.name ?? "app"
    var lines = [
      "// swift-tools-version: 6.0",
      "// Written by `nearby check --package`: the files of the app that build on Linux.",
      "import PackageDescription", "",
      "// Apple's Foundation brings these modules along; here they are imported into every file.",
      "let brought = [\(Self.implicitImports.map(Self.quoted).joined(separator: ", "))]",
      "let settings: [SwiftSetting] = [",
      "  .swiftLanguageMode(.v5),",
      "  .unsafeFlags(brought.flatMap { [\"-Xfrontend\", \"-import-module\", \"-Xfrontend\", $0] }),",
      "]",
    ]
    if case .prebuilt(let modules) = location { lines += Self.lines(modules) }
    lines += [
      "", "let package = Package(", "  name: \"\(name)-on-Linux\",",
    ]
    // SwiftPM applies module aliases only in a package that has a product.
    if !clashes.isEmpty, let library = targets.first(where: { !$0.isTest && !$0.isProgram }) {
      lines.append(
        "  products: [.library(name: \"\(library.name)-on-Linux\", targets: [\"\(library.name)\"])],")
    }
    if let dependency { lines.append("  dependencies: [\(dependency)],") }
    lines.append("  targets: [")
    for target in targets {
      lines += self.lines(target)
      if !target.isTest { lines += testLines(target) }
    }
    return (lines + ["  ]", ")", ""]).joined(separator: "\n")
  }

  /// The manifest of a package that builds everything an app's package can depend on, and nothing else.
  var dependenciesText: String {
    let products = (Self.products.sorted() + ["AppleShims", "NearbyTesting"]).map {
      "        \(product($0)),"
    }
    return
      ([
        "// swift-tools-version: 6.0", "import PackageDescription", "", "let package = Package(",
        "  name: \"Dependencies\",",
        "  products: [.library(name: \"Dependencies\", targets: [\"Dependencies\"])],",
        "  dependencies: [\(dependency ?? "")],", "  targets: [", "    .target(",
        "      name: \"Dependencies\",", "      dependencies: [",
      ] + products + ["      ])", "  ]", ")", ""]).joined(separator: "\n")
  }

  /// `nil` without a package to depend on.
  private var dependency: String? {
    switch location {
    case .folder(let path): ".package(path: \(Self.quoted(path)))"
    case .address(let address): ".package(url: \(Self.quoted(address)), branch: \"main\")"
    case .prebuilt: nil
    }
  }

  /// Options with which every target finds prebuilt modules, and every program the library.
  private static func lines(_ modules: PrebuiltModules) -> [String] {
    func list(_ options: [String]) -> String { options.map { "  \(quoted($0))," }.joined(separator: "\n") }
    return [
      "// swift-nearby as built by its Scripts/prebuild.",
      "let nearby: [SwiftSetting] = [.unsafeFlags([", list(modules.compilerOptions), "])]",
      "let linked: [LinkerSetting] = [.unsafeFlags([", list(modules.linkerOptions), "])]",
    ]
  }
  private var isPrebuilt: Bool { dependency == nil }

  /// SwiftPM's identity of the package, which differs from its name; module aliases refer to it.
  var packageName: String {
    switch location {
    case .folder(let path): path.split(separator: "/").last.map(String.init) ?? "swift-nearby"
    case .address(let address):
      address.split(separator: "/").last.map { String($0.split(separator: ".")[0]) } ?? "swift-nearby"
    case .prebuilt: "swift-nearby"
    }
  }

  /// Targets with the same name as one of ours.
  private var clashes: [String] {
    isPrebuilt ? [] : targets.map(\.name).filter(EngineTargets.names.contains)
  }

  private func products(_ names: [String]) -> [String] { isPrebuilt ? [] : names.map(product) }

  private func product(_ name: String) -> String {
    let aliases = clashes.map { "\(Self.quoted($0)): \(Self.quoted(EngineTargets.alias($0)))" }
    let last = aliases.isEmpty ? "" : ", moduleAliases: [\(aliases.joined(separator: ", "))]"
    return ".product(name: \"\(name)\", package: \(Self.quoted(packageName))\(last))"
  }

  private func lines(_ target: PackageTarget) -> [String] {
    let kind = target.isTest ? "testTarget" : target.isProgram ? "executableTarget" : "target"
    // Always depend on the shims, so that `#if canImport(UIKit)` gives the same result in every target.
    let names = ["AppleShims"] + target.imports.filter(Self.products.contains)
    let dependencies = target.siblings.map { "\"\($0)\"" } + products(names)
    let renamed = Self.aliases(of: target, among: targets).map {
      ".unsafeFlags([\"-module-alias\", \"\($0)\"])"
    }
    var settings = isPrebuilt ? "settings + nearby" : "settings"
    if !renamed.isEmpty { settings += " + [\(renamed.joined(separator: ", "))]" }
    let last = isPrebuilt && (target.isTest || target.isProgram) ? ", linkerSettings: linked" : ""
    return [
      "    .\(kind)(", "      name: \"\(target.name)\",", "      dependencies: [",
    ] + dependencies.map { "        \($0)," } + ["      ],", "      swiftSettings: \(settings)\(last)),"]
  }

  /// `old=new` for each target that this one imports under another name.
  static func aliases(of target: PackageTarget, among targets: [PackageTarget]) -> [String] {
    targets.filter { target.siblings.contains($0.name) && $0.name != $0.appName }
      .map { "\($0.appName)=\($0.name)" }
  }

  private func testLines(_ target: PackageTarget) -> [String] {
    let names = products(FirstTest.products(target))
    let settings =
      isPrebuilt
      ? "[.swiftLanguageMode(.v5)] + nearby, linkerSettings: linked" : "[.swiftLanguageMode(.v5)]"
    return [
      "    .testTarget(", "      name: \"\(target.firstTestName)\",", "      dependencies: [",
      "        \"\(target.name)\",",
    ] + names.map { "        \($0)," } + [
      "      ],", "      swiftSettings: \(settings)),",
    ]
  }

  static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
