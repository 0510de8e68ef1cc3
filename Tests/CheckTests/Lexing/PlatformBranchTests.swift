import Testing

@testable import NearbySourceCheck

@Suite("Branches for iOS")
struct PlatformBranchTests {
  private func branches(_ source: String) -> [PlatformBranch] {
    PlatformBranch.all(in: Array(source.utf8), modules: ["UIKit"])
  }

  private func answered(_ source: String) -> String {
    String(decoding: PlatformBranch.answering(branches(source), in: Array(source.utf8)), as: UTF8.self)
  }

  @Test(
    "A branch that only iOS compiles is found and answered with yes",
    arguments: [
      ("#if os(iOS)\na\n#endif", "#if (os(iOS) || os(Linux))\na\n#endif", 1...3),
      (
        "#if os(iOS)\na\n#elseif os(macOS)\nb\n#endif",
        "#if (os(iOS) || os(Linux))\na\n#elseif os(macOS)\nb\n#endif", 1...3
      ),
      (
        "#if os(macOS)\na\n#elseif os(iOS)\nb\n#else\nc\n#endif",
        "#if os(macOS)\na\n#elseif (os(iOS) || os(Linux))\nb\n#else\nc\n#endif", 3...5
      ),
      (
        "#if os(iOS) && canImport(UIKit)\na\n#endif",
        "#if (os(iOS) || os(Linux)) && canImport(UIKit)\na\n#endif", 1...3
      ),
      ("#if os(tvOS) || os(iOS)\na\n#endif", "#if os(tvOS) || (os(iOS) || os(Linux))\na\n#endif", 1...3),
    ])
  func found(source: String, expected: String, lines: ClosedRange<Int>) {
    let found = branches(source)
    #expect(found.map(\.start) == [lines.lowerBound])
    #expect(found.map(\.end) == [lines.upperBound])
    #expect(answered(source) == expected)
    #expect(branches(answered(source)) == [], "an answered branch is not found again")
  }

  @Test(
    "Other branches are left alone",
    arguments: [
      "#if !os(iOS)\na\n#endif", "#if os(macOS)\na\n#endif", "#if DEBUG\na\n#endif",
      "#if os(iOS) && canImport(Nowhere)\na\n#endif", "#if os(Linux)\na\n#elseif os(iOS)\nb\n#endif",
      "#if os(iOS)\na\n#elseif os(Linux)\nb\n#endif", "#if canImport(UIKit)\na\n#elseif os(iOS)\nb\n#endif",
      "// #if os(iOS)\n", "\"#if os(iOS)\"",
    ])
  func untouched(source: String) {
    #expect(branches(source) == [])
    #expect(answered(source) == source)
  }

  @Test("Branches inside branches are found too, and one that never ends is dropped")
  func nested() {
    let source = "#if os(iOS)\n#if os(iOS)\na\n#endif\n#endif\n#if os(iOS)\nb"
    #expect(branches(source).map(\.start) == [1, 2])
    #expect(branches(source).map(\.end) == [5, 4])
  }

  @Test("Directives without partners and deep nesting are read without a trap")
  func hostile() {
    for source in [
      "#endif\n#else\n#elseif os(iOS)", "#if", "#if os(", String(repeating: "#if os(iOS)\n", count: 5000),
    ] {
      #expect(branches(source) == [])
    }
    let many = String(repeating: "#if os(iOS)\na\n#endif\n", count: 800)
    #expect(branches(many).count <= 501)
  }
}
