import Foundation
import NearbyCommandLine

/// Modules and a library that `Scripts/prebuild` made, which packages use without building them.
struct PrebuiltModules: Equatable {
  let folder: String
  /// What the compiler needs to find the modules.
  let compilerOptions: [String]
  /// What the linker needs to find the library.
  let linkerOptions: [String]

  /// The part of SwiftPM's toolset file (SE-0387) that `Scripts/prebuild` writes.
  private struct Toolset: Decodable {
    struct Tool: Decodable { let extraCLIOptions: [String] }
    let swiftCompiler: Tool
    let linker: Tool
  }

  /// - Returns: `nil` if the folder has no toolset file.
  /// - Throws: `CommandError` if it has one that does not fit.
  init?(folder: String) throws(CommandError) {
    let path = folder + "/toolset.json"
    guard let content = FileManager.default.contents(atPath: path) else { return nil }
    guard let toolset = try? JSONDecoder().decode(Toolset.self, from: content),
      FileManager.default.fileExists(atPath: folder + "/libNearby.a")
    else {
      throw .badData("\(path): not made by swift-nearby's Scripts/prebuild; run that again")
    }
    self.folder = folder
    compilerOptions = toolset.swiftCompiler.extraCLIOptions
    linkerOptions = toolset.linker.extraCLIOptions
  }
}
