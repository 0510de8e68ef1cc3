import Foundation
import Synchronization
import TestSupport

/// A peer in its own process, `PeerHost`, which ends with this value.
final class PeerProcess: Sendable {
  /// Its output, line by line.
  let said = Journal<String>()
  let processID: Int32
  private let process: Mutex<Process>
  private let input = Spawning.pipe()

  /// - Parameters:
  ///   - type: The service type.
  ///   - name: The peer's name.
  ///   - meets: Whether it connects to each peer whose name is lower.
  ///   - isLate: Whether it prints whether keys can still be created while it exits.
  ///   - namespace: The network namespace it runs in; `nil` for this process's own.
  convenience init(
    _ type: String, _ name: String, meets: Bool = false, isLate: Bool = false, in namespace: String? = nil
  ) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let host = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("PeerHost")
    try self.init(
      program: host.path, [type, name] + (meets ? ["meet"] : []) + (isLate ? ["late"] : []), in: namespace)
  }

  /// Another program that prints its events as lines and ends when its input ends.
  init(program path: String, _ arguments: [String], in namespace: String? = nil) throws {
    let process = Process()
    if let namespace {
      // `ip` replaces itself with the program, so the process id is the peer's.
      process.executableURL = URL(fileURLWithPath: Namespaces.ip)
      process.arguments = ["netns", "exec", namespace, path] + arguments
    } else {
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
    }
    let output = Spawning.pipe()
    process.standardInput = input
    process.standardOutput = output
    try Spawning.run(process)
    processID = process.processIdentifier
    self.process = Mutex(process)
    let handle = output.fileHandleForReading
    let said = said
    Thread.detachNewThread {
      var rest = Data()
      while case let part = handle.availableData, !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          said.add(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
          rest = rest[(end + 1)...]
        }
      }
      said.add("ended")
    }
  }

  deinit { kill() }

  func writeLine(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// Lets it end normally.
  func finish() async throws {
    try? input.fileHandleForWriting.close()
    try await said.until { $0.contains("ended") }
  }

  /// Kills it without a goodbye.
  func kill() { _ = Foundation.kill(processID, SIGKILL) }

  /// Port and fingerprint, once it listens.
  func place() async throws -> (port: UInt16, fingerprint: String) {
    let words = try await line("port ").split(separator: " ").map(String.init)
    return (words.count > 1 ? UInt16(words[1]) ?? 0 : 0, words.last ?? "")
  }

  /// The first line with this prefix.
  @discardableResult
  func line(_ start: String) async throws -> String {
    try await said.first { $0.hasPrefix(start) ? $0 : nil }
  }

  /// How many of its lines have this prefix.
  func count(_ start: String) -> Int { said.entries.count { $0.hasPrefix(start) } }

  var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").count) ?? 0
  }

  var residentKibibytes: Int {
    let status = (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
  }
}
