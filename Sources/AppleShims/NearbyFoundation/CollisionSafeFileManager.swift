import Foundation

/// The file manager behind `FileManager.default` in files that import one of the facades: Foundation's, but for moves.
///
/// Foundation's own `moveItem` stops the process on Linux where something is at the destination already and either
/// name is not ASCII (`_caseFoldMapping is not implemented yet`), so that a peer could end its host by sending
/// "Überblick.pdf" twice. The compiler prefers this `default` because its type is more special, so that apps change
/// nothing. A `FileManager()` of the app's own is still Foundation's.
public final class CollisionSafeFileManager: FileManager, @unchecked Sendable {
  // Nothing is added that could change.
  fileprivate static let shared = CollisionSafeFileManager()

  /// Moves a file or a folder.
  ///
  /// - Throws: `CocoaError.fileWriteFileExists` where something is at the destination; otherwise as Foundation's.
  public override func moveItem(at srcURL: URL, to dstURL: URL) throws {
    try move(srcURL.path, dstURL.path) { try super.moveItem(at: srcURL, to: dstURL) }
  }

  /// Moves a file or a folder.
  ///
  /// - Throws: `CocoaError.fileWriteFileExists` where something is at the destination; otherwise as Foundation's.
  public override func moveItem(atPath srcPath: String, toPath dstPath: String) throws {
    try move(srcPath, dstPath) { try super.moveItem(atPath: srcPath, toPath: dstPath) }
  }

  private func move(_ source: String, _ destination: String, _ foundations: () throws -> Void) throws {
    var (from, to) = (stat(), stat())
    // Foundation says best what is wrong with a source that is not there.
    guard lstat(source, &from) == 0 else {
      guard lstat(destination, &to) == 0 else { return try foundations() }
      throw error(.fileNoSuchFile, source, destination)
    }
    if source == destination { return }
    // A link is made only where nothing is; so nothing can appear there between a look and the move.
    if delegate == nil, from.st_mode & S_IFMT == S_IFREG {
      if link(source, destination) == 0 {
        unlink(source)
        return
      }
      if errno == EEXIST { throw error(.fileWriteFileExists, source, destination) }
    }
    // Folders, other file systems, and those without links.
    guard lstat(destination, &to) != 0 else { throw error(.fileWriteFileExists, source, destination) }
    try foundations()
  }

  private func error(_ code: CocoaError.Code, _ source: String, _ destination: String) -> CocoaError {
    CocoaError(
      code,
      userInfo: [
        NSFilePathErrorKey: source, "NSSourceFilePathErrorKey": source,
        "NSDestinationFilePath": destination,
      ])
  }
}

extension FileManager {
  /// The process's file manager.
  public static var `default`: CollisionSafeFileManager { CollisionSafeFileManager.shared }
}
