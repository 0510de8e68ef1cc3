import Foundation

/// The file that a served world is kept in from run to run.
///
/// A save replaces it whole: what is read is one save or the next, whenever the machine stops. A file that could
/// not be read is never replaced, for `read` throws before anything is saved.
package struct WorldStateFile: Sendable {
  /// Why a file can't keep a world.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable { case unreadable, unwritable }
    package let kind: Kind
    package let description: String
  }

  /// Octets of the largest file that is read.
  package static let sizeLimit = 64 << 20
  private static let longestChain = 40
  /// As it was given, for messages.
  package let path: String
  /// Where the file is: at the end of symbolic links.
  private let target: URL

  /// Checks that there is a file that can be kept or room for one; leaves nothing behind.
  package init(path: String) throws(Failure) {
    self.path = path
    target = try Self.target(of: path)
    if case let mode? = Self.mode(of: target.path) {
      guard mode & S_IFMT == S_IFREG else {
        throw Failure(kind: .unreadable, description: "\(path): \(Self.kind(of: mode)); expected a file")
      }
      guard access(target.path, W_OK) == 0 else {
        throw Failure(kind: .unwritable, description: "\(path): can't be written: \(Self.reason(errno))")
      }
    }
    removeLeftovers()
    try write([], to: temporary)
    unlink(temporary.path)
  }

  /// The file's octets; `nil` if the file does not exist yet.
  package func read() throws(Failure) -> Data? {
    let descriptor = open(target.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw unreadable(Self.reason(errno))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw unreadable("no file")
    }
    guard status.st_size <= Self.sizeLimit else {
      throw unreadable("\(status.st_size) octets; at most \(Self.sizeLimit)")
    }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while octets.count <= Self.sizeLimit {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count == 0 { return Data(octets) }
      if count > 0 {
        octets += buffer[..<count]
      } else if errno != EINTR {
        throw unreadable(Self.reason(errno))
      }
    }
    throw unreadable("it grows while it is read")
  }

  /// Puts `data` in the place of what the file holds, and waits until the disk has it. Blocks.
  package func write(_ data: Data) throws(Failure) {
    do throws(Failure) {
      try write([UInt8](data), to: temporary)
      guard rename(temporary.path, target.path) == 0 else { throw unwritable(errno) }
    } catch {
      unlink(temporary.path)
      throw error
    }
    // The new name, too, has to outlive the machine's end.
    let folder = open(target.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw unwritable(errno) }
    defer { close(folder) }
    // Some file systems have no such call for folders.
    guard fsync(folder) == 0 || errno == EINVAL else { throw unwritable(errno) }
  }

  // MARK: The file beside it

  private static let infix = ".saving-"

  /// Written first, then renamed; of this process.
  private var temporary: URL {
    target.deletingLastPathComponent().appendingPathComponent(
      ".\(target.lastPathComponent)\(Self.infix)\(getpid())")
  }

  /// Takes away what processes left that ended while they saved.
  private func removeLeftovers() {
    let folder = target.deletingLastPathComponent()
    let prefix = ".\(target.lastPathComponent)\(Self.infix)"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count)), process > 0 else { continue }
      if process == getpid() || (kill(process, 0) != 0 && errno == ESRCH) {
        unlink(folder.appendingPathComponent(name).path)
      }
    }
  }

  /// Writes a new file whole, with the mode that the kept one has.
  private func write(_ octets: [UInt8], to file: URL) throws(Failure) {
    unlink(file.path)
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw unwritable(errno) }
    defer { close(descriptor) }
    if let mode = Self.mode(of: target.path) { fchmod(descriptor, mode & 0o777) }
    var written = 0
    while written < octets.count {
      let count = octets.withUnsafeBytes { raw in
        raw.baseAddress.map { Foundation.write(descriptor, $0 + written, raw.count - written) } ?? 0
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw unwritable(count == 0 ? ENOSPC : errno)
      }
    }
    guard fsync(descriptor) == 0 else { throw unwritable(errno) }
  }

  // MARK: Words

  private func unreadable(_ reason: String) -> Failure {
    Failure(kind: .unreadable, description: "\(path): can't be read: \(reason)")
  }

  private func unwritable(_ number: Int32) -> Failure {
    let folder = target.deletingLastPathComponent().path
    let place = number == ENOENT || number == ENOTDIR ? "\(path): no folder \(folder)" : path
    return Failure(kind: .unwritable, description: "\(place): can't be written: \(Self.reason(number))")
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func kind(of mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "no file"
    }
  }

  /// Follows symbolic links to the file that they name, which need not be there.
  private static func target(of path: String) throws(Failure) -> URL {
    var url = URL(fileURLWithPath: path)
    for _ in 0..<longestChain {
      guard let mode = mode(of: url.path), mode & S_IFMT == S_IFLNK else { return url }
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      url =
        next.hasPrefix("/")
        ? URL(fileURLWithPath: next) : url.deletingLastPathComponent().appendingPathComponent(next)
    }
    throw Failure(kind: .unreadable, description: "\(path): a symbolic link that leads nowhere")
  }
}
