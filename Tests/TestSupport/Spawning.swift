import Foundation
import Synchronization

/// Starts programs so that none inherits another's pipes: a pipe ends only when every copy of its other end
/// is closed.
package enum Spawning {
  private static let turn = Mutex(())

  package static func pipe() -> Pipe {
    turn.withLock { _ in
      let pipe = Pipe()
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      return pipe
    }
  }

  package static func run(_ process: Process) throws { try turn.withLock { _ in try process.run() } }

  /// Runs a command of the shell until it ends.
  ///
  /// - Returns: Its exit status, and what it wrote to both outputs.
  @discardableResult
  package static func shell(_ command: String) -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    guard (try? run(process)) != nil else { return (-1, "no shell") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
