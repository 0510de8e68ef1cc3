/// A type's method with a body.
struct DeclaredMethod: Equatable, Sendable {
  /// The type that is declared or extended around it.
  var owner: String
  var isInExtension: Bool
  var isOverride: Bool
  var signature: MethodSignature
  /// Offset of the name.
  var offset: Int
  /// Offset behind the body's closing brace.
  var end: Int
  /// Words before `func` that a method beside it needs too: its access, and `nonisolated`.
  var modifiers: [String]
  /// Whether a method beside it can call it as a statement: it returns nothing, and is neither static, asynchronous,
  /// throwing nor an override.
  var isForwardable: Bool
}

/// Finds methods, for comparing them with those of the frameworks' delegate protocols.
extension FileScanner {
  /// Maximum number of tokens of a body whose end is looked for. It bounds the time for methods nested in each other.
  private static let longestBody = 4000

  /// Records the method whose name is at the index. Protocols' methods have no body and are left out.
  mutating func recordMethod() {
    guard case .type? = braces.last, let owner = owners.last?.owner,
      let signature = MethodSignature(tokens, nameAt: index)
    else { return }
    var current = signature.end
    // Effects, a return type and `where` before the body.
    while current < tokens.count, current < signature.end + 30, !tokens[current].isSymbol("{") {
      if tokens[current].isSymbol("}") || tokens[current].isWord("func") { return }
      current += 1
    }
    guard current < tokens.count, tokens[current].isSymbol("{") else { return }
    let after = end(ofBracketsAt: current, within: Self.longestBody)
    let close = tokens[after - 1]
    let before = modifiersBefore(index - 1)
    let isKept = ["public", "nonisolated"]
    facts.methods.append(
      DeclaredMethod(
        owner: owner.name, isInExtension: owner.keyword == "extension",
        isOverride: before.contains("override"), signature: signature, offset: tokens[index].offset,
        end: close.offset + close.text.utf8.count,
        modifiers: isKept.filter(before.contains) + (before.contains("open") ? ["public"] : []),
        isForwardable: current == signature.end && after - current < Self.longestBody
          && before.isDisjoint(with: ["static", "class", "override", "mutating", "private", "fileprivate"])))
  }

  /// Records whether calls of the function whose name is at the index must begin with a label.
  mutating func recordFunction() {
    let name = tokens[index].text
    let first = MethodSignature(tokens, nameAt: index)?.parameters.first
    let isLabelled = first.map { $0.label != "_" && !$0.hasDefault } ?? false
    facts.functions[name] = isLabelled && facts.functions[name] ?? true
  }

  /// Records a call such as `name(value)`, as Swift 2 allowed for functions whose first parameter has a name.
  mutating func recordUnlabelledCall(_ token: SwiftToken) {
    guard next().isSymbol("("), !next().isFirstOnLine, facts.unlabelledCalls[token.text] == nil else {
      return
    }
    let first = next(2)
    let isLabelled = (first.kind == .word || first.kind == .quotedWord) && next(3).isSymbol(":")
    guard !isLabelled, !first.isSymbol(")"), !previous.isWord("func") else { return }
    facts.unlabelledCalls[token.text] = token.offset
  }

  /// Records a type's member for conformances to the project's own protocols.
  mutating func recordMember(_ name: String) {
    guard let owner = owners.last?.owner else { return }
    if owner.keyword == "protocol" {
      facts.requirements[owner.name, default: []].insert(name)
    } else {
      facts.members[owner.name, default: []].insert(name)
    }
  }

  /// Only Objective-C's methods can be overridden in an extension.
  mutating func takeOverride(_ token: SwiftToken) {
    guard case .type? = braces.last, let owner = owners.last?.owner, next().kind == .word,
      !next().isName || Self.contextual.contains(next().text)
    else { return }
    if owner.keyword == "extension" { return find(.overrideInExtension, token) }
    // `override public final func name`
    for ahead in 1..<8 where next(ahead).isWord("func") || next(ahead).isWord("var") {
      let name = next(ahead + 1)
      if name.isName { facts.overrides.append((owner.name, name.text, name.offset)) }
      return
    }
  }

  /// Only Objective-C creates an object of a class that is known at run time alone: `as? NSObject.Type`.
  mutating func checkCast(_ token: SwiftToken) {
    let ahead = next().isSymbol("?") || next().isSymbol("!") ? 2 : 1
    guard next(ahead).isWord("NSObject"), next(ahead + 1).isSymbol("."), next(ahead + 2).isWord("Type") else {
      return
    }
    find(.metatypeCast, next(ahead), symbol: "NSObject.Type")
  }

  /// The words before the keyword at `place`, up to fourteen tokens back.
  private func modifiersBefore(_ place: Int) -> Set<String> {
    var result: Set<String> = []
    var current = place - 1
    while current >= 0, current > place - 14, tokens[current].kind == .word,
      !tokens[current].isName || Self.contextual.contains(tokens[current].text)
    {
      result.insert(tokens[current].text)
      current -= 1
    }
    return result
  }

  /// Modifiers that can also be names.
  private static let contextual: Set<String> = [
    "final", "nonisolated", "override", "mutating", "open", "dynamic",
  ]
}
