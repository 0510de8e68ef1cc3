import Foundation
import Synchronization

/// A `PeerHost`: a peer in a process of its own. It ends with the value.
final class PeerProcess: Sendable {
  /// What it said, line by line.
  let said = Journal<String>()
  let processID: Int32
  private let process: Mutex<Process>
  private let input = Pipe()

  /// - Parameter namespace: The network namespace it lives in; `nil` for this process's own.
  init(_ type: String, _ name: String, meets: Bool = false, in namespace: String? = nil) throws {
    let process = Process()
    let host = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(fileURLWithPath: host).deletingLastPathComponent().appendingPathComponent("PeerHost").path
    let arguments = [type, name] + (meets ? ["meet"] : [])
    if let namespace {
      // `ip` becomes the program, so that the number is the peer's.
      process.executableURL = URL(fileURLWithPath: Namespaces.ip)
      process.arguments = ["netns", "exec", namespace, path] + arguments
    } else {
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
    }
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
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

  func tell(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// Lets it end as programs do.
  func finish() async {
    try? input.fileHandleForWriting.close()
    await said.until { $0.contains("ended") }
  }

  /// Ends it without any goodbye.
  func kill() { _ = Foundation.kill(processID, SIGKILL) }

  /// Port and fingerprint, once it listens.
  func place() async -> (port: UInt16, fingerprint: String) {
    let words = await line("port ").split(separator: " ").map(String.init)
    return (words.count > 1 ? UInt16(words[1]) ?? 0 : 0, words.last ?? "")
  }

  /// The first line with a beginning.
  @discardableResult
  func line(_ start: String) async -> String { await said.first { $0.hasPrefix(start) ? $0 : nil } }

  /// How many of its lines begin so.
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
