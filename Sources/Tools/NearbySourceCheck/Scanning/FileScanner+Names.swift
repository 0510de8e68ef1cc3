/// Finds used names.
extension FileScanner {
  private static let metaMembers: Set<String> = ["init", "self", "Type", "Protocol", "none", "some"]

  /// Records the name at the index as a use or as a label.
  mutating func takeName(_ token: SwiftToken) {
    defer { index += 1 }
    if caseDepth != nil, token.isFirstOnLine, !previous.isSymbol(",") { caseDepth = nil }
    let before = previous
    if before.isSymbol(".") {
      if isOptionalCall, facts.optionalCalls[token.text] == nil {
        facts.optionalCalls[token.text] = token.offset
      }
      recordUnlabelledCall(token)
      if !Self.metaMembers.contains(token.text) {
        facts.add(.init(name: token.text, isMember: true), at: token.offset)
      }
      return
    }
    if isLabel(token) {
      facts.values.insert(token.text)
      facts.locals.insert(token.text)
      if isInType { facts.export(token.text, .member) }
      return
    }
    checkCalls(token)
    recordUnlabelledCall(token)
    facts.add(.init(name: token.text, isMember: false), at: token.offset)
  }

  /// Whether the name at the index is called as in `delegate?.session?(…)`.
  private var isOptionalCall: Bool {
    guard next().isSymbol("?"), next(2).isSymbol("("), index >= 2 else { return false }
    let isChained = tokens[index - 2].isSymbol("?") || tokens[index - 2].isSymbol("!")
    guard index >= (isChained ? 3 : 2) else { return false }
    return tokens[index - (isChained ? 3 : 2)].text.lowercased().hasSuffix("delegate")
  }

  /// Whether the parentheses here belong to a declaration rather than a call.
  private var isInType: Bool {
    for brace in braces.reversed() {
      switch brace {
      case .type: return true
      case .code: return false
      case .parenthesis, .bracket: continue
      }
    }
    return true
  }

  /// Whether a name is the label of an argument, parameter, tuple element or statement.
  private func isLabel(_ token: SwiftToken) -> Bool {
    let before = previous
    let after = next()
    let begins = before.isSymbol("(") || before.isSymbol(",")
    switch braces.last {
    case .parenthesis?, .bracket?:
      let isBracket = braces.last == .bracket
      if after.isSymbol(":") {
        if begins { return !isBracket || before.isSymbol("[") && isSubscriptLabel }
        // The second of `label name: Type`.
        let start = index >= 2 ? tokens[index - 2] : before
        return (before.kind == .word || before.kind == .quotedWord)
          && (start.isSymbol("(") || start.isSymbol(","))
      }
      // The first of `label name: Type`.
      return begins && (after.isName || after.isWord("_")) && next(2).isSymbol(":")
    case .type?, .code?, nil:
      // `} onCancel: {`
      if before.isSymbol("}"), after.isSymbol(":"), next(2).isSymbol("{") { return true }
      guard after.isSymbol(":"), token.isFirstOnLine || before.isSymbol("{") else { return false }
      return ["for", "while", "repeat", "do", "switch", "if"].contains(next(2).text)
    }
  }

  /// Whether the brackets are `value[label: …]` rather than `[key: value]`.
  private var isSubscriptLabel: Bool {
    guard index >= 2 else { return false }
    let owner = tokens[index - 2]
    return owner.isName || owner.isSymbol(")") || owner.isSymbol("]")
  }

  /// Finds calls that are recognised by their arguments.
  private mutating func checkCalls(_ token: SwiftToken) {
    // A file's own `value(forKey:)` is declared, so only a call without a dot is certain to be NSObject's.
    if token.text == "value", !previous.isWord("func"), next().isSymbol("("),
      next(2).isWord("forKey") || next(2).isWord("forKeyPath")
    {
      find(.keyPathString, token, symbol: "value(\(next(2).text):)")
    }
    guard next().isSymbol("("), token.text == "NSPredicate" || token.text == "NSExpression",
      next(2).isWord("format")
    else { return }
    find(.predicateFormat, token, symbol: token.text + "(format:)")
  }
}
