import Foundation
import Synchronization
import Testing

/// A probe in its own process, whose output a test can wait for. It ends with this value.
final class ProbeProcess: @unchecked Sendable {
  /// The most that any event may take on a busy machine, in seconds.
  private static let patience: TimeInterval = 90

  // `@unchecked Sendable`: only one test uses `process`.
  private let process = Process()
  private let input = Pipe()
  private let said = ProbeLines()
  let name: String

  /// - Parameters:
  ///   - arguments: The probe's arguments, its name first.
  ///   - namespace: The network namespace it runs in; `nil` for this process's own.
  ///   - state: The folder of its state, which contains the keys of archived IDs.
  ///   - relay: The NATS server through which it meets others, and a file with the certificates by which it trusts it.
  init(
    _ arguments: [String], in namespace: String? = nil, state: URL? = nil, relay: String? = nil,
    certificates: String? = nil
  ) throws {
    name = arguments[0]
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let probe = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("PeerProbe")
    if let namespace {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["ip", "netns", "exec", namespace, probe.path] + arguments
    } else {
      process.executableURL = probe
      process.arguments = arguments
    }
    var environment = ProcessInfo.processInfo.environment
    environment["NEARBY_DISCOVERY"] = "embedded"
    environment["NEARBY_PEER_KEYS"] = state?.path ?? "memory"
    environment["NEARBY_PEERS"] = relay
    environment["NEARBY_PEERS_CERTIFICATES"] = certificates
    process.environment = environment
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let handle = output.fileHandleForReading
    Thread.detachNewThread { [said] in said.read(handle) }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func write(_ lines: String...) {
    for line in lines { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }
  }

  /// Waits for a line with this prefix, and consumes it.
  @discardableResult
  func expect(_ start: String, _ location: SourceLocation = #_sourceLocation) -> String {
    if let line = said.popLine(start, until: Date().addingTimeInterval(Self.patience)) { return line }
    Issue.record("\(name) did not say “\(start)”, but \(said.all)", sourceLocation: location)
    return ""
  }

  /// The lines with this prefix that have not been consumed.
  func said(_ start: String) -> [String] { said.all.filter { $0.hasPrefix(start) } }

  var processIdentifier: Int32 { process.processIdentifier }

  /// Kills it without a goodbye.
  func killNow() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The first digits of the identity, with which the line ends.
  static func identity(_ line: String) -> String { line.split(separator: " ").last.map(String.init) ?? "" }
}

/// The lines that a process has printed and that have not been consumed.
///
/// `@unchecked Sendable`: all state is behind the condition.
private final class ProbeLines: @unchecked Sendable {
  private let condition = NSCondition()
  private var lines: [String] = []
  private var hasEnded = false

  /// Reads until the end, on the caller's thread.
  func read(_ handle: FileHandle) {
    var rest = Data()
    while case let part = handle.availableData, !part.isEmpty {
      rest += part
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
        rest = Data(rest[(end + 1)...])
        change { $0.lines.append(line) }
      }
    }
    change { $0.hasEnded = true }
  }

  private func change(_ body: (ProbeLines) -> Void) {
    condition.lock()
    body(self)
    condition.broadcast()
    condition.unlock()
  }

  func popLine(_ start: String, until deadline: Date) -> String? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let index = lines.firstIndex(where: { $0.hasPrefix(start) }) { return lines.remove(at: index) }
      guard !hasEnded, condition.wait(until: deadline) else { return nil }
    }
  }

  var all: [String] {
    condition.lock()
    defer { condition.unlock() }
    return lines
  }
}
