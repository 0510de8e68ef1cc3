import Dispatch
import Foundation
import NearbyCommandLine
import Synchronization
import TestSupport

/// The built command in a process, which is killed with this value. Waiting blocks: for tests on own threads.
final class ProgramRun: Sendable {
  /// The built command, beside the tests.
  static let command = [CommandLine.arguments[0], Bundle.main.bundlePath + "/x"].map {
    URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("nearby").path
  }.first { FileManager.default.isExecutableFile(atPath: $0) }

  let processID: Int32
  private let process: Mutex<Process>
  private let lines = Mutex<[String]>([])
  private let changes = NSCondition()
  private let input = Pipe()
  private let ended = DispatchSemaphore(value: 0)
  private let closed = DispatchSemaphore(value: 0)

  /// - Parameter wrapper: A program and its words that run the command.
  init(
    _ words: [String], in folder: TemporaryFolder, environment: [String: String] = [:], wrapper: [String] = []
  ) throws {
    guard let command = Self.command else { throw CocoaError(.fileNoSuchFile) }
    let all = wrapper + [command] + words
    let process = Process()
    process.executableURL = URL(fileURLWithPath: all[0])
    process.arguments = Array(all.dropFirst())
    process.environment = folder.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    processID = process.processIdentifier
    self.process = Mutex(process)
    let (handle, closed) = (output.fileHandleForReading, closed)
    Thread.detachNewThread { [weak self] in
      defer { closed.signal() }
      var rest = Data()
      while case let part = handle.availableData, !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          self?.said(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = rest[(end + 1)...]
        }
      }
    }
  }

  deinit { signal(SIGKILL) }

  private func said(_ line: String) {
    lines.withLock { $0.append(line) }
    changes.lock()
    changes.broadcast()
    changes.unlock()
  }

  var all: [String] { lines.withLock { $0 } }
  var text: String { all.joined(separator: "\n") }

  func signal(_ number: Int32) { _ = kill(processID, number) }

  func writeLine(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }
  func closeInput() { try? input.fileHandleForWriting.close() }

  /// Blocks until a line at or after `start` contains all of these words.
  ///
  /// - Returns: The number of the line after it; `nil` after 60 s.
  func line(from start: Int = 0, with words: String...) -> Int? {
    let end = Date(timeIntervalSinceNow: 60)
    changes.lock()
    defer { changes.unlock() }
    while true {
      let all = all
      if start <= all.count,
        let index = all[start...].firstIndex(where: { line in words.allSatisfy { line.contains($0) } })
      {
        return index + 1
      }
      guard changes.wait(until: end) else { return nil }
    }
  }

  /// Blocks until all writers have closed the output; false after 60 s.
  func awaitClosedOutput() -> Bool {
    guard closed.wait(timeout: .now() + 60) == .success else { return false }
    closed.signal()
    return true
  }

  /// Blocks until the process ends.
  ///
  /// - Returns: The exit code, or the signal that ended it; −1 after 60 s.
  func end() -> Int32 {
    guard ended.wait(timeout: .now() + 60) == .success else { return -1 }
    ended.signal()
    // The last output may still be in the pipe; a child process may hold the pipe open for longer.
    if closed.wait(timeout: .now() + 2) == .success { closed.signal() }
    return process.withLock { $0.terminationStatus }
  }
}

extension TemporaryFolder {
  /// The environment of programs whose home, runtime and state folder this is.
  var environment: [String: String] {
    [
      "HOME": url.path, "XDG_RUNTIME_DIR": url.path, "XDG_STATE_HOME": url.path, "XDG_CONFIG_HOME": url.path,
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "NEARBY_PERMISSION": "allowed",
    ].merging(Sanitizers.environment) { own, _ in own }
  }
}
