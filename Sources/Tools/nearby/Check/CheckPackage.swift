import Foundation
import NearbyCommandLine
import NearbySourceCheck

/// Writes a package of the files that build, with a first test in a simulated world.
struct CheckPackage: Equatable {
  let folder: String
  /// A folder or a git URL; `nil` searches for the package that this command was built from.
  let nearby: String?
  let copies: Bool
  let mayOverwrite: Bool

  /// - Returns: A sentence that says what was written.
  func write(_ report: CheckReport, root: String) throws(CommandError) -> String {
    try OutputFolder(path: folder, mayOverwrite: mayOverwrite).check()
    let location = try location()
    let targets = Self.targets(report)
    guard !targets.isEmpty else {
      throw .badData("\(folder): not written, because no file builds")
    }
    let manifest = CheckManifest(targets: targets, location: location)
    try write(manifest.text, to: "Package.swift")
    var count = 0
    for target in targets {
      // Remove files of an earlier call, which may no longer build.
      let place = url("\(target.folder)/\(target.name)")
      if mayOverwrite { try? FileManager.default.removeItem(at: place) }
      for file in target.files {
        try add(root + "/" + file, as: "\(target.folder)/\(target.name)/\(Self.inside(file))")
        count += 1
      }
    }
    for (path, text) in FirstTest.files(targets) { try write(text, to: path) }
    return "\(folder): wrote a package of \(count) files; try: swift test --package-path \(folder)\n"
  }

  private static func inside(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != ".." }.joined(separator: "/")
  }

  static func targets(_ report: CheckReport) -> [CheckManifest.Target] {
    let names = Set(report.modules.map(\.name))
    var seen: Set<String> = []
    var targets: [CheckManifest.Target] = []
    for module in report.modules where seen.insert(module.name).inserted {
      let files = module.files.filter { $0.state == .builds }
      guard !files.isEmpty else { continue }
      let imports = Set(files.flatMap(\.imports))
      targets.append(
        CheckManifest.Target(
          name: module.name, isTest: module.isTest, isProgram: files.contains(where: \.isEntryPoint),
          files: files.map(\.path), imports: imports.sorted(),
          siblings: imports.intersection(names).subtracting([module.name]).sorted()))
    }
    let written = Set(targets.map(\.name))
    for index in targets.indices { targets[index].siblings.removeAll { !written.contains($0) } }
    return targets
  }

  // MARK: The disk

  private func url(_ path: String) -> URL { URL(fileURLWithPath: folder).appendingPathComponent(path) }

  private func write(_ text: String, to path: String) throws(CommandError) {
    let place = url(path)
    do {
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    } catch {
      throw .inputOutput("\(place.path): can't be written: \(error.localizedDescription)")
    }
  }

  private func add(_ source: String, as path: String) throws(CommandError) {
    let place = url(path)
    let files = FileManager.default
    do {
      try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      if copies {
        try files.copyItem(atPath: source, toPath: place.path)
      } else {
        try files.createSymbolicLink(atPath: place.path, withDestinationPath: source)
      }
    } catch {
      throw .inputOutput("\(place.path): can't be written: \(error.localizedDescription)")
    }
  }

  /// The manifest's line for swift-nearby.
  private func location() throws(CommandError) -> CheckManifest.Location {
    if let nearby, nearby.contains("://") || nearby.hasPrefix("git@") { return .address(nearby) }
    if let nearby {
      let path = URL(fileURLWithPath: nearby).standardizedFileURL.path
      guard FileManager.default.fileExists(atPath: path + "/Package.swift") else {
        throw .noInput(
          "\(nearby): no Package.swift there; \(CheckCommand.Options.nearby) expects swift-nearby's folder or git URL"
        )
      }
      return .folder(path)
    }
    var place = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    while place.path != "/", !place.path.isEmpty {
      place.deleteLastPathComponent()
      let manifest = FileManager.default.contents(atPath: place.path + "/Package.swift")
      if let manifest, String(decoding: manifest, as: UTF8.self).contains("\"swift-nearby\"") {
        return .folder(place.path)
      }
    }
    throw .noInput(
      "can't find swift-nearby's own folder; give it with \(CheckCommand.Options.nearby) FOLDER or \(CheckCommand.Options.nearby) URL"
    )
  }
}
