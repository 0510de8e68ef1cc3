import Foundation

/// An advisory lock on a file. The system releases it when the process ends, however it ends.
package final class FileLock: Sendable {
  package let path: String
  private let descriptor: Int32
  private let isRemovedAtEnd: Bool

  /// Opens the file to lock, creating it if necessary. The file remains after the lock is released.
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
    // Remove the file only if this lock holds it; otherwise it belongs to another lock.
    if isRemovedAtEnd, tryAlone(), isInPlace { unlink(path) }
    close(descriptor)
  }

  /// Acquires a lock for the lifetime of the result and writes this process's number to the file, which is
  /// removed at the end.
  ///
  /// - Returns: `nil` if the lock is already held, by another process or elsewhere in this one.
  package static func hold(_ path: String) throws(FileFailure) -> FileLock? {
    while true {
      let lock = try FileLock(path, isRemovedAtEnd: true)
      if let number = lock.attempt() {
        if number == EWOULDBLOCK { return nil }
        if number == EINTR { continue }
        throw FileFailure(call: "flock", path: path, number: number)
      }
      // If a holder unlinked the file between open and flock, the lock is on a nameless file: try again.
      guard lock.isInPlace else { continue }
      // The number is informational; the lock does not depend on it.
      lock.write("\(getpid())\n")
      return lock
    }
  }

  /// The process that holds the lock at `path`, according to the file's contents.
  package static func holder(of path: String) -> pid_t? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Waits for a shared lock.
  package func lockShared() { lock(LOCK_SH) }

  /// Waits for an exclusive lock.
  package func lockExclusively() { lock(LOCK_EX) }

  /// Waits for an exclusive lock; throws EWOULDBLOCK after `patience`.
  package func lockExclusively(within patience: Duration) throws(FileFailure) {
    let end = ContinuousClock.now + patience
    while let number = attempt() {
      guard number == EWOULDBLOCK || number == EINTR, ContinuousClock.now < end else {
        throw FileFailure(call: "flock", path: path, number: number)
      }
      // About as long as a holder needs to write one small file.
      usleep(2000)
    }
  }

  /// - Returns: Whether the exclusive lock was acquired.
  package func tryAlone() -> Bool { attempt() == nil }

  package func release() { flock(descriptor, LOCK_UN) }

  private func lock(_ operation: Int32) {
    while flock(descriptor, operation) != 0, errno == EINTR {}
  }

  /// - Returns: The `errno` of the failure, or `nil` if the lock was acquired.
  private func attempt() -> Int32? { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? nil : errno }

  private var isInPlace: Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  // MARK: File contents

  /// The file's contents, at most 64 KiB.
  package var text: String {
    var octets = [UInt8](repeating: 0, count: 65_536)
    let count = pread(descriptor, &octets, octets.count, 0)
    return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
  }

  /// Replaces the file's contents.
  ///
  /// - Returns: Whether everything was written.
  @discardableResult
  package func write(_ text: String) -> Bool {
    let octets = Array(text.utf8)
    return ftruncate(descriptor, 0) == 0 && pwrite(descriptor, octets, octets.count, 0) == octets.count
  }
}
