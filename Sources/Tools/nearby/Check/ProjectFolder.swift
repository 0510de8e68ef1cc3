import Foundation
import NearbyCommandLine
import NearbySourceCheck

/// Finds the sources of an app in a folder, a Swift package, an Xcode project or workspace, or one file.
struct ProjectFolder {
  /// The folder that all paths are relative to.
  let root: String
  private(set) var modules: [SourceModule] = []
  /// What could not be read, one sentence each.
  private(set) var remarks: [String] = []

  private var swiftFiles: [String] = []
  private var manifests: [String] = []
  private var projects: [String] = []
  private var taken: Set<String> = []
  private let only: String?

  /// Folders with build products and third-party code.
  private static let skipped: Set<String> = [
    "DerivedData", "Pods", "Carthage", "node_modules", "build", "SourcePackages", "Checkouts",
  ]

  /// Playgrounds are scripts that belong to no target.
  private static let skippedExtensions: Set<String> = ["xcassets", "playground", "playgroundbook"]

  /// Manifests for single versions of Swift, and the list of tests that old versions needed on Linux, are not sources.
  private static func isSource(_ name: String) -> Bool {
    !name.hasPrefix("Package@swift") && name != "LinuxMain.swift"
  }

  init(_ path: String) throws(CommandError) {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw .noInput("\(path): no such file or folder")
    }
    let isProject = ["xcodeproj", "xcworkspace"].contains(url.pathExtension)
    let isFile = !isFolder.boolValue
    root = isProject || isFile ? url.deletingLastPathComponent().path : url.path
    only = isFile || url.pathExtension == "xcodeproj" ? url.lastPathComponent : nil
    if isFile {
      modules = [SourceModule(name: "Sources", files: [url.lastPathComponent].compactMap(file))]
    } else {
      walk()
      collect()
    }
    guard modules.contains(where: { !$0.files.isEmpty }) else {
      throw .noInput("\(path): no Swift files found")
    }
  }

  private func file(_ path: String) -> SourceFile? {
    guard let data = FileManager.default.contents(atPath: root + "/" + path) else { return nil }
    return SourceFile(path: path, octets: [UInt8](data))
  }

  // MARK: The folder

  private mutating func walk() {
    let url = URL(fileURLWithPath: root)
    guard
      let found = FileManager.default.enumerator(
        at: url, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles], errorHandler: { _, _ in true }
      )
    else { return }
    let prefix = url.path == "/" ? 1 : url.path.utf8.count + 1
    for case let one as URL in found {
      let name = one.lastPathComponent
      if Self.skipped.contains(name) || Self.skippedExtensions.contains(one.pathExtension) {
        found.skipDescendants()
        continue
      }
      let path = String(decoding: one.path.utf8.dropFirst(prefix), as: UTF8.self)
      switch one.pathExtension {
      case "xcodeproj":
        projects.append(path)
        found.skipDescendants()
      case "swift":
        if name == "Package.swift" {
          manifests.append(path)
        } else if Self.isSource(name) {
          swiftFiles.append(path)
        }
      default: break
      }
    }
    swiftFiles.sort()
    manifests.sort()
    projects.sort()
  }

  private mutating func collect() {
    if let only {
      addProject(only)
      return
    }
    projects.forEach { addProject($0) }
    manifests.forEach { addPackage($0) }
    let rest = swiftFiles.filter { !taken.contains($0) }
    let name = Self.moduleName(URL(fileURLWithPath: root).lastPathComponent)
    let isTaken = modules.contains { $0.name == name }
    add(isTaken ? name + "_others" : name, isTest: false, rest)
  }

  private static func moduleName(_ name: String) -> String {
    let word = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return word.first?.isNumber ?? true ? "_" + word : word
  }

  private mutating func add(_ name: String, isTest: Bool, _ paths: [String]) {
    var seen: Set<String> = []
    let files = paths.filter { seen.insert($0).inserted }.sorted().compactMap(file)
    guard !files.isEmpty else { return }
    taken.formUnion(files.map(\.path))
    modules.append(SourceModule(name: Self.moduleName(name), isTest: isTest, files: files))
  }

  // MARK: Projects and packages

  private static func folder(of path: String) -> String {
    path.contains("/") ? path.split(separator: "/").dropLast().joined(separator: "/") : ""
  }

  private static func joined(_ folder: String, _ path: String) -> String {
    folder.isEmpty ? path : path.isEmpty ? folder : folder + "/" + path
  }

  private func isBelow(_ path: String, _ folder: String) -> Bool {
    folder.isEmpty || folder == "." || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private mutating func addProject(_ path: String) {
    let file = root + "/" + path + "/project.pbxproj"
    guard let data = FileManager.default.contents(atPath: file) else {
      remarks.append("\(path): no project.pbxproj in it; reading its folder instead")
      return
    }
    let project: XcodeProject
    do throws(PropertyList.Failure) {
      project = try XcodeProject(parsing: [UInt8](data))
    } catch {
      remarks.append("\(path)/project.pbxproj: \(Self.words(error)); reading its folder instead")
      return
    }
    let folder = Self.folder(of: path)
    for target in project.targets {
      var paths = target.files.map { Self.joined(folder, $0) }
      for synchronized in target.folders {
        let place = Self.joined(folder, synchronized.path)
        let left = Set(synchronized.exceptions.map { Self.joined(place, $0) })
        paths += swiftFiles.filter { isBelow($0, place) && !left.contains($0) }
      }
      remark(missingFrom: paths, of: path + ", target " + target.name)
      add(target.moduleName, isTest: target.isTest, paths)
    }
  }

  /// Says which files of a project are not on the disk.
  private mutating func remark(missingFrom paths: [String], of owner: String) {
    let missing = Set(paths).filter { !FileManager.default.fileExists(atPath: root + "/" + $0) }.sorted()
    guard let first = missing.first else { return }
    let others = missing.count > 1 ? " and \(missing.count - 1) others" : ""
    remarks.append("\(owner): \(first)\(others) missing on the disk; checking the rest")
  }

  private static func words(_ failure: PropertyList.Failure) -> String {
    switch failure {
    case .unexpected(let line): "line \(line) is not a property list"
    case .tooDeep(let line): "line \(line) is nested too deeply"
    }
  }

  private mutating func addPackage(_ path: String) {
    guard let data = FileManager.default.contents(atPath: root + "/" + path) else { return }
    let folder = Self.folder(of: path)
    var targets: [PackageManifest.Target] = []
    let manifest = PackageManifest(parsing: [UInt8](data))
    if manifest.targets.isEmpty {
      remarks.append("\(path): no target found in it; reading its folder instead")
    }
    // A `.target(name:)` among a target's dependencies refers to a target that is declared elsewhere.
    for target in manifest.targets {
      if let known = targets.firstIndex(where: { $0.name == target.name }) {
        if targets[known].path == nil, target.path != nil || target.isTest { targets[known] = target }
      } else {
        targets.append(target)
      }
    }
    for target in targets {
      let place = Self.joined(folder, self.place(of: target, in: folder, isAlone: targets.count == 1))
      let files = swiftFiles.filter { file in
        guard isBelow(file, place), !taken.contains(file) else { return false }
        if target.excluded.contains(where: { isSame(file, Self.joined(place, $0)) }) { return false }
        return target.sources.isEmpty || target.sources.contains { isSame(file, Self.joined(place, $0)) }
      }
      if files.isEmpty { remarks.append("\(path): target \(target.name) has no Swift files of its own") }
      add(target.name, isTest: target.isTest, files)
    }
  }

  private func isSame(_ file: String, _ path: String) -> Bool { file == path || isBelow(file, path) }

  private func place(of target: PackageManifest.Target, in folder: String, isAlone: Bool) -> String {
    if let path = target.path {
      let plain = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
      return plain
    }
    let parents =
      target.isTest ? ["Tests", "Sources", "Source", "src", "srcs"] : ["Sources", "Source", "src", "srcs"]
    for parent in parents {
      let path = parent + "/" + target.name
      if swiftFiles.contains(where: { isBelow($0, Self.joined(folder, path)) }) { return path }
    }
    return isAlone ? "Sources" : "Sources/" + target.name
  }
}
