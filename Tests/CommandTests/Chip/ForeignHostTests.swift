import Foundation
import NearbyChipTools
import NearbyCommandLine
import NearbyUCI
import TestSupport
import Testing

/// Python programs that share no code with this package: a UCI host for the chips of `nearby chip`, and a
/// terminal.
@Suite("Foreign programs", .ownThreads)
struct ForeignHostTests {
  @Test(
    "All checks of a foreign UCI host pass",
    .needs(.python3),
    arguments: [("1", UCIDialect.v1), ("2", .v2), ("pica", .pica)])
  func checksPass(name: String, dialect: UCIDialect) throws {
    var configuration = ChipServer.Configuration()
    configuration.port = 0
    configuration.dialect = dialect
    let server = ChipServer(configuration) { _ in }
    let port = try server.start()
    defer { server.stop() }

    let (status, text) = try Self.run("uci_host.py", [String(port), name])
    #expect(status == 0, "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.count > 20, "\(text)")
    #expect(lines.allSatisfy { $0.hasPrefix("ok") }, "\(text)")
  }

  @Test(
    "The live picture restores the terminal when it is stopped and when it ends",
    .needs(.python3), .enabled(if: command != nil, "the command is not built"))
  func suspension() throws {
    let (status, text) = try Self.run("terminal.py", [try #require(Self.command)])
    #expect(status == 0, "\(text)")
    #expect(text == "ok\n", "\(text)")
  }

  /// The built command, beside the tests.
  static let command = [CommandLine.arguments[0], Bundle.main.bundlePath + "/x"].map {
    URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("nearby").path
  }.first { FileManager.default.isExecutableFile(atPath: $0) }

  static func run(_ script: String, _ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(InstalledTool.python3.path))
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Foreign/\(script)")
    process.arguments = [file.path] + words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
