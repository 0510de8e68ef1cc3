import Testing

@testable import NearbySourceCheck

@Suite("The compiler's messages")
struct CompilerMessageTests {
  private func error(_ path: String?, _ line: Int, _ column: Int, _ text: String) -> CompilerMessage {
    CompilerMessage(path: path, place: SourcePlace(line: line, column: column), text: text)
  }

  @Test("Errors are read with their place; warnings, notes and source excerpts are not")
  func errors() {
    let output = """
      Sources/App/A.swift:3:14: error: cannot find 'x' in scope
      let y = x
              ^
      Sources/App/A.swift:4:1: warning: unused: error: no
      Sources/App/B C.swift:10:2: error: a: b: c
      Sources/App/A.swift:1:1: note: did you mean 'z'?
      """
    #expect(
      CompilerMessage.errors(in: output) == [
        error("Sources/App/A.swift", 3, 14, "cannot find 'x' in scope"),
        error("Sources/App/B C.swift", 10, 2, "a: b: c"),
      ])
  }

  @Test("An error in a macro's expansion is placed where the macro is used")
  func expansion() {
    let output = """
      macro expansion @Observable:3:5: error: no such thing
        3 | thing
      A.swift:7:2: note: expanded code originates here
      """
    #expect(CompilerMessage.errors(in: output) == [error("A.swift", 7, 2, "no such thing")])
  }

  @Test(
    "An error without a place has no path",
    arguments: ["error: no such module map", "<unknown>:0: error: no such module map"])
  func placeless(line: String) {
    #expect(CompilerMessage.errors(in: line) == [error(nil, 1, 1, "no such module map")])
  }

  @Test(
    "Hostile output is read with bounds", arguments: ["::: error: ", ":1:1: error: x", "a:b:1: error: c", ""])
  func hostile(line: String) {
    #expect(CompilerMessage.errors(in: line).count <= 1)
    let many = String(repeating: "A.swift:1:1: error: \(String(repeating: "x", count: 400))\n", count: 6000)
    let errors = CompilerMessage.errors(in: many)
    #expect(errors.count == 5000)
    #expect(errors.allSatisfy { $0.text.count == 300 })
  }
}
