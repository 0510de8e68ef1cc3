import Foundation

/// Small files that several programs read and write: whole at any time, and on the disk when a call returns.
package enum DurableFile {
  /// Larger files are not read.
  package static let maximumSize = 16 << 20
  /// How long a program waits for another that changes the same file.
  private static let patience = Duration.seconds(10)

  /// What a file holds; `nil` where it is not there. Throws where it cannot be read, is no plain file, or is larger than
  /// `maximumSize`.
  package static func read(_ path: String) throws(FileFailure) -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw FileFailure(call: "open", path: path, number: errno)
    }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size <= maximumSize else {
      throw FileFailure(call: "open", path: path, number: info.st_size > maximumSize ? EFBIG : EISDIR)
    }
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
    if mkdir(path, 0o700) == 0 { return syncFolder(above: path) }
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
  package static func replace(
    _ path: String, with octets: some Collection<UInt8>, mode: mode_t
  ) throws(FileFailure) {
    let draft = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max))"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw FileFailure(call: "open", path: draft, number: errno) }
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
    syncFolder(above: path)
  }

  /// Does something while no other program does so with the same file: by a lock on `PATH.lock`, which the system takes
  /// from a process that ends.
  package static func withLock<Result>(on path: String, _ body: () throws -> Result) throws -> Result {
    let lock = path + ".lock"
    let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileFailure(call: "open", path: lock, number: errno) }
    defer { close(descriptor) }
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      guard number == EWOULDBLOCK || number == EINTR, ContinuousClock.now < end else {
        throw FileFailure(call: "flock", path: lock, number: number)
      }
      usleep(2000)
    }
    return try body()
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
      if count < 0, errno != EINTR { return errno }
      rest = rest.dropFirst(max(0, count))
    }
    return nil
  }

  /// Without this a crash of the machine may take a new name away again. Some file systems cannot do it.
  private static func syncFolder(above path: String) {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// A call of the system about a file that failed.
package struct FileFailure: Error, Equatable, Sendable {
  package let call: String
  package let path: String
  /// As `errno`.
  package let number: Int32

  package init(call: String, path: String, number: Int32) {
    self.call = call
    self.path = path
    self.number = number
  }

  /// Why something with a file failed, in words.
  package static func reason(_ error: any Error) -> String {
    guard let failure = error as? FileFailure else { return error.localizedDescription }
    return "\(failure.path): \(failure.call): \(String(cString: strerror(failure.number)))"
  }
}
