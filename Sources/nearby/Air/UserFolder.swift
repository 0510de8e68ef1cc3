import Foundation
import NearbyCommandLine

/// The folder in which one user's processes find each other, and nobody else's do.
struct UserFolder {
  let path: String

  /// Makes the folder if it is not there.
  ///
  /// - Parameter environment: `XDG_RUNTIME_DIR` says where; `/tmp` without it.
  init(_ environment: [String: String]) throws(CommandError) {
    let user = getuid()
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      path = runtime + "/swift-nearby"
    } else {
      path = "/tmp/swift-nearby-\(user)"
    }
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

/// A lock on a file that ends with its process, however that ends.
final class FileLock: Sendable {
  let descriptor: Int32

  /// Opens a file to lock; it is made if it is not there.
  init(_ path: String) throws(CommandError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .unavailable("\(path): can't be opened: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Waits until nobody has it alone.
  func takeShared() { take(LOCK_SH) }

  /// Waits until nobody else has it.
  func takeAlone() { take(LOCK_EX) }

  /// - Returns: Whether nobody else has it.
  func tryAlone() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  func release() { flock(descriptor, LOCK_UN) }

  private func take(_ operation: Int32) {
    while flock(descriptor, operation) != 0, errno == EINTR {}
  }

  /// What the file says.
  var text: String {
    var octets = [UInt8](repeating: 0, count: 65_536)
    let count = pread(descriptor, &octets, octets.count, 0)
    return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
  }

  /// Replaces what the file says.
  ///
  /// - Returns: Whether all of it was written.
  @discardableResult
  func write(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, octets, octets.count, 0) == octets.count
  }
}
