import Foundation
import NearbyCommandLine
import NearbyRecordings

/// Reads a folder of a recording among anchors, or reports what was found instead.
enum AnchorFolder {
  /// - Parameter file: The file that makes the folder such a recording, for the error message.
  static func read<Value>(
    _ path: String, _ file: String, _ read: (URL) throws(RecordingError) -> Value
  ) throws(CommandError) -> Value {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .noInput("\(path): no such folder")
    }
    guard isFolder.boolValue else {
      throw .noInput("\(path): expected a folder with a \(file), found a file")
    }
    do throws(RecordingError) {
      return try read(URL(fileURLWithPath: path, isDirectory: true))
    } catch {
      throw CommandError(error)
    }
  }
}
