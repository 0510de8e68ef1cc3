import Foundation

/// Finds the files that belong to a module of this package: the page, its scenes, the tables of names.
///
/// Three places are searched, all relative to the running program, so that a program works from any folder and without
/// the sources it was built from:
///
/// 1. `swift-nearby_MODULE.resources` beside the program, where `swift build` puts it;
/// 2. `../share/nearby/MODULE`, where `make install` puts it;
/// 3. `share/nearby/MODULE` beside the program, for an unpacked archive.
package enum ResourceFolder {
  /// No folder of the module exists in any of the places.
  package struct Missing: Error, Equatable, CustomStringConvertible {
    package let module: String
    package let searched: [String]

    package var description: String {
      "the files of \(module) are missing: expected \(searched.joined(separator: " or "))"
        + "; run 'make install', or copy the folder together with the program"
    }
  }

  /// The folder of a module's files.
  ///
  /// - Parameters:
  ///   - program: The path of the running program, with symbolic links resolved; `nil` for this process.
  package static func find(_ module: String, program: String? = nil) throws(Missing) -> URL {
    let places = places(of: module, program: program ?? Self.program)
    guard let found = places.first(where: isFolder) else { throw Missing(module: module, searched: places) }
    return URL(fileURLWithPath: found, isDirectory: true)
  }

  private static func places(of module: String, program: String) -> [String] {
    let home = URL(fileURLWithPath: program).deletingLastPathComponent()
    return [
      home.appendingPathComponent("swift-nearby_\(module).resources"),
      home.deletingLastPathComponent().appendingPathComponent("share/nearby/\(module)"),
      home.appendingPathComponent("share/nearby/\(module)"),
    ].map(\.path)
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static var program: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments
      .first ?? ""
  }
}
