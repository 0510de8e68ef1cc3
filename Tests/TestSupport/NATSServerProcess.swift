import Foundation
import Testing

/// A NATS server in a process of its own, on a free port of this machine. It ends with this value.
public final class NATSServerProcess {
  private let folder: TemporaryFolder
  private let arguments: [String]
  /// Where clients connect, on the loopback.
  public let port: UInt16
  private var process: Process?

  /// Starts a server and waits until it answers.
  ///
  /// - Parameters:
  ///   - jetStream: Whether it keeps streams, in a folder that outlasts a restart.
  ///   - configuration: Lines of its configuration file.
  public init(jetStream: Bool = false, configuration: String = "") throws {
    folder = try TemporaryFolder()
    port = try FreePort.number()
    let file = folder.url.appendingPathComponent("server.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    let store = folder.url.appendingPathComponent("js").path
    arguments =
      [
        "--config", file.path, "--addr", "127.0.0.1", "--port", "\(port)", "--log",
        folder.url.appendingPathComponent("log").path,
      ] + (jetStream ? ["--jetstream", "--store_dir", store] : [])
    try start()
  }

  /// Servers that keep their streams together; starts them all before any of them can answer.
  public static func cluster(of count: Int) throws -> [NATSServerProcess] {
    let ports = try (0..<count).map { _ in try FreePort.number() }
    let routes = ports.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", ")
    return try ports.enumerated().map { index, port in
      try NATSServerProcess(
        jetStream: true,
        configuration: """
          server_name: n\(index)
          cluster { name: test, listen: "127.0.0.1:\(port)", routes: [\(routes)] }
          """)
    }
  }

  deinit { process?.interrupt() }

  /// The address for clients.
  public var url: String { "nats://127.0.0.1:\(port)" }

  /// The server's log, for messages of tests.
  public var log: String {
    (try? String(contentsOf: folder.url.appendingPathComponent("log"), encoding: .utf8)) ?? ""
  }

  /// Starts the server, again after `kill`, and waits until it is ready.
  public func start() throws {
    let server = Process()
    server.executableURL = URL(fileURLWithPath: InstalledTool.natsServer.path ?? "/usr/sbin/nats-server")
    server.arguments = arguments
    try Spawning.run(server)
    process = server
    try waitByPolling(for: "the NATS server", within: .seconds(60)) {
      self.log
    } until: {
      $0.contains("Server is ready")
    }
  }

  /// As by `kill -9`.
  public func kill() {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
    // Else the next start would take the earlier line for its own.
    try? FileManager.default.removeItem(at: folder.url.appendingPathComponent("log"))
  }
}
