import Foundation

/// Reads and writes files that are complete at any time, and on disk when a call returns. `withLock` lets
/// several programs change the same file.
package enum DurableFile {
  /// Default size limit of `read`, in octets; the files that programs share here have a few kilobytes.
  package static let maximumSize = 16 << 20
  /// How long to wait for another program that is changing the same file.
  private static let patience = Duration.seconds(10)

  /// The contents of a file; `nil` if it does not exist.
  ///
  /// - Throws: `FileFailure` with EISDIR for anything but a regular file, EFBIG for a file larger than
  ///   `limit`, and the system's error if the file cannot be read.
  package static func read(_ path: String, limit: Int = maximumSize) throws(FileFailure) -> Data? {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileFailure(call: "open", path: path, number: errno)
    }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      throw FileFailure(call: "open", path: path, number: EISDIR)
    }
    guard info.st_size <= limit else { throw FileFailure(call: "open", path: path, number: EFBIG) }
    var octets = [UInt8](repeating: 0, count: Int(info.st_size))
    var count = 0
    while count < octets.count {
      let got = octets.withUnsafeMutableBytes { raw in
        raw.baseAddress.map { Foundation.read(descriptor, $0 + count, raw.count - count) } ?? 0
      }
      if got < 0, errno != EINTR { throw FileFailure(call: "read", path: path, number: errno) }
      if got == 0 { break }
      count += max(0, got)
    }
    return Data(octets[..<count])
  }

  /// Creates a folder and its missing parents, all with mode 0700 (XDG Base Directory Specification 0.8,
  /// "Referencing this specification"), because programs that share a user's folder refuse one that others
  /// may enter.
  package static func makeFolder(_ path: String) throws(FileFailure) {
    if mkdir(path, 0o700) == 0 { return try syncFolder(above: path) }
    let number = errno
    switch number {
    case EEXIST: return
    case ENOENT:
      let above = (path as NSString).deletingLastPathComponent
      guard !above.isEmpty, above != path else {
        throw FileFailure(call: "mkdir", path: path, number: number)
      }
      try makeFolder(above)
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw FileFailure(call: "mkdir", path: path, number: errno)
      }
    default: throw FileFailure(call: "mkdir", path: path, number: number)
    }
  }

  /// Replaces or creates a file. Readers see either the old or the new contents, even after a crash, and
  /// users excluded by `mode` can never read any part of them.
  ///
  /// - Parameter mode: The file's permissions. `nil` keeps those of the file being replaced; a new file gets
  ///   the process's default.
  package static func replace(
    _ path: String, with octets: some Collection<UInt8>, mode: mode_t?
  ) throws(FileFailure) {
    // Unique per call, because threads of one process may replace the same file at once.
    let draft = "\(draftPrefix(of: path))\(getpid())-\(UInt32.random(in: .min ... .max))"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode ?? 0o666)
    guard descriptor >= 0 else { throw FileFailure(call: "open", path: draft, number: errno) }
    var former = stat()
    if mode == nil, lstat(path, &former) == 0 { fchmod(descriptor, former.st_mode & 0o777) }
    let problem = write(Array(octets), to: descriptor) ?? (fsync(descriptor) == 0 ? nil : errno)
    close(descriptor)
    if let problem {
      unlink(draft)
      throw FileFailure(call: "write", path: draft, number: problem)
    }
    guard rename(draft, path) == 0 else {
      let number = errno
      unlink(draft)
      throw FileFailure(call: "rename", path: path, number: number)
    }
    try syncFolder(above: path)
  }

  /// Removes the drafts of processes that ended while replacing a file.
  package static func removeDrafts(of path: String) {
    let prefix = draftPrefix(of: path)
    let folder = (path as NSString).deletingLastPathComponent
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let draft = (folder as NSString).appendingPathComponent(name)
      guard draft.hasPrefix(prefix), let number = draft.dropFirst(prefix.count).split(separator: "-").first,
        let process = pid_t(number), process > 0
      else { continue }
      if kill(process, 0) != 0, errno == ESRCH { unlink(draft) }
    }
  }

  private static func draftPrefix(of path: String) -> String {
    let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
    return (folder as NSString).appendingPathComponent(".\(name).saving-")
  }

  /// Runs a closure while no other program does so for the same file. The lock is on `PATH.lock`, which is
  /// not removed.
  package static func withLock<Result>(on path: String, _ body: () throws -> Result) throws -> Result {
    let lock = try FileLock(path + ".lock")
    try lock.lockExclusively(within: patience)
    return try withExtendedLifetime(lock) { try body() }
  }

  /// A value as human-readable JSON with sorted keys.
  package static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return try encoder.encode(value)
  }

  /// - Returns: The `errno` of the failure, or `nil` if everything was written.
  private static func write(_ octets: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return ENOSPC }
      if count < 0, errno != EINTR { return errno }
      rest = rest.dropFirst(max(0, count))
    }
    return nil
  }

  /// Makes a new name durable; without it, a system crash may undo the renaming.
  private static func syncFolder(above path: String) throws(FileFailure) {
    let above = (path as NSString).deletingLastPathComponent
    let folder = above.isEmpty ? "." : above
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that is writable but not readable cannot be opened.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Some file systems do not support fsync on folders and return EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileFailure(call: "fsync", path: folder, number: errno)
    }
  }
}
