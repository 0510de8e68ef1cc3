import NearbySourceCheck

/// A target of the package that `nearby check --package` writes.
struct PackageTarget: Equatable {
  struct File: Equatable {
    /// Path as in the report.
    var path: String
    /// Path below the target's folder.
    var place: String
    var imports: [String]
    var isEntryPoint: Bool
    /// Numbers of the module and of the file in the report.
    var module: Int
    var number: Int
  }

  var name: String
  /// The name in the app, which differs if ours or the toolchain's declarations have it too.
  var appName: String
  var isTest: Bool
  var files: [File]
  /// Files that the scan blocks; only the compiler knows for sure.
  var doubtful: [File] = []
  /// Other targets of this package that it imports.
  var siblings: [String] = []

  var isProgram: Bool { !isTest && files.contains(where: \.isEntryPoint) }
  var imports: [String] { Set(files.flatMap(\.imports)).sorted() }
  /// The target's folder in the package.
  var folder: String { (isTest ? "Tests/" : "Sources/") + name }
  var firstTestName: String { name + "OnLinuxTests" }

  func path(of file: File) -> String { folder + "/" + file.place }
}

/// Derives a package's targets from a report.
enum PackageTargets {
  /// The targets with files that build, dependencies before the targets that need them.
  ///
  /// - Parameter taken: Names that the targets can't have, besides those that modules and types have.
  static func all(
    _ report: CheckReport, table: ModuleTable, besides taken: Set<String> = []
  ) -> [PackageTarget] {
    var targets: [PackageTarget] = []
    for (number, module) in report.modules.enumerated() {
      var files = files(of: module, number)
      // Extensions and variants of an app often compile the very files of its main target.
      let known = targets.filter { $0.appName == module.name }.flatMap(\.files).map(\.path)
      files.removeAll { known.contains($0.path) }
      guard !files.isEmpty else { continue }
      let name = freeName(
        module.name, among: targets.map(\.name),
        isTaken: { taken.contains($0) || table.isTaken($0) })
      var target = PackageTarget(name: name, appName: module.name, isTest: module.isTest, files: files)
      target.doubtful = doubtful(of: module, number, besides: files).filter { !known.contains($0.path) }
      targets.append(target)
    }
    return ordered(linked(targets))
  }

  private static func files(of module: ModuleVerdict, _ number: Int) -> [PackageTarget.File] {
    var names: Set<String> = []
    var result: [PackageTarget.File] = []
    for (index, file) in module.files.enumerated() where file.state == .builds {
      let place = place(of: file.path, besides: &names)
      // SwiftPM finds tests by itself, and a test target has no main file.
      let isMain = file.path.hasSuffix("LinuxMain.swift") || module.isTest && file.isEntryPoint
      guard !isMain else { continue }
      result.append(
        .init(
          path: file.path, place: place, imports: file.imports, isEntryPoint: file.isEntryPoint,
          module: number,
          number: index))
    }
    return result
  }

  /// The blocked files without views. A second entry point would block all others.
  private static func doubtful(
    of module: ModuleVerdict, _ number: Int, besides files: [PackageTarget.File]
  ) -> [PackageTarget.File] {
    var names = Set(files.map { String($0.place.split(separator: "/").last ?? "") })
    var result: [PackageTarget.File] = []
    for (index, file) in module.files.enumerated() where file.state == .blocked || file.state == .waits {
      let isHopeless = file.obstacles.contains { $0.kind == .view || $0.kind == .unreadable }
      guard !isHopeless, !file.isEntryPoint, !file.path.hasSuffix("main.swift") else { continue }
      let place = place(of: file.path, besides: &names)
      result.append(
        .init(
          path: file.path, place: place, imports: file.imports, isEntryPoint: false, module: number,
          number: index))
    }
    return result
  }

  /// The path below the target's folder. The compiler rejects a module with two files of the same name, so the second
  /// is prefixed with its folder.
  private static func place(of path: String, besides names: inout Set<String>) -> String {
    var parts = path.split(separator: "/").filter { $0 != ".." && $0 != "." }.map(String.init)
    guard let name = parts.popLast() else { return path }
    var free = name
    for folder in parts.reversed() + Array(repeating: "_", count: names.count) where names.contains(free) {
      free = folder + "_" + free
    }
    names.insert(free)
    return (parts + [free]).joined(separator: "/")
  }

  /// A module named like a type hides the type; one named like a module of ours or the toolchain's can't be built.
  private static func freeName(
    _ name: String, among others: [String], isTaken: (String) -> Bool
  ) -> String {
    var free = isTaken(name) ? name + "App" : name
    while others.contains(free) { free += "_2" }
    return free
  }

  private static func linked(_ targets: [PackageTarget]) -> [PackageTarget] {
    var targets = targets
    for index in targets.indices {
      let imports = Set(targets[index].files.flatMap(\.imports))
      targets[index].siblings = targets.filter { other in
        imports.contains(other.appName) && other.name != targets[index].name && !other.isTest
          && other.appName != targets[index].appName
      }.map(\.name)
    }
    return targets
  }

  /// Sorts dependencies first, and removes those that would form a cycle.
  private static func ordered(_ targets: [PackageTarget]) -> [PackageTarget] {
    var result: [PackageTarget] = []
    var rest = targets
    while !rest.isEmpty {
      let done = Set(result.map(\.name))
      let next = rest.firstIndex { $0.siblings.allSatisfy(done.contains) } ?? 0
      var target = rest.remove(at: next)
      target.siblings.removeAll { !done.contains($0) }
      result.append(target)
    }
    return result
  }
}
