import Foundation
import NearbyCommandLine
import NearbyFiles

/// The folder in which one user's processes find each other, and nobody else's do.
struct UserFolder {
  let path: String

  /// Makes the folder if it is not there.
  ///
  /// - Parameter environment: `XDG_RUNTIME_DIR` says where; `/tmp` without it.
  init(_ environment: [String: String]) throws(CommandError) {
    let user = getuid()
    path = XDGFolder.runtimePath(environment).map { $0 + "/swift-nearby" } ?? "/tmp/swift-nearby-\(user)"
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw .unavailable("\(path): can't be made: \(String(cString: strerror(errno)))")
    }
    var info = stat()
    // Not through a link, which another user may have put there.
    guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == user,
      info.st_mode & 0o077 == 0
    else { throw .unavailable("\(path): expected a folder of this user that nobody else may enter") }
  }

  func file(_ name: String) -> String { path + "/" + name }
}
