import Testing

@testable import NearbySourceCheck

@Suite("Conditional compilation on Linux")
struct ConditionTests {
  private func active(_ source: String) -> [String] {
    let conditions = BuildConditions(modules: ["UIKit", "Foundation"])
    return conditions.parted(SwiftLexer.tokens(of: Array(source.utf8))).active.map(\.text)
  }

  @Test(
    "A condition has the value that the compiler gives it on Linux",
    arguments: [
      ("os(iOS)", false), ("os(Linux)", true), ("!os(macOS)", true), ("os(iOS) || os(Linux)", true),
      ("os(iOS) || os(macOS) && os(Linux)", false), ("(os(iOS) || os(Linux)) && !os(iOS)", true),
      ("canImport(UIKit)", true), ("canImport(AppKit)", false), ("!canImport(AppKit)", true),
      ("targetEnvironment(simulator)", false), ("!targetEnvironment(simulator)", true), ("DEBUG", true),
      ("MY_FLAG", false), ("swift(>=5.9)", true), ("swift(>=7)", false), ("compiler(<6)", false),
      ("swift(>=5.9.1) && os(Linux)", true), ("true", true), ("false", false), ("_runtime(_ObjC)", false),
    ])
  func conditions(condition: String, expected: Bool) {
    #expect(active("#if \(condition)\na\n#else\nb\n#endif\nc") == [expected ? "a" : "b", "c"])
  }

  @Test("Only the first true branch is active, and nothing nested in an inactive one")
  func branches() {
    #expect(active("#if os(iOS)\na\n#elseif os(Linux)\nb\n#elseif os(Linux)\nc\n#else\nd\n#endif") == ["b"])
    #expect(active("#if os(iOS)\n#if os(Linux)\na\n#else\nb\n#endif\n#else\nc\n#endif") == ["c"])
    #expect(active("#if os(iOS)\na") == [])
    #expect(active("#endif\n#else\na") == ["a"])
  }
}
