/// A method's name, labels and types of parameters.
struct MethodSignature: Equatable, Sendable {
  struct Parameter: Equatable, Sendable {
    /// `_` if there is none.
    var label: String
    var type: TypeText
    var hasDefault = false
    /// Offset of the type.
    var offset: Int
  }

  var name: String
  var parameters: [Parameter]
  /// Index of the token after the parentheses.
  let end: Int

  /// Maximum number of tokens in the parentheses; no delegate's method has a quarter of it.
  private static let longest = 200

  /// Parses a declaration from its name on.
  ///
  /// - Parameter isBare: Whether parameters without a label and name consist of their type, as in the table of delegates.
  /// - Returns: `nil` if the text is no method's declaration, or a generic one.
  init?(_ tokens: [SwiftToken], nameAt start: Int, isBare: Bool = false) {
    guard start + 1 < tokens.count, tokens[start].isName, tokens[start + 1].isSymbol("(") else { return nil }
    name = tokens[start].text
    parameters = []
    var (depth, current) = (0, start + 1)
    var part: [SwiftToken] = []
    while current < tokens.count, current - start < Self.longest {
      let token = tokens[current]
      current += 1
      if token.kind == .symbol {
        if ["(", "[", "{", "<"].contains(token.text) { depth += 1 }
        if [")", "]", "}", ">"].contains(token.text) { depth -= 1 }
        if depth == 1, token.text == "(", part.isEmpty { continue }
        if depth == 1 && token.text == "," || depth == 0 {
          if let parameter = Self.parameter(part, isBare) {
            parameters.append(parameter)
          } else if !part.isEmpty {
            return nil
          }
          part = []
          if depth == 0 {
            end = current
            return
          }
          continue
        }
      }
      part.append(token)
    }
    return nil
  }

  private static func parameter(_ tokens: [SwiftToken], _ isBare: Bool) -> Parameter? {
    var depth = 0
    let colon = tokens.firstIndex { token in
      if token.isSymbol("[") || token.isSymbol("(") { depth += 1 }
      if token.isSymbol("]") || token.isSymbol(")") { depth -= 1 }
      return depth == 0 && token.isSymbol(":")
    }
    guard let first = tokens.first else { return nil }
    guard let colon else {
      return isBare ? Parameter(label: "_", type: TypeText(tokens[...]), offset: first.offset) : nil
    }
    guard colon == 1 || colon == 2, first.kind != .symbol, colon + 1 < tokens.count else { return nil }
    // A default value ends the type.
    let last = tokens[colon...].firstIndex { $0.isSymbol("=") } ?? tokens.endIndex
    return Parameter(
      label: first.text, type: TypeText(tokens[(colon + 1)..<last]), hasDefault: last != tokens.endIndex,
      offset: tokens[colon + 1].offset)
  }

  /// `name(_:label:)`.
  var title: String { name + "(" + parameters.map { $0.label + ":" }.joined() + ")" }

  func hasLabels(of other: MethodSignature) -> Bool {
    name == other.name && parameters.count == other.parameters.count
      && zip(parameters, other.parameters).allSatisfy { $0.label == $1.label }
  }
}

/// A type as a sequence of words, for comparing how two declarations write it.
struct TypeText: Equatable, Sendable {
  /// The words without `any`, attributes, the module's name, and the mark of an optional at the end.
  private let words: [String]
  /// As written, with one space where the source has any.
  let text: String
  let isOptional: Bool

  /// Modules whose names apps write before their types.
  private static let modules: Set<String> = [
    "Foundation", "Swift", "CoreBluetooth", "CoreLocation", "MultipeerConnectivity", "NearbyInteraction",
    "ARKit",
  ]

  init(_ tokens: ArraySlice<SwiftToken>) {
    text = Self.spelled(tokens)
    var words: [String] = []
    for index in tokens.indices {
      let token = tokens[index]
      let isAttribute = token.isSymbol("@") || index > tokens.startIndex && tokens[index - 1].isSymbol("@")
      let isModule =
        Self.modules.contains(token.text) && index + 1 < tokens.endIndex && tokens[index + 1].isSymbol(".")
      let isBehindModule =
        token.isSymbol(".") && index > tokens.startIndex && Self.modules.contains(tokens[index - 1].text)
      if !isAttribute, !isModule, !isBehindModule, token.text != "any" { words.append(token.text) }
    }
    isOptional = words.last == "!" || words.last == "?"
    if isOptional { words.removeLast() }
    // `((Bool) -> Void)!` and `(any Error)?` need the parentheses only for the mark.
    if words.first == "(", words.last == ")", Self.isOnePair(words),
      isOptional || !words.contains("->")
    {
      words = Array(words.dropFirst().dropLast())
    }
    self.words = words
  }

  /// Whether the first parenthesis closes at the end.
  private static func isOnePair(_ words: [String]) -> Bool {
    var depth = 0
    for (index, word) in words.enumerated() {
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if depth == 0 { return index == words.count - 1 }
    }
    return false
  }

  private static func spelled(_ tokens: ArraySlice<SwiftToken>) -> String {
    var text = ""
    var end: Int?
    for token in tokens {
      if let end, token.offset > end { text += " " }
      text += token.text
      end = token.offset + token.text.utf8.count
    }
    return text
  }

  /// Whether it is a function that can be passed without `Optional`.
  var isFunction: Bool { !isOptional && words.contains("->") }

  /// Whether both are the same type except for the optional.
  func isEqualUnwrapped(to other: TypeText) -> Bool { words == other.words }
}
