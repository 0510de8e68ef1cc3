import Foundation
import NearbyFiles
import Synchronization

/// A file of results that grows while a campaign runs, written by any thread.
///
/// Whole lines are written, at least once a second. A process that was killed leaves at most one cut line, which
/// `open(_:.resume)` removes.
package final class ResultFile: Sendable {
  /// What to do with a file that exists.
  package enum Existing: Equatable, Sendable {
    case refuse
    case replace
    /// Keep its results and add the others.
    case resume
  }

  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case system(FileFailure)
    /// The file exists and holds something.
    case exists(path: String)
    /// A line that is not a result, from 1.
    case noResult(path: String, line: Int)

    package var description: String {
      switch self {
      case .system(let failure): "\(failure.path): can't \(failure.call): \(failure.reason)"
      case .exists(let path): "\(path): exists"
      case .noResult(let path, let line):
        "\(path):\(line): not a result of 'nearby campaign run'; the file was left alone"
      }
    }
  }

  private struct State {
    var pending: [UInt8] = []
    var lastWrite = ContinuousClock.now
    var failure: FileFailure?
  }

  private static let blockSize = 1 << 16
  private static let interval = Duration.seconds(1)

  package let path: String
  /// The digests of the results that the file already had.
  package let done: Set<String>
  private let descriptor: Int32
  private let state = Mutex(State())

  /// Opens or creates a file.
  package init(_ path: String, existing: Existing) throws(Failure) {
    self.path = path
    let replacing = existing == .replace ? O_TRUNC : 0
    let opened = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | replacing, 0o666)
    guard opened >= 0 else { throw .system(FileFailure(call: "open", path: path, number: errno)) }
    do throws(Failure) {
      done = try Self.results(in: opened, path, existing)
    } catch {
      close(opened)
      throw error
    }
    descriptor = opened
  }

  deinit { close(descriptor) }

  // MARK: Reading

  /// Checks what the file holds and removes a cut line at its end.
  private static func results(
    in descriptor: Int32, _ path: String, _ existing: Existing
  ) throws(Failure) -> Set<String> {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      throw .system(FileFailure(call: "open", path: path, number: errno))
    }
    // A device such as /dev/null, or a pipe, has no contents.
    guard info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 else { return [] }
    guard existing == .resume else { throw .exists(path: path) }
    var done: Set<String> = []
    var whole = 0
    var number = 0
    let reader = LineReader(descriptor, path)
    do throws(FileFailure) {
      while let line = try reader.next() {
        guard line.isWhole else { break }
        number += 1
        whole += line.octets.count + 1
        if line.octets.isEmpty { continue }
        guard let digest = digest(of: line.octets) else { throw FileFailure(call: "", path: path, number: 0) }
        done.insert(digest)
      }
    } catch {
      if error.number == 0 { throw .noResult(path: path, line: number) }
      throw .system(error)
    }
    if whole < info.st_size, ftruncate(descriptor, off_t(whole)) != 0 {
      throw .system(FileFailure(call: "truncate", path: path, number: errno))
    }
    return done
  }

  /// The digest with which a result begins; `nil` if the line is not a result.
  static func digest(of line: [UInt8]) -> String? {
    let prefix = Array(JobResult.prefix.utf8)
    let end = prefix.count + JobResult.digestLength
    guard line.count > end, line.starts(with: prefix), line.last == UInt8(ascii: "}") else { return nil }
    let digest = line[prefix.count..<end]
    guard JobResult.isDigest(digest), line[end] == UInt8(ascii: "\"") else { return nil }
    return String(decoding: digest, as: UTF8.self)
  }

  // MARK: Writing

  /// Adds a result.
  package func append(_ result: JobResult) throws(Failure) { try append(line: result.line) }

  /// Adds a line, given without its line feed.
  package func append(line: String) throws(Failure) {
    let failure = state.withLock { state in
      state.pending.append(contentsOf: line.utf8)
      state.pending.append(UInt8(ascii: "\n"))
      let isDue =
        state.pending.count >= Self.blockSize || ContinuousClock.now - state.lastWrite >= Self.interval
      if isDue { write(&state) }
      return state.failure
    }
    if let failure { throw .system(failure) }
  }

  /// Writes what is left; it then outlives this process, but not a loss of power.
  package func write() throws(Failure) {
    let failure = state.withLock { state in
      write(&state)
      return state.failure
    }
    if let failure { throw .system(failure) }
  }

  /// Writes what is left, and waits until the disk has it.
  package func finish() throws(Failure) {
    try write()
    // Devices and pipes have no fsync.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw .system(FileFailure(call: "write", path: path, number: errno))
    }
  }

  private func write(_ state: inout State) {
    var rest = state.pending[...]
    state.pending = []
    state.lastWrite = .now
    guard state.failure == nil else { return }
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        state.failure = FileFailure(call: "write", path: path, number: count == 0 ? ENOSPC : errno)
        return
      }
      rest = rest.dropFirst(count)
    }
  }
}
