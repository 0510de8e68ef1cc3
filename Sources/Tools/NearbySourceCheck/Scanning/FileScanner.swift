/// Scans the tokens of one file for what it declares, what it uses, and what does not compile on Linux.
///
/// It tracks braces to tell a type's members from the contents of functions, and otherwise looks at the
/// tokens next to a name. This is not a full parser; when in doubt it treats a name as declared.
struct FileScanner {
  enum Brace: Equatable {
    case type(isEnum: Bool)
    case code
    case parenthesis
    case bracket
  }

  let tokens: [SwiftToken]
  var index = 0
  var facts = FileFacts()
  var braces: [Brace] = []
  /// The kind of the next brace, set once a type's declaration has begun.
  var pendingType: Brace?
  /// The type whose declaration has begun.
  var pendingOwner = Owner(name: "", keyword: "")
  /// The types around the current position, each with the number of braces around its members.
  var owners: [(depth: Int, owner: Owner)] = []

  /// A type that is declared or extended.
  struct Owner: Equatable {
    var name: String
    /// `class`, `extension` and so on.
    var keyword: String
  }
  /// Variables that are declared with a text as value.
  var texts: Set<String> = []
  /// Brace depth of the enum whose `case` is being scanned.
  var caseDepth: Int?

  static func facts(of octets: [UInt8], _ conditions: BuildConditions) -> FileFacts {
    let parts = conditions.parted(SwiftLexer.tokens(of: octets))
    var scanner = FileScanner(tokens: parts.active)
    scanner.scan()
    scanner.takeInactiveTypes(parts.inactive)
    return scanner.facts
  }

  private init(tokens: [SwiftToken]) { self.tokens = tokens }

  private mutating func scan() {
    while index < tokens.count {
      let token = tokens[index]
      switch token.kind {
      case .symbol: takeSymbol(token)
      case .pound: takePound(token)
      case .dollarWord: takeProjected(token)
      case .quotedWord: takeName(token)
      case .word: if token.isName || previous.isSymbol(".") { takeName(token) } else { takeKeyword(token) }
      case .number, .text, .pattern: index += 1
      }
    }
    checkBrackets()
  }

  /// Reports the first bracket without a counterpart.
  private mutating func checkBrackets() {
    let counterparts = [")": "(", "]": "[", "}": "{"]
    var open: [SwiftToken] = []
    for token in tokens where token.kind == .symbol {
      if ["(", "[", "{"].contains(token.text) {
        open.append(token)
      } else if let counterpart = counterparts[token.text], open.popLast()?.text != counterpart {
        return find(.unbalanced, token)
      }
    }
    if let last = open.last { find(.unbalanced, last) }
  }

  // MARK: Neighbours

  private static let nothing = SwiftToken(kind: .symbol, text: "", offset: 0, isFirstOnLine: true)

  var previous: SwiftToken { index > 0 ? tokens[index - 1] : Self.nothing }

  func next(_ ahead: Int = 1) -> SwiftToken {
    index + ahead < tokens.count ? tokens[index + ahead] : Self.nothing
  }

  /// Whether a declaration at this level is visible to other files.
  var isVisibleLevel: Bool {
    switch braces.last {
    case nil, .type: true
    case .code, .parenthesis, .bracket: false
    }
  }

  /// The index after the brackets that open at `start`.
  func end(ofBracketsAt start: Int, within limit: Int = .max) -> Int {
    var depth = 0
    var current = start
    while current < tokens.count, current - start < limit {
      let token = tokens[current]
      current += 1
      guard token.kind == .symbol else { continue }
      switch token.text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth <= 0 { return current }
      default: break
      }
    }
    return current
  }

  // MARK: Symbols

  private mutating func takeSymbol(_ token: SwiftToken) {
    switch token.text {
    case "{":
      braces.append(pendingType ?? .code)
      if pendingType == nil {
        declareClosureParameters()
      } else {
        owners.append((braces.count, pendingOwner))
      }
      pendingType = nil
    case "(": braces.append(.parenthesis)
    case "[": braces.append(.bracket)
    case "}", ")", "]": close(token.text)
    case "@": return takeAttribute()
    case ",": takeComma()
    default: break
    }
    index += 1
  }

  private mutating func close(_ text: String) {
    // A stray bracket does not close one of another kind.
    switch (text, braces.last) {
    case (")", .parenthesis?), ("]", .bracket?), ("}", .type?), ("}", .code?): braces.removeLast()
    case ("}", _):
      while let last = braces.popLast(), last == .parenthesis || last == .bracket {}
    default: break
    }
    while let owner = owners.last, owner.depth > braces.count { owners.removeLast() }
    if let depth = caseDepth, braces.count < depth { caseDepth = nil }
  }

  private mutating func takeComma() {
    let name = next()
    guard name.isName else { return }
    if caseDepth == braces.count {
      facts.values.insert(name.text)
      export(name.text)
      return
    }
    guard braces.last != .parenthesis, braces.last != .bracket else { return }
    let after = next(2)
    // `var a = 1, b = 2`, `let a, b: Int`
    if after.isSymbol("=") || after.isSymbol(":") { declare(name.text) }
  }

  private mutating func takePound(_ token: SwiftToken) {
    defer { index += 1 }
    switch token.text {
    case "#selector": find(.selector, token)
    case "#keyPath": find(.keyPathString, token)
    case "#Preview": find(.previews, token)
    case "#colorLiteral", "#imageLiteral": find(.colourLiteral, token)
    case "#error": find(.errorDirective, token)
    case "#available", "#unavailable", "#sourceLocation", "#warning":
      if next().isSymbol("(") { index = end(ofBracketsAt: index + 1) - 1 }
    case "#file", "#fileID", "#filePath", "#function", "#line", "#column", "#dsohandle", "#isolation",
      "#externalMacro", "#fileLiteral", "#if", "#else", "#elseif", "#endif":
      break
    default:
      facts.add(.init(name: String(token.text.dropFirst()), isMember: false), at: token.offset)
    }
  }

  mutating func find(_ rule: SyntaxRule, _ token: SwiftToken, symbol: String? = nil) {
    facts.findings.append(.init(rule: rule, symbol: symbol ?? token.text, offset: token.offset))
  }

  private mutating func takeProjected(_ token: SwiftToken) {
    index += 1
    let name = String(token.text.dropFirst())
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return
    }
    facts.add(.init(name: name, isMember: false), at: token.offset)
  }

  // MARK: Attributes

  private mutating func takeAttribute() {
    let name = next()
    guard name.kind == .word || name.kind == .quotedWord else {
      index += 1
      return
    }
    index += 2
    switch name.text {
    case "objc", "objcMembers", "NSManaged", "IBOutlet", "IBAction", "IBDesignable", "IBInspectable",
      "IBSegueAction", "NSCopying", "GKInspectable", "NSApplicationMain", "UIApplicationMain":
      let rule: SyntaxRule =
        name.text.hasPrefix("IB") || name.text == "GKInspectable"
        ? .interfaceBuilder
        : name.text == "NSManaged" ? .coreData : name.text.hasSuffix("Main") ? .applicationMain : .objc
      find(rule, name, symbol: "@" + name.text)
    case "main": facts.hasMainAttribute = true
    case "dynamicMemberLookup": facts.hasDynamicMembers = true
    default:
      if SwiftWords.isType(name.text) {
        let isQualified = index < tokens.count && tokens[index].isSymbol(".")
        facts.add(
          .init(name: name.text, isMember: false, isAttribute: !isQualified), at: name.offset)
        return
      }
      if !SwiftWords.attributes.contains(name.text), !name.text.hasPrefix("_") {
        find(.attribute, name, symbol: "@" + name.text)
      }
    }
    let isCalled = index < tokens.count && tokens[index].isSymbol("(")
    // `@escaping (Int) -> Void`: the parentheses are not the attribute's arguments.
    if isCalled,
      !["escaping", "autoclosure", "main", "Sendable", "noescape", "objcMembers"].contains(name.text),
      tokens[index].offset == name.offset + name.text.utf8.count
    {
      index = end(ofBracketsAt: index)
    }
  }
}
