import Foundation
import NearbyCommandLine
import NearbyScenarios

/// Reads scenario files.
enum ScenarioFile {
  /// - Parameter progress: Receives how much of a large file has been read.
  static func read(_ path: String, progress: (any TextOutput)? = nil) throws(CommandError) -> Scenario {
    try parse(try read(octetsOf: path), path: path, progress: progress)
  }

  /// The file's contents.
  static func read(octetsOf path: String) throws(CommandError) -> Data {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput("\(path): no such file\(hint(path))")
    }
    guard !isFolder.boolValue else { throw .noInput("\(path): expected a scenario file, found a folder") }
    var status = stat()
    // Checked before reading, because a huge file could exhaust memory.
    guard stat(path, &status) != 0 || status.st_size <= ScenarioLimits.octets else {
      throw .badData(
        "\(path): \(status.st_size) octets; a scenario file may have at most \(ScenarioLimits.octets)")
    }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .noInput("\(path): can't be read: \(FileTrouble.reason(error))")
    }
  }

  /// The examples of this package, seen from its folder.
  private static let examples = "Examples/Scenarios"

  /// Names the example of the same name, or all examples.
  private static func hint(_ path: String) -> String {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: examples)) ?? []).sorted()
    let name = URL(fileURLWithPath: path).lastPathComponent
    if names.contains(name) { return "; did you mean \(examples)/\(name)?" }
    guard !names.isEmpty else { return "; swift-nearby's folder \(examples) has examples" }
    return "; \(examples) has \(names.joined(separator: ", "))"
  }

  static func parse(
    _ data: Data, path: String, progress: (any TextOutput)? = nil
  ) throws(CommandError) -> Scenario {
    let reading = progress.map { ReadingProgress(path, $0) }
    do throws(ScenarioError) {
      return try Scenario(parsing: data, file: path) { reading?.reached($0) }
    } catch {
      throw .badData("\(error)")
    }
  }
}
