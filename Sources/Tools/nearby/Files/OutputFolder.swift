import Foundation
import NearbyCommandLine
import NearbyRecordings

/// The folder that a command writes a recording to.
struct OutputFolder: Equatable, Sendable {
  static let out = CommandOption<String>.required(
    "out", "FOLDER", "Folder to write to; created if it does not exist", as: .folder)

  let path: String
  let mayOverwrite: Bool

  init(path: String, mayOverwrite: Bool) {
    self.path = path
    self.mayOverwrite = mayOverwrite
  }

  /// The folder of a command that declares `out` and `CommonOptions.force`.
  init(_ arguments: CommandArguments) throws(UsageError) {
    self.init(path: try arguments[Self.out], mayOverwrite: try arguments[CommonOptions.force])
  }

  /// Throws if the folder has files that must not be overwritten.
  func check() throws(CommandError) {
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard isFolder.boolValue else { throw .inputOutput("\(path): expected a folder, found a file") }
    guard !mayOverwrite else { return }
    let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
    guard names.isEmpty else {
      throw .inputOutput("\(path): not empty; use \(CommonOptions.force) to write into it anyway")
    }
  }

  func write(_ recording: Recording) throws(CommandError) {
    try write { url throws(RecordingError) in try recording.write(to: url) }
  }

  func write(_ recording: PositionRecording) throws(CommandError) {
    try write { url throws(RecordingError) in try recording.write(to: url) }
  }

  private func write(_ body: (URL) throws(RecordingError) -> Void) throws(CommandError) {
    do throws(RecordingError) {
      try body(URL(fileURLWithPath: path, isDirectory: true))
    } catch {
      throw CommandError(error)
    }
  }
}
