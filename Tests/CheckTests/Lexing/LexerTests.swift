import Testing

@testable import NearbySourceCheck

@Suite("Swift lexer")
struct LexerTests {
  private func texts(_ source: String) -> [String] { SwiftLexer.tokens(of: Array(source.utf8)).map(\.text) }

  @Test(
    "Names are found in code, not in comments and strings",
    arguments: [
      ("a /* b /* c */ d */ e // f\ng", ["a", "e", "g"]),
      ("\"a \\(b) c\"", ["\"", "(", "b", ")"]),
      ("\"a \\(b(\"x \\(c)\")) d\" e", ["\"", "(", "b", "(", "\"", "(", "c", ")", ")", ")", "e"]),
      ("#\"a \\(b) \\#(c) \"# d", ["\"", "(", "c", ")", "d"]),
      ("\"\"\"\n a \"b\" \\(c)\n \"\"\" d", ["\"", "(", "c", ")", "d"]),
      ("#\"\"\"# a", ["\"", "a"]),
      ("\"\" a", ["\"", "a"]),
      ("let r = /a\"b/ c", ["let", "r", "=", "/", "c"]),
      ("a / b / c", ["a", "/", "b", "/", "c"]),
      ("#/ a\"b /# c", ["/", "c"]),
      ("`class` $0 $x 0x1F 1_000.5e-3 1...2", ["class", "$0", "$x", "0x1F", "1_000.5e-3", "1", "...", "2"]),
      ("\"not closed\nb", ["\"", "b"]),
      ("#if os(iOS)", ["#if", "os", "(", "iOS", ")"]),
      ("größe.länge", ["größe", ".", "länge"]),
      ("#!/usr/bin/swift\na", ["a"]),
    ])
  func tokens(source: String, expected: [String]) {
    #expect(texts(source) == expected)
  }

  @Test("Each token has its line and column")
  func places() {
    let source = Array("a\n  bc /* \n */ d".utf8)
    let lines = LineTable(source)
    let places = SwiftLexer.tokens(of: source).map { lines.place(of: $0.offset) }
    #expect(places == [.init(line: 1, column: 1), .init(line: 2, column: 3), .init(line: 3, column: 5)])
    #expect(SwiftLexer.tokens(of: source).map(\.isFirstOnLine) == [true, true, true])
  }

  @Test(
    "200 000 octets of a repeated fragment are checked within a minute",
    arguments: [
      "\"\\(", "/*", "`", "#", "/\\/", "(\"", "\"\"\"", "{[(", "let (", "#if (", "@a(", "x<", "case a,",
      "for ",
      "class A {", "{ (a", "\\", ".", "$", "\u{0}",
    ])
  func hostile(piece: String) throws {
    let octets = Array(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
    let start = ContinuousClock.now
    let module = SourceModule(name: "A", files: [SourceFile(path: "a.swift", octets: octets)])
    _ = try ProjectCheck.report([module], table: .linux())
    #expect(ContinuousClock.now - start < .seconds(60))
  }
}
