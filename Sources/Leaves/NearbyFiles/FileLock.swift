import Foundation

/// A lock on a file. The system releases it when its process ends, however it ends.
package final class FileLock: Sendable {
  package let path: String
  private let descriptor: Int32
  private let isRemovedAtEnd: Bool

  /// Opens a file to lock, and makes it if necessary. It stays when the lock is gone.
  package convenience init(_ path: String) throws(FileFailure) {
    try self.init(path, isRemovedAtEnd: false)
  }

  private init(_ path: String, isRemovedAtEnd: Bool) throws(FileFailure) {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw FileFailure(call: "open", path: path, number: errno) }
    self.path = path
    self.isRemovedAtEnd = isRemovedAtEnd
    descriptor = opened
  }

  deinit {
    // Unless it is held the file belongs to another lock.
    if isRemovedAtEnd, tryAlone(), isInPlace { unlink(path) }
    close(descriptor)
  }

  /// Takes a lock for as long as the result lives, and writes this process's number into its file, which goes with it.
  ///
  /// - Returns: `nil` if another process, or another part of this one, has the lock.
  package static func hold(_ path: String) throws(FileFailure) -> FileLock? {
    while true {
      let lock = try FileLock(path, isRemovedAtEnd: true)
      if let number = lock.attempt() {
        if number == EWOULDBLOCK { return nil }
        if number == EINTR { continue }
        throw FileFailure(call: "flock", path: path, number: number)
      }
      // A holder that ended between the two calls took this file's name away: whoever comes next has another file.
      guard lock.isInPlace else { continue }
      // For people only: the lock is held with or without it.
      lock.write("\(getpid())\n")
      return lock
    }
  }

  /// The process that holds the lock at `path`, as its file says.
  package static func holder(of path: String) -> pid_t? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Waits until nobody has it alone.
  package func takeShared() { take(LOCK_SH) }

  /// Waits until nobody else has it.
  package func takeAlone() { take(LOCK_EX) }

  /// Waits until nobody else has it; throws EWOULDBLOCK when that takes longer than `patience`.
  package func takeAlone(within patience: Duration) throws(FileFailure) {
    let end = ContinuousClock.now + patience
    while let number = attempt() {
      guard number == EWOULDBLOCK || number == EINTR, ContinuousClock.now < end else {
        throw FileFailure(call: "flock", path: path, number: number)
      }
      // Two milliseconds: about what a holder needs to write one small file.
      usleep(2000)
    }
  }

  /// - Returns: Whether nobody else has it.
  package func tryAlone() -> Bool { attempt() == nil }

  package func release() { flock(descriptor, LOCK_UN) }

  private func take(_ operation: Int32) {
    while flock(descriptor, operation) != 0, errno == EINTR {}
  }

  /// - Returns: The error's number; `nil` if the lock is ours.
  private func attempt() -> Int32? { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? nil : errno }

  private var isInPlace: Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  // MARK: What the file says

  /// At most 64 KiB of it.
  package var text: String {
    var octets = [UInt8](repeating: 0, count: 65_536)
    let count = pread(descriptor, &octets, octets.count, 0)
    return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
  }

  /// Replaces what the file says.
  ///
  /// - Returns: Whether all of it was written.
  @discardableResult
  package func write(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, octets, octets.count, 0) == octets.count
  }
}
