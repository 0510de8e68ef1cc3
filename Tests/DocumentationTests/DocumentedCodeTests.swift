import Foundation
import Testing

/// Code in documents is copied from the files in `Code`, which this target compiles and, as tests, runs.
@Suite("Code in documents")
struct DocumentedCodeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every block of Swift in the documents occurs in a file of Tests/DocumentationTests/Code")
  func blocksAreCompiled() throws {
    let blocks = try Self.blocks()
    #expect(Set(blocks.map(\.document)).count > 20, "the documents are not where this test looks for them")
    let code = try Self.files(in: Self.folder.appendingPathComponent("Code"), ["swift"]).map {
      CodeLines(file: try String(contentsOf: $0, encoding: .utf8))
    }
    for block in blocks where !block.isManifest {
      let found = code.map { $0.longestBeginning(of: block.code) }.max() ?? 0
      guard found < block.code.lines.count else { continue }
      let line = block.code.lines[found]
      Issue.record(
        """
        \(block.document):\(line.number): no file of Tests/DocumentationTests/Code continues the block of \
        line \(block.firstLine) with "\(line.text)"
        """)
    }
  }

  @Test("A block is found without regard to indentation and blank lines, and only without gaps")
  func matching() {
    let text = "# Title\n```swift\nlet a = 1\n\n  let b = 2  // two\n```\n```\nnot swift\n```\n"
    let blocks = SwiftBlock.blocks(of: "page.md", text)
    #expect(blocks.map(\.firstLine) == [3])
    let code = blocks[0].code
    #expect(code.lines.map(\.number) == [3, 5])
    let same = CodeLines(file: "func f() {\n  let a = 1\n  let b = 2    // two\n}")
    #expect(same.longestBeginning(of: code) == 2)
    let interrupted = CodeLines(file: "let a = 1\nlet c = 3\nlet b = 2  // two")
    #expect(interrupted.longestBeginning(of: code) == 1)
    #expect(!blocks[0].isManifest)
    #expect(SwiftBlock.blocks(of: "page.md", "```swift\n.package(path: \"..\")\n```\n")[0].isManifest)
  }

  private static func blocks() throws -> [SwiftBlock] {
    let sources = root.appendingPathComponent("Sources")
    let catalogs = try files(in: sources, ["md", "swift"]).filter { $0.path.contains(".docc/") }
    let documents = ["README.md", "Docs/getting-started.md"].map { root.appendingPathComponent($0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    return try (documents + catalogs).flatMap { file in
      let name = String(file.path.dropFirst(root.path.count + 1))
      let text = try String(contentsOf: file, encoding: .utf8)
      guard file.pathExtension == "swift" else { return SwiftBlock.blocks(of: name, text) }
      return [SwiftBlock(document: name, firstLine: 1, code: CodeLines(file: text))]
    }
  }

  private static func files(in folder: URL, _ extensions: [String]) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appendingPathComponent($0) }
      .filter { extensions.contains($0.pathExtension) }
  }
}
