import Foundation
import NearbyCommandLine
import NearbyConcurrency
import Synchronization

/// The programs that `nearby world --run DEVICE=COMMAND` starts: each is a device of the world, and ends with it.
final class WorldPrograms: Sendable {
  /// A device, and what the shell runs to be it.
  struct Entry: Equatable, Sendable {
    var device: String
    var command: String
  }

  /// Who started a program: by its process id it may find out that it is not wanted any more.
  static let ownerKey = "NEARBY_WORLD_PROCESS"
  /// Seconds that programs have to end by themselves.
  private static let patience = 3.0
  /// Octets without a line break after which a program's output is printed as it is.
  private static let longestLine = 65_536

  private struct Running {
    let process: Process
    let ended: DispatchSemaphore
  }

  /// Foundation's process may be asked from any thread for its id and whether it runs.
  private let running = Mutex(UncheckedSendable<[Running]>([]))

  /// Starts all of them.
  ///
  /// - Parameters:
  ///   - environment: Of the world's process; where the world is, is added.
  ///   - say: Called with each line of theirs, from threads of its own.
  func start(
    _ entries: [Entry], world: String, token: String, _ environment: [String: String],
    say: @escaping @Sendable (String) -> Void
  ) throws(CommandError) {
    for entry in entries {
      var environment = environment
      for key in ["NEARBY_RADIO", "NEARBY_CAMERA"] { environment[key] = nil }
      environment["NEARBY_WORLD"] = world
      environment["NEARBY_DEVICE"] = entry.device
      environment["NEARBY_TOKEN"] = token
      environment[Self.ownerKey] = "\(getpid())"
      // 'nearby' is this program there, wherever it is installed.
      let folder = URL(fileURLWithPath: OwnProgram.path).deletingLastPathComponent().path
      environment["PATH"] = [folder, environment["PATH"] ?? "/usr/bin:/bin"].joined(separator: ":")
      try start(entry, environment, say)
    }
  }

  private func start(
    _ entry: Entry, _ environment: [String: String], _ say: @escaping @Sendable (String) -> Void
  ) throws(CommandError) {
    let (process, ended, output) = (Process(), DispatchSemaphore(value: 0), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", entry.command]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    process.terminationHandler = { process in
      say("\(entry.device): ended with \(process.terminationStatus)")
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

  /// Ends all of them; returns when none is left.
  func end() {
    let all = running.withLock { running in
      defer { running.value = [] }
      return running
    }.value
    for it in all where it.process.isRunning { Self.signal(SIGINT, it.process) }
    let limit = DispatchTime.now() + Self.patience
    for it in all where it.ended.wait(timeout: limit) != .success { Self.signal(SIGKILL, it.process) }
  }

  /// A command of the shell's is a group of its own where the system makes it one.
  private static func signal(_ number: Int32, _ process: Process) {
    let id = process.processIdentifier
    if getpgid(id) == id { kill(-id, number) } else { kill(id, number) }
  }
}
