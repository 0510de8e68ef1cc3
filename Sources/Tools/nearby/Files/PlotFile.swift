import Foundation
import NearbyCommandLine

/// The file that a picture is written to.
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

extension OptionReader where Value == String {
  /// The path of an SVG file to write.
  static var svgFile: Self {
    Self(expected: "a file name that ends in .svg", kind: .file) {
      $0.lowercased().hasSuffix(".svg") ? $0 : nil
    }
  }
}
