import Foundation
import NearbyCommandLine
import NearbyConcurrency
import NearbySteppedWorld
import Synchronization

/// The programs started by `nearby world --run DEVICE=COMMAND`. Each is a device of the world and ends with it.
final class WorldPrograms: Sendable {
  /// Seconds that programs have to end before they are killed.
  private static let patience = 3.0
  /// Number of octets without a line break after which output is printed anyway.
  private static let longestLine = 65_536

  private struct Running {
    let process: Process
    let ended: DispatchSemaphore
  }

  /// `Process` may be used from any thread for its id and whether it is running.
  private let running = Mutex(UncheckedSendable<[Running]>([]))

  /// Starts all of them.
  ///
  /// - Parameters:
  ///   - environment: The environment of the world's process, to which the world's address is added.
  ///   - say: Called with each line of output, from other threads.
  func start(
    _ entries: [ProgramEntry], world: String, token: String, _ environment: [String: String],
    say: @escaping @Sendable (String) -> Void
  ) throws(CommandError) {
    for entry in entries {
      let folder = URL(fileURLWithPath: OwnProgram.path).deletingLastPathComponent().path
      let environment = entry.environment(
        world: world, token: token, programFolder: folder, from: environment)
      try start(entry, environment, say)
    }
  }

  private func start(
    _ entry: ProgramEntry, _ environment: [String: String], _ say: @escaping @Sendable (String) -> Void
  ) throws(CommandError) {
    let (process, ended, output) = (Process(), DispatchSemaphore(value: 0), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", entry.command]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    process.terminationHandler = { process in
      say("\(entry.device): exited with status \(process.terminationStatus)")
      ended.signal()
    }
    do {
      try process.run()
    } catch {
      end()
      throw .unavailable(
        "\(WorldCommand.Options.run) \(entry.device)=\(entry.command): \(FileTrouble.reason(error))")
    }
    let started = UncheckedSendable(Running(process: process, ended: ended))
    running.withLock { $0.value.append(started.value) }
    let handle = output.fileHandleForReading
    Thread.detachNewThread {
      var rest: [UInt8] = []
      while case let part = handle.availableData, !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          say("\(entry.device): \(String(decoding: rest[..<end], as: UTF8.self))")
          rest.removeSubrange(...end)
        }
        if rest.count > Self.longestLine {
          say("\(entry.device): \(String(decoding: rest, as: UTF8.self))")
          rest = []
        }
      }
    }
  }

  /// Ends all of them; returns once all have ended.
  func end() {
    let all = running.withLock { running in
      defer { running.value = [] }
      return running
    }.value
    for it in all where it.process.isRunning { Self.signal(SIGINT, it.process) }
    let limit = DispatchTime.now() + Self.patience
    for it in all where it.ended.wait(timeout: limit) != .success { Self.signal(SIGKILL, it.process) }
  }

  /// Signals the whole process group if the shell command has one of its own.
  private static func signal(_ number: Int32, _ process: Process) {
    let id = process.processIdentifier
    if getpgid(id) == id { kill(-id, number) } else { kill(id, number) }
  }
}
