import CNearbyTimePage
import Foundation
import NearbySchedule

/// A program in a stepped world, and what it has printed.
package struct ProgramEntry: Equatable, Sendable {
  /// The device that it is.
  package var device: String
  /// A shell command.
  package var command: String

  package init(device: String, command: String) {
    self.device = device
    self.command = command
  }
}

/// A program that runs as a device of a stepped world.
final class SteppedProgram {
  /// Octets of a line beyond which it is cut.
  private static let longestLine = 65_536

  let entry: ProgramEntry
  let page: TimePage
  let process: pid_t
  /// The exit status; 128 and the signal's number if one ended it; `nil` while it runs.
  private(set) var status: Int32?
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
    (process, output) = try Self.spawn(entry.command, environment)
    threads = ProgramThreads(of: process)
  }

  deinit {
    end()
    close(output)
  }

  /// See `ProgramThreads.look`; an ended program always waits.
  func look() -> UInt64? { status == nil ? threads.look() : 0 }

  /// Interrupts the program and what it started, as Ctrl-C does.
  func interrupt() { if status == nil { kill(-process, SIGINT) } }

  /// Kills the program and what it started.
  func end() {
    // The group may outlive the program itself.
    kill(-process, SIGKILL)
    guard status == nil else { return }
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
    status = Self.status(of: result)
  }

  /// Notes whether the program has ended. Returns whether it just did.
  func noteEnd() -> Bool {
    var result: Int32 = 0
    guard status == nil, waitpid(process, &result, WNOHANG) == process else { return false }
    status = Self.status(of: result)
    return true
  }

  private static func status(of result: Int32) -> Int32 {
    let signal = result & 0x7F
    return signal == 0 ? result >> 8 & 0xFF : 128 + signal
  }

  // MARK: Output

  /// Reads what the program has printed. Returns whether there was anything.
  func readOutput() -> Bool {
    var hasRead = false
    while isOutputOpen, let part = readPart() {
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

  // MARK: Starting

  private static func spawn(
    _ command: String, _ environment: [String: String]
  ) throws(SteppedWorldFailure) -> (process: pid_t, output: Int32) {
    var pipes: [Int32] = [-1, -1]
    guard ntp_pipe(&pipes) == 0 else { throw .system(call: "pipe2", errno: errno) }
    defer { close(pipes[1]) }
    _ = fcntl(pipes[0], F_SETFL, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals as at the beginning of a program, whatever this process ignores.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let words: [UnsafeMutablePointer<CChar>?] = (["sh", "-c", command] as [String]).map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] =
      environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let failure = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, variables)
    guard failure == 0 else {
      close(pipes[0])
      throw .system(call: "/bin/sh -c '\(command)'", errno: failure)
    }
    return (process, pipes[0])
  }
}
