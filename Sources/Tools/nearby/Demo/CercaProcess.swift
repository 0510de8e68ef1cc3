import Foundation
import NearbyCommandLine

/// A Cerca process.
struct CercaProcess {
  /// Something received from it.
  enum Word: Sendable {
    case report(CercaReport)
    /// A line of its standard error.
    case trouble(String)
    case ended(String)
  }

  /// Seconds that the processes have to end before they are killed.
  private static let patience = 3.0
  private let process: Process
  private let ended: DispatchSemaphore

  /// - Parameter post: Called on other threads.
  init(
    _ name: String, _ words: [String], _ environment: [String: String],
    post: @escaping @Sendable (Word) -> Void
  ) throws(CommandError) {
    let (process, ended) = (Process(), DispatchSemaphore(value: 0))
    (self.process, self.ended) = (process, ended)
    process.executableURL = URL(fileURLWithPath: OwnProgram.path)
    process.arguments = words
    process.environment = environment
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { _ in
      ended.signal()
      post(.ended(name))
    }
    do {
      try process.run()
    } catch {
      throw .unavailable("\(OwnProgram.path): can't be started: \(FileTrouble.reason(error))")
    }
    Self.read(output.fileHandleForReading) { line in
      if let report = CercaReport(json: line) { post(.report(report)) }
    }
    Self.read(errors.fileHandleForReading) { post(.trouble("\(name): \($0)")) }
  }

  private static func read(_ handle: FileHandle, _ onLine: @escaping @Sendable (String) -> Void) {
    Thread.detachNewThread {
      var rest: [UInt8] = []
      while case let part = handle.availableData, !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          onLine(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
    }
  }

  /// Ends all of them; returns once all have ended.
  static func end(_ processes: [CercaProcess]) {
    for it in processes where it.process.isRunning { kill(it.process.processIdentifier, SIGINT) }
    let limit = DispatchTime.now() + patience
    for it in processes where it.ended.wait(timeout: limit) != .success {
      kill(it.process.processIdentifier, SIGKILL)
    }
  }
}
