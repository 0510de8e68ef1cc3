import Foundation
import NearbyRuntime
import Testing
import UCI

/// A UCI host in Python that shares nothing with this package, against the chips that `nearby chip` serves.
@Suite("A foreign UCI host", .timeLimit(.minutes(2)))
struct ForeignHostTests {
  static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "All its checks pass",
    .enabled(if: python != nil, "python3 is not installed"),
    arguments: [("1", UCIDialect.v1), ("2", .v2), ("pica", .pica)])
  func checksPass(name: String, dialect: UCIDialect) throws {
    var configuration = ChipServer.Configuration()
    configuration.port = 0
    configuration.dialect = dialect
    let server = ChipServer(configuration) { _ in }
    let port = try server.start()
    defer { server.stop() }

    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Foreign/uci_host.py")
    process.arguments = [script.path, String(port), name]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.count > 20 && lines.allSatisfy { $0.hasPrefix("ok") }, "\(text)")
  }
}
