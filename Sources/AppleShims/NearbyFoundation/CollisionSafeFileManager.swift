import Foundation

/// Foundation's file manager with a safe move; `FileManager.default` returns it in files that import one of
/// the facades.
///
/// On Linux, Foundation's own `moveItem` ends the process (in its `_caseFoldMapping`) if the destination
/// exists and either name is not ASCII, so a peer could crash its host by sending "Überblick.pdf" twice. Apps
/// need no change: the compiler prefers this `default` because its type is more specific. A
/// `FileManager()` created by the app is still Foundation's.
public final class CollisionSafeFileManager: FileManager, @unchecked Sendable {
  // Adds no mutable state.
  fileprivate static let shared = CollisionSafeFileManager()

  /// Moves a file or a folder.
  ///
  /// - Throws: `CocoaError.fileWriteFileExists` if the destination exists; otherwise what Foundation throws.
  public override func moveItem(at srcURL: URL, to dstURL: URL) throws {
    try move(srcURL.path, dstURL.path) { try super.moveItem(at: srcURL, to: dstURL) }
  }

  /// Moves a file or a folder.
  ///
  /// - Throws: `CocoaError.fileWriteFileExists` if the destination exists; otherwise what Foundation throws.
  public override func moveItem(atPath srcPath: String, toPath dstPath: String) throws {
    try move(srcPath, dstPath) { try super.moveItem(atPath: srcPath, toPath: dstPath) }
  }

  private func move(_ source: String, _ destination: String, _ foundations: () throws -> Void) throws {
    var (from, to) = (stat(), stat())
    // Foundation reports a missing source best, and only crashes if the destination exists.
    guard lstat(source, &from) == 0 else {
      guard lstat(destination, &to) == 0 else { return try foundations() }
      throw error(.fileNoSuchFile, source, destination)
    }
    if source == destination { return }
    // link(2) fails if the destination exists, so nothing can appear there between a check and the move.
    if delegate == nil, from.st_mode & S_IFMT == S_IFREG {
      if link(source, destination) == 0 {
        unlink(source)
        return
      }
      if errno == EEXIST { throw error(.fileWriteFileExists, source, destination) }
    }
    // Folders, moves between file systems, and file systems without hard links.
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
  /// The process's shared file manager.
  public static var `default`: CollisionSafeFileManager { CollisionSafeFileManager.shared }
}
