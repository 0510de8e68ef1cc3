import Foundation

/// A NATS server in a process of its own.
final class BenchedServer {
  struct NotStarted: Error {}

  private let process = Process()
  private let folder: URL
  let url: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-nats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "nats-server", "--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir", folder.path, "--jetstream",
      "--store_dir", folder.path,
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = (environment["PATH"] ?? "/usr/bin") + ":/usr/sbin"
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The server writes the file when it is ready.
    for _ in 0..<1000 {
      if let url = Self.url(in: folder) {
        self.url = url
        return
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    process.terminate()
    throw NotStarted()
  }

  private static func url(in folder: URL) -> String? {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    guard let file = files.first(where: { $0.pathExtension == "ports" }),
      let data = try? Data(contentsOf: file),
      let ports = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return nil }
    return (ports["nats"] as? [String])?.first
  }

  func stop() {
    process.interrupt()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
