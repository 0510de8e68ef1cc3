import Foundation
import NearbyRecordings

/// A folder that a command writes a recording into.
struct OutputFolder: Equatable, Sendable {
  let path: String
  let mayOverwrite: Bool

  /// Nothing is overwritten unasked.
  func check() throws(CommandError) {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard isFolder.boolValue else { throw .inputOutput("\(path): a file; expected a folder") }
    guard !mayOverwrite else { return }
    let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
    guard names.isEmpty else {
      throw .inputOutput("\(path): not empty; --force writes into it all the same")
    }
  }

  func write(_ recording: Recording) throws(CommandError) {
    do throws(RecordingError) {
      try recording.write(to: URL(fileURLWithPath: path, isDirectory: true))
    } catch {
      throw CommandError(error)
    }
  }
}
