/// A branch of `#if` that Linux does not compile and iOS does.
package struct PlatformBranch: Equatable, Sendable {
  /// Line of the directive.
  package var start: Int
  /// Line of the directive that ends the branch.
  package var end: Int
  /// Offset of each `os(iOS)` in the condition.
  var questions: [Int]
  /// Offsets of the branch's first token and of the directive that ends it.
  var body: Range<Int>

  private static let question = Array("os(iOS)".utf8)
  private static let answer = Array("(os(iOS) || os(Linux))".utf8)

  /// Maximum number of branches that are found in a file.
  private static let most = 500

  /// Whether a line is inside the branch.
  package func contains(line: Int) -> Bool { line > start && line < end }

  /// The source with these branches' `os(iOS)` extended to Linux. Lines keep their numbers.
  package static func answering(_ branches: [PlatformBranch], in octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count + branches.count * answer.count)
    var position = 0
    for offset in branches.flatMap(\.questions).sorted() where offset >= position {
      let rest = octets.dropFirst(offset)
      guard rest.starts(with: question) else { continue }
      result += octets[position..<offset]
      result += answer
      position = offset + question.count
    }
    return result + octets[position...]
  }

  /// Finds the branches of a file. A chain that names Linux is left alone: its author has decided about Linux.
  package static func all(in octets: [UInt8], modules: Set<String>) -> [PlatformBranch] {
    var finder = Finder(
      tokens: SwiftLexer.tokens(of: octets), lines: LineTable(octets),
      linux: BuildConditions(modules: modules))
    return finder.branches()
  }

  /// Walks over a file's directives.
  private struct Finder {
    let tokens: [SwiftToken]
    let lines: LineTable
    let linux: BuildConditions
    private let mobile: BuildConditions
    private var chains: [Chain] = []
    private var found: [PlatformBranch] = []

    /// An `#if` with its branches up to `#endif`.
    private struct Chain {
      var namesLinux = false
      /// Whether an earlier branch is compiled on Linux.
      var wasTaken = false
      var branches: [PlatformBranch] = []
      /// The branch that the next directive ends.
      var open: PlatformBranch?
    }

    init(tokens: [SwiftToken], lines: LineTable, linux: BuildConditions) {
      self.tokens = tokens
      self.lines = lines
      self.linux = linux
      var mobile = linux
      mobile.systems = ["Linux", "iOS"]
      self.mobile = mobile
    }

    mutating func branches() -> [PlatformBranch] {
      var index = 0
      while index < tokens.count, found.count < PlatformBranch.most {
        let token = tokens[index]
        index += 1
        guard token.kind == .pound else { continue }
        switch token.text {
        case "#if":
          chains.append(Chain())
          begin(token, &index)
        case "#elseif":
          close(at: token.offset)
          begin(token, &index)
        case "#else": close(at: token.offset)
        case "#endif":
          close(at: token.offset)
          if let chain = chains.popLast(), !chain.namesLinux { found += chain.branches }
        default: break
        }
      }
      return found.sorted { $0.start < $1.start }
    }

    private mutating func close(at offset: Int) {
      guard let last = chains.indices.last, var branch = chains[last].open else { return }
      branch.end = lines.place(of: offset).line
      branch.body = branch.body.lowerBound..<max(branch.body.lowerBound, offset)
      chains[last].branches.append(branch)
      chains[last].open = nil
    }

    /// Evaluates the condition that starts at `index`, and opens a branch if only iOS compiles it.
    private mutating func begin(_ directive: SwiftToken, _ index: inout Int) {
      let start = index
      var other = index
      let isOnLinux = linux.condition(tokens, &index)
      let isOnMobile = mobile.condition(tokens, &other)
      guard let last = chains.indices.last else { return }
      let condition = tokens[start..<index]
      if condition.contains(where: { $0.isWord("Linux") }) { chains[last].namesLinux = true }
      if isOnMobile, !isOnLinux, !chains[last].wasTaken {
        chains[last].open = PlatformBranch(
          start: lines.place(of: directive.offset).line, end: 0, questions: questions(in: condition),
          body: (condition.last?.offset ?? directive.offset)..<Int.max)
      }
      chains[last].wasTaken = chains[last].wasTaken || isOnLinux
    }

    private func questions(in condition: ArraySlice<SwiftToken>) -> [Int] {
      condition.indices.filter { index in
        index + 3 < condition.endIndex && condition[index].isWord("os") && condition[index + 1].isSymbol("(")
          && condition[index + 2].isWord("iOS") && condition[index + 3].isSymbol(")")
      }.map { condition[$0].offset }
    }
  }
}
