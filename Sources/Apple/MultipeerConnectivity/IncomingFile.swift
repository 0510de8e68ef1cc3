import Synchronization

/// A file of a peer's, while it comes and until the app has it: in the folder for temporary files, readable by its
/// owner only, removed when its last holder ends.
///
/// The file is locked (`flock`) as long as the process lives: what a process that crashed has left is not, and is
/// removed by the next one.
package final class IncomingFile: Sendable {
  /// Octets of the largest file that is taken.
  package static let maximumSize: UInt64 = 16 << 30
  /// Octets that are written between two looks at the free space.
  private static let lookEvery: UInt64 = 8 << 20
  package static let prefix = "swift-nearby-received-"
  /// Octets that files of this process which are under way may still need.
  private static let promised = Mutex<UInt64>(0)

  package let url: URL
  private let file: FileHandle
  private let space: @Sendable () -> DiskSpace?
  private let counts: Mutex<Counts>

  private struct Counts {
    /// The part of `promised` that is this file's.
    var owed: UInt64
    var written: UInt64 = 0
    /// Octets since the free space was last checked.
    var unchecked: UInt64 = 0
  }

  /// - Parameters:
  ///   - size: Octets, if the peer said.
  ///   - space: Of the folder's file system; for tests.
  /// - Throws: `CocoaError.fileWriteOutOfSpace` for a file over `maximumSize` or the free space, and what the system
  ///   says where no file can be made.
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
  /// - Throws: `CocoaError.fileWriteOutOfSpace` before the disk is full or the file too large.
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
      // Another process that removes what was left may have come before the lock.
      var info = stat()
      if fstat(descriptor, &info) == 0, info.st_nlink > 0 { return (url, file) }
    }
  }

  /// Removes files of this user's that no process holds any more, once in each process.
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

/// How much a file system has room for.
package struct DiskSpace: Equatable, Sendable {
  /// Octets that this user may still write.
  package let available: UInt64
  /// Octets in all.
  package let total: UInt64

  package init(available: UInt64, total: UInt64) {
    self.available = available
    self.total = total
  }

  /// - Returns: `nil` where the system does not say.
  package init?(of path: String) {
    var info = statvfs()
    guard statvfs(path, &info) == 0 else { return nil }
    let unit = UInt64(info.f_frsize)
    available = UInt64(info.f_bavail).multipliedReportingOverflow(by: unit).partialValue
    total = UInt64(info.f_blocks).multipliedReportingOverflow(by: unit).partialValue
  }

  /// Octets that peers' files leave free: a twentieth of the file system, at most 1 GiB.
  package var reserve: UInt64 { min(total / 20, 1 << 30) }

  /// Whether this many octets may be written.
  package func hasRoom(for count: UInt64) -> Bool {
    available >= reserve && available - reserve >= count
  }
}
