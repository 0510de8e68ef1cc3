import Dispatch
import Foundation
import NearbyCommandLine

/// A run of one of Swift's programs, with a limit on its time and on the output that is kept.
struct SwiftRun {
  /// `swift` or `swiftc`, found in PATH.
  let program: String
  let arguments: [String]
  var folder: String?
  /// Seconds.
  let limit: Int

  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  struct Result {
    var ending: Ending
    /// Standard output and error together, at most `mostOutput` octets.
    var output: String

    var isSuccess: Bool { ending == .exited(0) }
  }

  private static let mostOutput = 4 << 20
  /// How long a program may take to end after a request, seconds.
  private static let patience = 10

  func result() throws(CommandError) -> Result {
    let (process, ended, output) = (Process(), DispatchSemaphore(value: 0), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    process.terminationHandler = { _ in ended.signal() }
    do {
      try process.run()
    } catch {
      throw .unavailable("\(program): \(error.localizedDescription)")
    }
    let reader = OutputReader(output.fileHandleForReading, most: Self.mostOutput)
    var isLate = false
    if ended.wait(timeout: .now() + .seconds(limit)) != .success {
      isLate = true
      Self.signal(SIGTERM, process)
      if ended.wait(timeout: .now() + .seconds(Self.patience)) != .success {
        Self.signal(SIGKILL, process)
        ended.wait()
      }
    }
    let ending: Ending =
      isLate
      ? .timedOut
      : process.terminationReason == .exit
        ? .exited(process.terminationStatus) : .signalled(process.terminationStatus)
    return Result(ending: ending, output: reader.text(within: .seconds(Self.patience)))
  }

  /// Signals the whole process group if the program has one of its own.
  private static func signal(_ number: Int32, _ process: Process) {
    let id = process.processIdentifier
    if getpgid(id) == id { kill(-id, number) } else { kill(id, number) }
  }
}

/// Reads a program's output on a thread of its own and keeps the beginning.
private final class OutputReader: @unchecked Sendable {
  // Unchecked: `octets` is written by the thread before `done` is signalled, and read after that.
  private var octets: [UInt8] = []
  private let done = DispatchSemaphore(value: 0)

  init(_ handle: FileHandle, most: Int) {
    Thread.detachNewThread { [self] in
      while case let part = handle.availableData, !part.isEmpty {
        octets += part.prefix(max(0, most - octets.count))
      }
      done.signal()
    }
  }

  /// The output, or nothing if a child of the program still holds its end open.
  func text(within limit: DispatchTimeInterval) -> String {
    guard done.wait(timeout: .now() + limit) == .success else { return "" }
    return String(decoding: octets, as: UTF8.self)
  }
}
