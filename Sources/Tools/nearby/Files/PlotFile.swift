import Foundation
import NearbyCommandLine

/// Where a picture goes.
enum PlotFile {
  static func write(_ text: String, to path: String) throws(CommandError) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw .inputOutput("\(path): expected a file, found a folder")
    }
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .inputOutput("\(path): can't be written: \(FileTrouble.reason(error))")
    }
  }
}
