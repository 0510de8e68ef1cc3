import Foundation
import NearbyFiles

/// The file in which a served world is saved from run to run.
///
/// Every save replaces the whole file, so a reader finds one complete save or another, whenever the machine
/// stops. A file that could not be read is never replaced, because `read` throws before anything is saved.
/// Only one world at a time can use a file: a lock next to it, `.NAME.lock`, lives as long as this value and
/// its copies.
package struct WorldStateFile: Sendable {
  /// Why a file cannot store a world.
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
      case unreadable, unwritable
      /// Another world uses the file.
      case inUse
    }
    package let kind: Kind
    package let description: String
  }

  /// Size of the largest file that is read, octets; a world of a thousand devices needs about a hundredth.
  package static let sizeLimit = 64 << 20
  /// Maximum number of symbolic links followed, as on Linux (path_resolution(7)).
  private static let longestChain = 40
  /// The path as given, for messages.
  package let path: String
  /// The file itself, with symbolic links resolved.
  private let target: URL
  private let lock: FileLock

  /// Checks that the file, or its folder, is usable and that no other world has it. Leaves nothing behind but
  /// the lock, which is released with the last copy.
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
    lock = try Self.lock(target, path)
    DurableFile.removeDrafts(of: target.path)
  }

  /// The file's contents, or `nil` if it does not exist yet.
  package func read() throws(Failure) -> Data? {
    do throws(FileFailure) {
      return try DurableFile.read(target.path, limit: Self.sizeLimit)
    } catch {
      let reason = error.number == EFBIG ? "expected at most \(Self.sizeLimit) octets" : error.reason
      throw Failure(kind: .unreadable, description: "\(path): can't be read: \(reason)")
    }
  }

  /// Replaces the file's contents and waits until they are on disk. Blocks.
  package func write(_ data: Data) throws(Failure) {
    do throws(FileFailure) {
      try DurableFile.replace(target.path, with: data, mode: nil)
    } catch {
      throw Self.unwritable(path, target, error)
    }
  }

  /// Locks the file for this world. Fails if another world holds it or its folder is not writable.
  private static func lock(_ target: URL, _ path: String) throws(Failure) -> FileLock {
    let file = target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).lock")
      .path
    let lock: FileLock?
    do throws(FileFailure) {
      lock = try FileLock.hold(file)
    } catch {
      throw unwritable(path, target, error)
    }
    if let lock { return lock }
    let holder = FileLock.holder(of: file).map { " (process \($0))" } ?? ""
    throw Failure(
      kind: .inUse,
      description:
        "\(path): another running world\(holder) keeps its state there; expected a file of this world's own")
  }

  // MARK: Words

  private static func unwritable(_ path: String, _ target: URL, _ failure: FileFailure) -> Failure {
    let folder = target.deletingLastPathComponent().path
    let isMissing = failure.number == ENOENT || failure.number == ENOTDIR
    let place = isMissing ? "\(path): no folder \(folder)" : path
    return Failure(kind: .unwritable, description: "\(place): can't be written: \(failure.reason)")
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

  /// Resolves symbolic links. The final file need not exist.
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
