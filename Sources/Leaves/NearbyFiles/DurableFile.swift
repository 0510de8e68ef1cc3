import Foundation

/// Files that are whole at any time, and on the disk when a call returns. `withLock` lets several programs change one.
package enum DurableFile {
  /// What `read` takes unless its caller says otherwise: the files that programs share here have some kilobytes.
  package static let maximumSize = 16 << 20
  /// How long a program waits for another that changes the same file.
  private static let patience = Duration.seconds(10)

  /// A file's octets; `nil` if it does not exist.
  ///
  /// Throws EISDIR for anything but a plain file, EFBIG for one that is larger than `limit`, and whatever the system
  /// says where it cannot be read.
  package static func read(_ path: String, limit: Int = maximumSize) throws(FileFailure) -> Data? {
    // Without O_NONBLOCK opening a pipe would wait for its writer.
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

  /// Makes a folder and those above it, all with mode 0700 (XDG Base Directory Specification 0.8, "Referencing this
  /// specification"): programs that share a user's folder refuse one that others may enter.
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

  /// Replaces a file, or makes it. Readers see the old octets or the new ones, also after a crash, and only those whom
  /// `mode` allows can ever read any of them.
  ///
  /// - Parameter mode: `nil` keeps the mode of the file that is replaced; a new one gets what the process's mask leaves.
  package static func replace(
    _ path: String, with octets: some Collection<UInt8>, mode: mode_t?
  ) throws(FileFailure) {
    // Of this call alone: threads of one process may replace the same file at once.
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

  /// Removes what processes left beside a file that ended while they replaced it.
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

  /// Does something while no other program does so with the same file: by a lock on `PATH.lock`, which stays.
  package static func withLock<Result>(on path: String, _ body: () throws -> Result) throws -> Result {
    let lock = try FileLock(path + ".lock")
    try lock.takeAlone(within: patience)
    return try withExtendedLifetime(lock) { try body() }
  }

  /// A value as JSON for people, with its keys in order.
  package static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return try encoder.encode(value)
  }

  /// - Returns: The error's number; `nil` where all was written.
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

  /// Without this a crash of the machine may take a new name away again.
  private static func syncFolder(above path: String) throws(FileFailure) {
    let above = (path as NSString).deletingLastPathComponent
    let folder = above.isEmpty ? "." : above
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder that may be written but not read cannot be opened.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // EINVAL: some file systems have no such call for folders.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileFailure(call: "fsync", path: folder, number: errno)
    }
  }
}
