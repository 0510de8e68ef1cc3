import Foundation
import NearbyRuntime
import NearbyScenarios

/// Reads a scenario file, or says why not.
enum ScenarioFile {
  static func read(_ path: String) throws(CommandError) -> Scenario {
    try parse(try read(octetsOf: path), path: path)
  }

  /// What the file says, octet by octet.
  static func read(octetsOf path: String) throws(CommandError) -> Data {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput("\(path): no such file")
    }
    guard !isFolder.boolValue else { throw .noInput("\(path): a folder; expected a scenario file") }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .noInput("\(path): can't be read: \(FileTrouble.reason(error))")
    }
  }

  static func parse(_ data: Data, path: String) throws(CommandError) -> Scenario {
    do throws(ScenarioError) {
      return try Scenario(parsing: data, file: path)
    } catch {
      throw .badData("\(error)")
    }
  }
}
