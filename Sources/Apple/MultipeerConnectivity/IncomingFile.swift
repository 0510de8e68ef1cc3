import Synchronization

/// A file being received from a peer, or received and not yet moved by the app.
///
/// It lies in the folder for temporary files, is readable by its owner only, and is deleted when its last
/// reference is released. It stays locked (`flock`) while it is open, so a file that a crashed process left
/// behind is unlocked, and the next process deletes it.
package final class IncomingFile: Sendable {
  /// The largest file accepted, in octets.
  package static let maximumSize: UInt64 = 16 << 30
  /// Octets written between two checks of the free space.
  private static let lookEvery: UInt64 = 8 << 20
  package static let prefix = "swift-nearby-received-"
  /// Octets that this process's unfinished files may still need.
  private static let promised = Mutex<UInt64>(0)

  package let url: URL
  private let file: FileHandle
  private let space: @Sendable () -> DiskSpace?
  private let counts: Mutex<Counts>

  private struct Counts {
    /// This file's share of `promised`.
    var owed: UInt64
    var written: UInt64 = 0
    /// Octets written since the free space was last checked.
    var unchecked: UInt64 = 0
  }

  /// Creates an empty file and reserves space for it.
  ///
  /// - Parameters:
  ///   - size: The file's size in octets, if the peer announced it.
  ///   - space: Returns the free space of the folder's file system; replaced in tests.
  /// - Throws: `CocoaError.fileWriteOutOfSpace` for a file larger than `maximumSize` or the free space, or
  ///   the system's error if no file can be created.
  package init(
    size: UInt64?, in folder: URL = FileManager.default.temporaryDirectory,
    space: (@Sendable () -> DiskSpace?)? = nil
  ) throws {
    let space = space ?? { DiskSpace(of: folder.path) }
    let owed = size ?? 0
    counts = Mutex(Counts(owed: owed))
    guard owed <= Self.maximumSize, Self.promise(owed, space) else {
      throw CocoaError(.fileWriteOutOfSpace, userInfo: [NSFilePathErrorKey: folder.path])
    }
    do {
      (url, file) = try Self.make(in: folder)
    } catch {
      Self.release(owed)
      throw error
    }
    self.space = space
  }

  deinit {
    Self.release(counts.withLock { $0.owed })
    unlink(url.path)
    try? file.close()
  }

  /// Appends octets.
  ///
  /// - Throws: `CocoaError.fileWriteOutOfSpace` if the disk would get too full or the file too large.
  package func write(_ octets: [UInt8]) throws {
    let count = UInt64(octets.count)
    try counts.withLock { counts in
      counts.unchecked += count
      if counts.unchecked >= Self.lookEvery || counts.written == 0 {
        counts.unchecked = 0
        guard space()?.hasRoom(for: count) ?? true else { throw CocoaError(.fileWriteOutOfSpace) }
      }
      guard count <= Self.maximumSize - counts.written else { throw CocoaError(.fileWriteOutOfSpace) }
      try file.write(contentsOf: Data(octets))
      counts.written += count
      let paid = min(count, counts.owed)
      counts.owed -= paid
      Self.release(paid)
    }
  }

  // MARK: Space

  private static func promise(_ size: UInt64, _ space: () -> DiskSpace?) -> Bool {
    promised.withLock { promised in
      let (sum, isTooLarge) = promised.addingReportingOverflow(size)
      guard !isTooLarge, space()?.hasRoom(for: sum) ?? true else { return false }
      promised = sum
      return true
    }
  }

  private static func release(_ size: UInt64) { promised.withLock { $0 -= min(size, $0) } }

  // MARK: Files

  private static func make(in folder: URL) throws -> (URL, FileHandle) {
    while true {
      let url = folder.appendingPathComponent(prefix + UUID().uuidString)
      let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Another process's clean-up may have deleted the file before it was locked.
      var info = stat()
      if fstat(descriptor, &info) == 0, info.st_nlink > 0 { return (url, file) }
    }
  }

  /// Deletes this user's files that no process holds any more. Runs once per process.
  static func removeLeftOnce() { _ = leftIsRemoved }
  private static let leftIsRemoved: Void = removeLeft(in: FileManager.default.temporaryDirectory)

  package static func removeLeft(in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 36 {
      let path = folder.appendingPathComponent(name).path
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      var info = stat()
      if fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_uid == getuid(),
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      {
        unlink(path)
      }
      close(descriptor)
    }
  }
}

/// The free space of a file system.
package struct DiskSpace: Equatable, Sendable {
  /// Octets that this user may still write.
  package let available: UInt64
  /// The size of the file system in octets.
  package let total: UInt64

  package init(available: UInt64, total: UInt64) {
    self.available = available
    self.total = total
  }

  /// - Returns: `nil` if the system does not report the space.
  package init?(of path: String) {
    var info = statvfs()
    guard statvfs(path, &info) == 0 else { return nil }
    let unit = UInt64(info.f_frsize)
    available = UInt64(info.f_bavail).multipliedReportingOverflow(by: unit).partialValue
    total = UInt64(info.f_blocks).multipliedReportingOverflow(by: unit).partialValue
  }

  /// Octets that peers' files must leave free: a twentieth of the file system, at most 1 GiB.
  package var reserve: UInt64 { min(total / 20, 1 << 30) }

  /// Whether this many octets may be written.
  package func hasRoom(for count: UInt64) -> Bool {
    available >= reserve && available - reserve >= count
  }
}
