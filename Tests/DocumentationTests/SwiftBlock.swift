import Foundation

/// A piece of Swift in a document: a fenced block, or a whole file of a tutorial.
struct SwiftBlock {
  let document: String
  /// The number of the block's first line in its document.
  let firstLine: Int
  let code: CodeLines

  /// Package manifests cannot be compiled as part of a test target.
  var isManifest: Bool {
    code.lines.contains { line in
      ["// swift-tools-version", ".package(", ".target("].contains { line.text.contains($0) }
    }
  }

  /// The fenced blocks of a Markdown document that are marked as Swift.
  static func blocks(of document: String, _ text: String) -> [SwiftBlock] {
    var blocks: [SwiftBlock] = []
    var open: (isSwift: Bool, first: Int, lines: [String])?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      guard trimmed.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      guard let block = open else {
        open = (trimmed == "```swift", index + 2, [])
        continue
      }
      if block.isSwift {
        blocks.append(
          SwiftBlock(
            document: document, firstLine: block.first, code: CodeLines(block.lines, first: block.first)))
      }
      open = nil
    }
    return blocks
  }
}

/// The lines of a piece of code without indentation and blank lines, with their numbers.
struct CodeLines {
  let lines: [(number: Int, text: String)]

  init(_ lines: [String], first: Int) {
    self.lines = lines.enumerated().compactMap { index, line in
      // Comments may be aligned in a document, and are not in formatted code.
      let words = line.split { $0 == " " || $0 == "\t" }
      return words.isEmpty ? nil : (first + index, words.joined(separator: " "))
    }
  }

  init(file text: String) { self.init(text.components(separatedBy: "\n"), first: 1) }

  /// The length of the longest beginning of `other` that occurs here without gaps.
  func longestBeginning(of other: CodeLines) -> Int {
    lines.indices.reduce(0) { longest, start in
      let matching = zip(lines[start...], other.lines).prefix { $0.text == $1.text }
      return max(longest, matching.count)
    }
  }
}
