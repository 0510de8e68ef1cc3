/// The targets of an Xcode project and the sources that each one compiles.
package struct XcodeProject: Equatable, Sendable {
  package struct Target: Equatable, Sendable {
    package var name: String
    /// The name that other targets import.
    package var moduleName: String
    package var isTest: Bool
    /// Paths relative to the project's folder, separated by `/`, with `..` resolved where possible.
    package var files: [String]
    /// Folders whose Swift files all belong to the target.
    package var folders: [Folder]
  }

  /// A folder that Xcode synchronises with the disk.
  package struct Folder: Equatable, Sendable {
    package var path: String
    /// Paths within the folder that the target does not compile.
    package var exceptions: [String]
  }

  package var targets: [Target]

  package init(parsing octets: [UInt8]) throws(PropertyList.Failure) {
    let file = try PropertyList(parsing: octets)
    guard case .dictionary = file else { throw .unexpected(line: 1) }
    self.init(file)
  }

  private init(_ file: PropertyList) {
    var reader = Reader(objects: file["objects"] ?? .dictionary([:]))
    let root = file["rootObject"]?.text.flatMap { reader.objects[$0] }
    if let group = root?["mainGroup"]?.text { reader.place(group, in: "", depth: 0) }
    let found = root?["targets"]?.texts ?? []
    targets = found.compactMap { reader.target($0) }.filter { !$0.files.isEmpty || !$0.folders.isEmpty }
  }

  private struct Reader {
    let objects: PropertyList
    /// Path of each reference that belongs to a group.
    private var paths: [String: String] = [:]

    /// Maximum nesting of groups, deeper than any real project; protects the stack from crafted files.
    private static let deepest = 100

    init(objects: PropertyList) { self.objects = objects }

    /// Records the paths of a group and everything in it. A group that contains itself is visited once.
    mutating func place(_ id: String, in folder: String, depth: Int) {
      guard depth < Self.deepest, paths[id] == nil, let object = objects[id] else { return }
      let own = object["path"]?.text ?? ""
      let path: String
      switch object["sourceTree"]?.text {
      case "<group>", nil: path = XcodeProject.joined(folder, own)
      case "SOURCE_ROOT": path = own
      case "<absolute>": path = own
      default: return
      }
      paths[id] = path
      for child in object["children"]?.texts ?? [] { place(child, in: path, depth: depth + 1) }
    }

    func target(_ id: String) -> Target? {
      guard let object = objects[id], let name = object["name"]?.text else { return nil }
      let type = object["productType"]?.text ?? ""
      var files: [String] = []
      for phase in object["buildPhases"]?.texts ?? [] {
        guard let phase = objects[phase], phase["isa"]?.text == "PBXSourcesBuildPhase" else { continue }
        for file in phase["files"]?.texts ?? [] {
          guard let reference = objects[file]?["fileRef"]?.text, let path = paths[reference] else { continue }
          if path.hasSuffix(".swift") { files.append(path) }
        }
      }
      let folders = (object["fileSystemSynchronizedGroups"]?.texts ?? []).compactMap { folder($0, of: id) }
      return Target(
        name: name, moduleName: moduleName(of: object) ?? name,
        isTest: type.hasSuffix("unit-test") || type.hasSuffix("unit-testing") || type.contains("-test")
          || type.contains("ui-testing"), files: files, folders: folders)
    }

    /// The module's or product's name in the settings of the first configuration that spells one out.
    private func moduleName(of target: PropertyList) -> String? {
      guard let list = target["buildConfigurationList"]?.text.flatMap({ objects[$0] }) else { return nil }
      let settings = (list["buildConfigurations"]?.texts ?? []).compactMap { objects[$0]?["buildSettings"] }
      for key in ["PRODUCT_MODULE_NAME", "PRODUCT_NAME"] {
        let names = settings.compactMap { $0[key]?.text }
        if let name = names.first(where: { !$0.isEmpty && !$0.contains("$") }) { return name }
      }
      return nil
    }

    private func folder(_ id: String, of target: String) -> Folder? {
      guard let path = paths[id], let object = objects[id] else { return nil }
      var exceptions: [String] = []
      for set in object["exceptions"]?.texts ?? [] {
        guard let set = objects[set], set["target"]?.text == target else { continue }
        exceptions += set["membershipExceptions"]?.texts ?? []
      }
      return Folder(path: path, exceptions: exceptions)
    }
  }

  /// Appends one path to another, resolving `..`.
  static func joined(_ folder: String, _ path: String) -> String {
    var parts = path.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(String(part))
      }
    }
    let root = (path.hasPrefix("/") || path.isEmpty && folder.hasPrefix("/")) ? "/" : ""
    return root + parts.joined(separator: "/")
  }
}
