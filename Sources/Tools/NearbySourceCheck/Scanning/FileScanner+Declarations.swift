/// Finds declared names.
///
/// The number of tokens that each function looks ahead or back, 14 to 200, exceeds what its construct needs
/// in real code (modifiers with their arguments 14, a closure's capture list 60, its parameters 120, generic
/// parameters 200), yet is small enough that the cost for hostile text stays linear in its length.
extension FileScanner {
  /// Handles the keyword at the index; keywords that declare nothing are skipped.
  mutating func takeKeyword(_ token: SwiftToken) {
    if token.isFirstOnLine, !token.isWord("where") { caseDepth = nil }
    if isKeywordLabel {
      index += 1
      return
    }
    switch token.text {
    case "import": takeImport()
    case "class", "struct", "enum", "protocol", "actor", "extension": takeType(token.text)
    case "typealias", "associatedtype": declareType(token.text == "associatedtype")
    case "func", "macro": declareFunction()
    case "var", "let": declareVariable()
    case "case": takeCase()
    case "for": declareLoop()
    case "precedencegroup", "operator": skipOperator(token.text)
    case "set", "willSet", "didSet": declareAccessorParameter()
    case "init", "subscript": declareGenerics(at: index + 1)
    case "throw": useThrownText()
    case "override": takeOverride(token)
    case "as": checkCast(token)
    default: break
    }
    index += 1
  }

  /// Whether a keyword is used as a label, as in `for:` or `in region: CLRegion`.
  private var isKeywordLabel: Bool {
    guard braces.last == .parenthesis, previous.isSymbol("(") || previous.isSymbol(",") else { return false }
    return next().isSymbol(":") || next().isName && next(2).isSymbol(":") && !tokens[index].isDeclaring
  }

  mutating func declare(_ name: String) {
    if isVisibleLevel { export(name) } else { facts.locals.insert(name) }
  }

  private mutating func declareValue(_ name: String) {
    facts.values.insert(name)
    declare(name)
  }

  // MARK: Access

  private static let modifiers: Set<String> = [
    "public", "open", "package", "internal", "fileprivate", "private", "static", "class", "final", "override",
    "mutating", "nonmutating", "lazy", "weak", "unowned", "required", "convenience", "dynamic", "optional",
    "indirect", "nonisolated", "isolated", "distributed", "prefix", "postfix", "infix", "set", "var", "let",
    "func", "case", "struct", "enum", "protocol", "actor", "typealias", "associatedtype", "macro",
    "extension",
  ]

  /// Whether the declaration at the index is marked `private` or `fileprivate`.
  private var isHidden: Bool {
    var current = index - 1
    while current >= 0, current > index - 14 {
      let token = tokens[current]
      let isSet = token.isSymbol("(") || token.isSymbol(")")
      guard isSet || token.kind == .word && Self.modifiers.contains(token.text) else { return false }
      let isOfSetter = current + 1 < tokens.count && tokens[current + 1].isSymbol("(")
      if !isOfSetter, ["private", "fileprivate"].contains(token.text) { return true }
      if !isOfSetter, ["public", "open", "internal"].contains(token.text) { return false }
      current -= 1
    }
    return false
  }

  /// Records that the declaration at the index is visible to other files, unless it is hidden.
  mutating func export(_ name: String, as declared: FileFacts.Declared? = nil) {
    if isHidden {
      facts.locals.insert(name)
    } else {
      if case .type? = braces.last { recordMember(name) }
      facts.export(name, declared ?? (braces.isEmpty ? .topValue : .member))
    }
  }

  // MARK: Imports

  private static let importKinds: Set<String> = [
    "class", "struct", "enum", "protocol", "typealias", "func", "var", "let",
  ]

  private mutating func takeImport() {
    let isExported = previous.isWord("_exported")
    let kind = next()
    let isOfSymbol = kind.kind == .word && Self.importKinds.contains(kind.text)
    if isOfSymbol { index += 1 }
    let module = next()
    guard module.kind == .word || module.kind == .quotedWord else { return }
    var path: [String] = []
    index += 1
    while next().isSymbol("."), next(2).kind == .word || next(2).kind == .quotedWord {
      path.append(next(2).text)
      index += 2
    }
    facts.imports.append(
      .init(
        module: module.text, submodule: isOfSymbol ? nil : path.first, isOfSymbol: isOfSymbol,
        isExported: isExported,
        offset: module.offset))
  }

  // MARK: Types

  private mutating func takeType(_ keyword: String) {
    let name = next()
    // `class func`, `class var`, a protocol's `: class`, and `actor` used as a name; but `extension [Item]`
    // is a type.
    guard name.isName || keyword == "extension" else { return }
    if keyword == "actor", !(next(2).isSymbol("{") || next(2).isSymbol(":") || next(2).isSymbol("<")) {
      facts.add(.init(name: "actor", isMember: false), at: tokens[index].offset)
      return
    }
    pendingOwner = Owner(name: recordParents(), keyword: keyword)
    if keyword == "class" { facts.classes.insert(pendingOwner.name) }
    pendingType = .type(isEnum: keyword == "enum")
    if keyword == "extension" { return }
    index += 1
    declareTypeName(name.text)
    declareGenerics(at: index + 1)
  }

  /// Records what the type that is declared at the index inherits from and conforms to.
  ///
  /// - Returns: The last part of the type's name.
  private mutating func recordParents() -> String {
    var (type, depth, isBehindColon) = ("", 0, false)
    for current in tokens.indices.dropFirst(index + 1).prefix(200) {
      let token = tokens[current]
      if token.isSymbol("{") || token.isSymbol("}") || token.isWord("where") { break }
      if token.isSymbol("<") { depth += 1 }
      if token.isSymbol(">") { depth -= 1 }
      if token.isSymbol(":"), depth == 0 { isBehindColon = true }
      guard token.isName, depth == 0 else { continue }
      // The module in `SwiftUI.View`, or the outer type in `Outer.Inner`.
      let isQualifier = current + 1 < tokens.count && tokens[current + 1].isSymbol(".")
      if isBehindColon, !isQualifier {
        facts.parents.append((type, token.text))
        if type == "String", Self.errors.contains(token.text) { facts.export(Self.textAsError, .member) }
      }
      if !isBehindColon { type = token.text }
    }
    return type
  }

  // MARK: Thrown texts

  private static let errors: Set<String> = ["Error", "LocalizedError", "CustomNSError"]
  /// Stands for a conformance of `String` to `Error`, which apps declare in order to throw texts.
  private static let textAsError = "String: Error"

  private mutating func useThrownText() {
    let isVariable = next().isName && texts.contains(next().text) && !next(2).isSymbol(".")
    guard next().kind == .text || isVariable else { return }
    facts.add(.init(name: Self.textAsError, isMember: false), at: next().offset)
  }

  private mutating func declareTypeName(_ name: String) {
    switch braces.last {
    case nil: export(name, as: .topType)
    case .type?: export(name, as: .nestedType)
    case .code?, .parenthesis?, .bracket?: facts.locals.insert(name)
    }
  }

  private mutating func declareType(_ isAssociated: Bool) {
    guard next().isName else { return }
    index += 1
    declareTypeName(tokens[index].text)
    if !isAssociated { declareGenerics(at: index + 1) }
  }

  /// Declares the generic parameters of the clause that may begin at `start`.
  private mutating func declareGenerics(at start: Int) {
    guard start < tokens.count, tokens[start].isSymbol("<") else { return }
    var depth = 0
    var current = start
    while current < tokens.count, current < start + 200 {
      let token = tokens[current]
      if token.isSymbol("<") { depth += 1 }
      if token.isSymbol(">") {
        depth -= 1
        if depth == 0 { return }
      }
      if token.isSymbol("{") || token.isSymbol("}") { return }
      let before = tokens[current - 1]
      let begins = depth == 1 && (before.isSymbol("<") || before.isSymbol(","))
      if token.isName, begins || before.isWord("each") || before.isWord("let") {
        facts.locals.insert(token.text)
      }
      current += 1
    }
  }

  // MARK: Functions, variables, cases

  private mutating func declareFunction() {
    guard next().isName || next().kind == .word else {
      // An operator's name.
      while index + 1 < tokens.count, next().kind == .symbol, !next().isSymbol("("), !next().isSymbol("{") {
        if next().isSymbol("<"), next(2).isName { break }
        index += 1
      }
      declareGenerics(at: index + 1)
      return
    }
    index += 1
    declare(tokens[index].text)
    recordFunction()
    recordMethod()
    declareGenerics(at: index + 1)
  }

  /// Declares the names after `var` or `let`: a plain name, a tuple, or the bindings of a pattern.
  private mutating func declareVariable() {
    let first = next()
    if first.isSymbol("(") {
      declarePattern(from: index + 1, to: end(ofBracketsAt: index + 1, within: 100))
    } else if first.isName, next(2).isSymbol(".") || next(2).isSymbol("(") {
      // `let Type.case(a, b)`: the bound names are in the parentheses.
      var start = index + 1
      while start < tokens.count, tokens[start].isName || tokens[start].isSymbol(".") { start += 1 }
      declareBound(at: start)
    } else if first.isSymbol(".") {
      declareBound(at: index + 3)
    } else if first.isName || first.kind == .word && !first.isWord("_") {
      if next(2).isSymbol("="), next(3).kind == .text { texts.insert(first.text) }
      index += 1
      declareValue(first.text)
      var current = index + 1
      while current + 1 < tokens.count, tokens[current].isSymbol(","), tokens[current + 1].isName,
        !tokens[current + 1].isFirstOnLine
      {
        declareValue(tokens[current + 1].text)
        current += 2
      }
      // `if let name, …` also uses the name, which is declared already.
    }
  }

  private mutating func declareBound(at start: Int) {
    guard start < tokens.count, tokens[start].isSymbol("(") else { return }
    declarePattern(from: start, to: end(ofBracketsAt: start, within: 100))
  }

  /// Declares the names of a pattern, except those after a dot and labels.
  private mutating func declarePattern(from start: Int, to end: Int) {
    for current in start..<end {
      let token = tokens[current]
      guard token.isName, current > 0, !tokens[current - 1].isSymbol(".") else { continue }
      if current + 1 < tokens.count, tokens[current + 1].isSymbol(":") {
        facts.locals.insert(token.text)
        continue
      }
      declareValue(token.text)
    }
  }

  private mutating func takeCase() {
    guard case .type(isEnum: true)? = braces.last else { return }
    caseDepth = braces.count
    if next().isName || next().kind == .word {
      facts.values.insert(next().text)
      export(next().text)
    }
  }

  private mutating func declareLoop() {
    var current = index + 1
    let limit = min(tokens.count, index + 60)
    while current < limit, !tokens[current].isWord("in") {
      if tokens[current].isName, !tokens[current - 1].isSymbol(".") {
        facts.values.insert(tokens[current].text)
        facts.locals.insert(tokens[current].text)
      }
      if tokens[current].isSymbol("{") { return }
      current += 1
    }
  }

  private mutating func declareAccessorParameter() {
    if next().isSymbol("("), next(2).isName, next(3).isSymbol(")") { facts.locals.insert(next(2).text) }
  }

  private mutating func skipOperator(_ keyword: String) {
    if keyword == "precedencegroup" {
      if next().kind == .word { facts.export(next().text, .topType) }
      var current = index + 1
      while current < tokens.count, current < index + 4, !tokens[current].isSymbol("{") { current += 1 }
      if current < tokens.count, tokens[current].isSymbol("{") { index = end(ofBracketsAt: current) - 1 }
      return
    }
    while index + 1 < tokens.count, !next().isFirstOnLine { index += 1 }
  }

  // MARK: Closures

  /// Declares what is between a closure's brace, which is at the index, and its `in`.
  mutating func declareClosureParameters() {
    var names: [String] = []
    var current = index + 1
    while current < tokens.count, tokens[current].isSymbol("@") {
      current += 2
      if current < tokens.count, tokens[current].isSymbol("("), !tokens[current - 1].isWord("MainActor") {
        break
      }
    }
    if current < tokens.count, tokens[current].isSymbol("[") {
      let end = end(ofBracketsAt: current, within: 60)
      for place in current..<end where tokens[place].isName {
        if place + 1 < tokens.count, tokens[place + 1].isSymbol("=") { names.append(tokens[place].text) }
      }
      current = end
    }
    if current < tokens.count, tokens[current].isSymbol("(") {
      let end = end(ofBracketsAt: current, within: 120)
      for place in current..<end where tokens[place].isName {
        let before = tokens[place - 1]
        let after = place + 1 < tokens.count ? tokens[place + 1].text : ""
        guard [",", ")", ":"].contains(after) else { continue }
        if before.isSymbol("(") || before.isSymbol(",") || before.isWord("_") {
          names.append(tokens[place].text)
        }
      }
      current = end
    } else {
      while current < tokens.count, tokens[current].isName || tokens[current].isWord("_") {
        names.append(tokens[current].text)
        guard current + 1 < tokens.count, tokens[current + 1].isSymbol(",") else {
          current += 1
          break
        }
        current += 2
      }
    }
    guard reachesIn(from: current) else { return }
    facts.values.formUnion(names)
    facts.locals.formUnion(names)
  }

  /// Whether `in` follows at `start`, after at most a closure's effects and return type.
  private func reachesIn(from start: Int) -> Bool {
    var current = start
    let limit = min(tokens.count, start + 60)
    while current < limit {
      let token = tokens[current]
      if token.isWord("in") { return true }
      if token.isSymbol("{") || token.isSymbol("}") || token.isSymbol("=") { return false }
      if current == start, !token.isSymbol("->"), token.text != "async", token.text != "throws" {
        return false
      }
      current += 1
    }
    return false
  }

  // MARK: Inactive branches

  mutating func takeInactiveTypes(_ inactive: [SwiftToken]) {
    for (place, token) in inactive.enumerated() where token.kind == .word && place + 1 < inactive.count {
      guard ["class", "struct", "enum", "protocol", "actor", "typealias"].contains(token.text) else {
        continue
      }
      let name = inactive[place + 1]
      if name.isName, SwiftWords.isType(name.text), facts.inactiveTypes[name.text] == nil {
        facts.inactiveTypes[name.text] = name.offset
      }
    }
  }
}

extension SwiftToken {
  fileprivate var isDeclaring: Bool { isWord("let") || isWord("var") || isWord("inout") }
}
