/// Evaluates `#if` conditions for Linux with this package.
package struct BuildConditions: Sendable {
  /// Modules for which `canImport` is true.
  package var modules: Set<String>
  /// Names defined with `-D`; SwiftPM's debug builds define `DEBUG`.
  package var flags: Set<String> = ["DEBUG", "SWIFT_PACKAGE"]
  /// Names for which `os` is true.
  package var systems: Set<String> = ["Linux"]

  package init(modules: Set<String>) { self.modules = modules }

  /// Splits tokens into those that the compiler sees on Linux and the rest, and removes the directives.
  func parted(_ tokens: [SwiftToken]) -> (active: [SwiftToken], inactive: [SwiftToken]) {
    var active: [SwiftToken] = []
    var inactive: [SwiftToken] = []
    active.reserveCapacity(tokens.count)
    var branches: [Branch] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      index += 1
      switch token.kind == .pound ? token.text : "" {
      case "#if":
        let isOn = branches.last?.isOn ?? true
        let answer = condition(tokens, &index)
        branches.append(Branch(isParentOn: isOn, isOn: isOn && answer, wasTaken: answer))
      case "#elseif":
        let answer = condition(tokens, &index)
        branches.turn(to: answer)
      case "#else": branches.turn(to: true)
      case "#endif": _ = branches.popLast()
      default: if branches.last?.isOn ?? true { active.append(token) } else { inactive.append(token) }
      }
    }
    return (active, inactive)
  }

  fileprivate struct Branch {
    let isParentOn: Bool
    var isOn: Bool
    var wasTaken: Bool
  }

  // MARK: Expressions

  /// Maximum nesting of parentheses, far beyond what people write; anything deeper counts as false.
  private static let deepest = 40

  func condition(_ tokens: [SwiftToken], _ index: inout Int) -> Bool {
    let start = index
    let answer = either(tokens, &index, depth: 0)
    // Skip the rest of the line if it is not understood.
    while index < tokens.count, index == start || !tokens[index].isFirstOnLine { index += 1 }
    return answer
  }

  private func either(_ tokens: [SwiftToken], _ index: inout Int, depth: Int) -> Bool {
    var answer = both(tokens, &index, depth: depth)
    while index < tokens.count, tokens[index].isSymbol("||") {
      index += 1
      let next = both(tokens, &index, depth: depth)
      answer = answer || next
    }
    return answer
  }

  private func both(_ tokens: [SwiftToken], _ index: inout Int, depth: Int) -> Bool {
    var answer = single(tokens, &index, depth: depth)
    while index < tokens.count, tokens[index].isSymbol("&&") {
      index += 1
      let next = single(tokens, &index, depth: depth)
      answer = answer && next
    }
    return answer
  }

  /// A parenthesised expression, a flag, or a question such as `os(Linux)`, with any number of `!` before it.
  private func single(_ tokens: [SwiftToken], _ index: inout Int, depth: Int) -> Bool {
    var isNegated = false
    while index < tokens.count, tokens[index].isSymbol("!") {
      isNegated.toggle()
      index += 1
    }
    guard index < tokens.count, depth < Self.deepest else { return false }
    let token = tokens[index]
    if token.isSymbol("(") {
      index += 1
      let answer = either(tokens, &index, depth: depth + 1)
      if index < tokens.count, tokens[index].isSymbol(")") { index += 1 }
      return answer != isNegated
    }
    guard token.kind == .word || token.kind == .quotedWord || token.kind == .number else { return false }
    index += 1
    guard index < tokens.count, tokens[index].isSymbol("("), !tokens[index].isFirstOnLine else {
      return (token.text == "true" || flags.contains(token.text)) != isNegated
    }
    return answer(token.text, arguments(tokens, &index)) != isNegated
  }

  /// The tokens between the parentheses that open at `index`, which advances past them.
  private func arguments(_ tokens: [SwiftToken], _ index: inout Int) -> [String] {
    var depth = 0
    var result: [String] = []
    while index < tokens.count {
      let token = tokens[index]
      index += 1
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") {
        depth -= 1
        if depth == 0 { break }
      }
      if depth > 1 || !token.isSymbol("(") { result.append(token.text) }
    }
    return result
  }

  /// Answers a question such as `canImport(UIKit)`; unknown ones are false.
  private func answer(_ question: String, _ words: [String]) -> Bool {
    switch question {
    case "os": words.count == 1 && systems.contains(words[0])
    case "canImport": words.first.map(modules.contains) ?? false
    case "swift", "compiler": Self.isReached(words)
    case "arch": words == ["x86_64"] || words == ["arm64"]
    case "_endian": words == ["little"]
    case "_runtime": words == ["_Native"]
    case "_pointerBitWidth": words == ["_64"] || words.last == "64"
    case "hasFeature", "hasAttribute": true
    default: false
    }
  }

  /// Evaluates `>=5.9` or `<6` for Swift 6.3.
  private static func isReached(_ words: [String]) -> Bool {
    let number = words.last?.split(separator: ".").compactMap { Int($0) } ?? []
    let asked = (number.first ?? 0, number.dropFirst().first ?? 0)
    return words.first == "<" ? (6, 3) < asked : (6, 3) >= asked
  }
}

extension [BuildConditions.Branch] {
  fileprivate mutating func turn(to answer: Bool) {
    guard var branch = popLast() else { return }
    branch.isOn = branch.isParentOn && !branch.wasTaken && answer
    branch.wasTaken = branch.wasTaken || answer
    append(branch)
  }
}
