import Foundation
import NearbyCommandLine

/// `nearby manual --out FOLDER`.
enum ManualCommand {
  private static let out = CommandOption<String>.required(
    "out", "FOLDER", "Write the pages to FOLDER/man1 and FOLDER/man7", as: .folder)

  /// - Parameters:
  ///   - version: The version of the program, shown in the footer of each page.
  ///   - root: The table that the pages are generated from.
  static func spec(version: String, root: @escaping @Sendable () -> CommandSpec) -> CommandSpec {
    CommandSpec(
      name: "manual", summary: "Write the manual pages of all commands", options: [out],
      examples: ["nearby manual --out ~/.local/share/man"]
    ) { arguments, _ in
      let folder = URL(fileURLWithPath: try arguments[out], isDirectory: true)
      let pages = ManualPage.pages(
        root: root(), topics: [EnvironmentTopic.topic], version: version)
      for page in pages {
        let home = folder.appendingPathComponent("man" + page.file.suffix(1))
        do {
          try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
          try Data(page.text.utf8).write(to: home.appendingPathComponent(page.file))
        } catch {
          throw CommandError.inputOutput("\(home.path)/\(page.file): \(FileTrouble.reason(error))")
        }
      }
    }
  }
}
