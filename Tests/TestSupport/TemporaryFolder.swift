import Foundation

/// A new folder that only its owner can read. It is removed with this value.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("nearby-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Creates a file with these octets, under a new name.
  package func file(_ octets: Data) throws -> URL {
    let file = url.appendingPathComponent(UUID().uuidString)
    try octets.write(to: file)
    return file
  }

  /// Writes a text to the file with this name.
  ///
  /// - Returns: The file's path.
  package func write(_ text: String, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
