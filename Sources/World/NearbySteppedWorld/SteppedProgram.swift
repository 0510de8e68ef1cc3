import Foundation
import NearbySchedule

/// A program that runs as a device of a stepped world.
final class SteppedProgram {
  /// Octets of a line beyond which it is cut.
  private static let longestLine = 65_536

  /// Reads at a time, so that a program that prints without end does not hold up the world.
  private static let mostReads = 64

  let entry: ProgramEntry
  let page: TimePage
  let process: pid_t
  /// The exit status; 128 and the signal's number if one ended it; `nil` while it runs.
  private(set) var status: Int32?
  /// The exit status before it was noted.
  private var pendingStatus: Int32?
  private let output: Int32
  private var line: [UInt8] = []
  private var isOutputOpen = true
  private var threads: ProgramThreads
  private let onLine: (String) -> Void

  /// Starts the program in a process group of its own.
  ///
  /// - Parameter onLine: Called with each line of its standard output and error, without the line feed.
  init(
    _ entry: ProgramEntry, page: TimePage, environment: [String: String], onLine: @escaping (String) -> Void
  ) throws(SteppedWorldFailure) {
    self.entry = entry
    self.page = page
    self.onLine = onLine
    (process, output) = try ProgramSpawn.shell(entry.command, environment)
    threads = ProgramThreads(of: process)
  }

  deinit {
    end()
    close(output)
  }

  /// See `ProgramThreads.idleMark`; a program that has ended always waits.
  func idleMark() -> UInt64? {
    guard status == nil, pendingStatus == nil else { return 0 }
    guard let seen = threads.idleMark() else { return nil }
    // waitpid succeeds a moment after the last thread has ended.
    return threads.isOver && !awaitEnd() ? nil : seen
  }

  /// Interrupts the program and what it started, as Ctrl-C does.
  func interrupt() { if status == nil { kill(-process, SIGINT) } }

  /// Kills the program and what it started.
  func end() {
    // The group may outlive the program itself.
    kill(-process, SIGKILL)
    guard status == nil, pendingStatus == nil else { return }
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
    status = Self.status(of: result)
  }

  /// Notes whether the program has ended. Returns whether it just did.
  func noteEnd() -> Bool {
    guard status == nil, awaitEnd() else { return false }
    status = pendingStatus
    return true
  }

  /// Returns whether the program has ended, without waiting for it.
  private func awaitEnd() -> Bool {
    var result: Int32 = 0
    if pendingStatus == nil, waitpid(process, &result, WNOHANG) == process {
      pendingStatus = Self.status(of: result)
    }
    return pendingStatus != nil
  }

  private static func status(of result: Int32) -> Int32 {
    let signal = result & 0x7F
    return signal == 0 ? result >> 8 & 0xFF : 128 + signal
  }

  // MARK: Output

  /// Reads what the program has printed. Returns whether there was anything.
  func readOutput() -> Bool {
    var hasRead = false
    for _ in 0..<Self.mostReads {
      guard isOutputOpen, let part = readPart() else { break }
      hasRead = true
      line += part
      while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
        onLine(String(decoding: line[..<end], as: UTF8.self))
        line.removeSubrange(...end)
      }
      if line.count > Self.longestLine { endLine() }
    }
    return hasRead
  }

  /// Passes on a last line without a line feed.
  func endLine() {
    if !line.isEmpty { onLine(String(decoding: line, as: UTF8.self)) }
    line = []
  }

  private func readPart() -> [UInt8]? {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      while true {
        let count = read(output, buffer.baseAddress, buffer.count)
        if count > 0 { return Array(buffer.prefix(count)) }
        if count < 0, errno == EINTR { continue }
        if count == 0 { isOutputOpen = false }
        return nil
      }
    }
  }
}
