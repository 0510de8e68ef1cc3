import Foundation
import NearbyCommandLine
import NearbyFiles

/// The private folder through which the processes of one user find each other.
struct UserFolder {
  let path: String

  /// Creates the folder if it does not exist.
  ///
  /// - Parameter environment: The folder is in `XDG_RUNTIME_DIR`, or in `/tmp` if that is not set.
  init(_ environment: [String: String]) throws(CommandError) {
    let user = getuid()
    path = XDGFolder.runtimePath(environment).map { $0 + "/swift-nearby" } ?? "/tmp/swift-nearby-\(user)"
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw .unavailable("\(path): can't be created: \(String(cString: strerror(errno)))")
    }
    var info = stat()
    // Does not follow links, which another user may have created.
    guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == user,
      info.st_mode & 0o077 == 0
    else {
      throw .unavailable("\(path): expected a folder that only you can enter; remove it or run chmod 700")
    }
  }

  func file(_ name: String) -> String { path + "/" + name }
}
