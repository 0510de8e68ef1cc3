/// The targets of a Swift package, read from its manifest without running it.
///
/// A target that the manifest computes is not found.
package struct PackageManifest: Equatable, Sendable {
  package struct Target: Equatable, Sendable {
    package var name: String
    package var isTest: Bool
    /// Relative to the package's folder; `nil` for the default path.
    package var path: String?
    package var excluded: [String]
    /// The only sources of the target, if the manifest lists them; otherwise empty.
    package var sources: [String]
  }

  package var targets: [Target] = []

  private static let kinds: Set<String> = ["target", "executableTarget", "testTarget", "macro", "plugin"]

  package init(parsing octets: [UInt8]) {
    let source = SwiftLexer.tokens(of: octets)
    let lines = StringPieces(octets)
    var index = 0
    while index + 2 < source.count {
      defer { index += 1 }
      let kind = source[index + 1]
      guard source[index].isSymbol("."), kind.kind == .word, Self.kinds.contains(kind.text),
        source[index + 2].isSymbol("(")
      else { continue }
      if let target = Self.target(source, from: index + 3, kind: kind.text, lines) { targets.append(target) }
    }
  }

  /// Parses a target's arguments up to its closing parenthesis.
  private static func target(
    _ tokens: [SwiftToken], from start: Int, kind: String, _ strings: StringPieces
  ) -> Target? {
    var target = Target(name: "", isTest: kind == "testTarget", path: nil, excluded: [], sources: [])
    var depth = 1
    var label = ""
    var index = start
    while index < tokens.count, depth > 0 {
      let token = tokens[index]
      if token.isSymbol("(") || token.isSymbol("[") { depth += 1 }
      if token.isSymbol(")") || token.isSymbol("]") { depth -= 1 }
      if depth == 1, token.kind == .word, index + 1 < tokens.count, tokens[index + 1].isSymbol(":") {
        label = token.text
      }
      if token.kind == .text, let text = strings.text(at: token.offset) {
        switch (label, depth) {
        case ("name", 1): target.name = text
        case ("path", 1): target.path = text
        case ("exclude", 2): target.excluded.append(text)
        case ("sources", 2): target.sources.append(text)
        default: break
        }
      }
      index += 1
    }
    // `.target(name:)` inside a target's dependencies is only a reference: it has no other argument.
    return target.name.isEmpty ? nil : target
  }

  /// Extracts plain string literals by offset.
  private struct StringPieces {
    private let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    func text(at offset: Int) -> String? {
      guard offset < octets.count, octets[offset] == UInt8(ascii: "\"") else { return nil }
      let rest = octets[(offset + 1)...]
      guard let end = rest.prefix(1000).firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      let piece = rest[..<end]
      return piece.contains(UInt8(ascii: "\\")) ? nil : String(decoding: piece, as: UTF8.self)
    }
  }
}
