import Testing

@testable import NearbySourceCheck

@Suite("Name tables")
struct NameTableTests {
  private func parse(_ text: String) throws(NameTableError) -> [ModuleNames] {
    try NameTable(parsing: Array(text.utf8), file: "names.txt").modules
  }

  @Test("Lines of one kind are combined; comments and empty lines are ignored")
  func parsing() throws {
    let modules = try parse(
      "# made\n\nmodule A\nfree B C\nfree D\nmembers e côteDIvoire\n\nmodule _F\nexports A\nmembers g1\n")
    #expect(
      modules == [
        ModuleNames(module: "A", free: ["B", "C", "D"], members: ["e", "côteDIvoire"]),
        ModuleNames(module: "_F", members: ["g1"], exports: ["A"]),
      ])
  }

  @Test(
    "A malformed line is an error that names the line",
    arguments: [
      ("free A", 1), ("module A\nfree", 2), ("module A\nfree ", 2), ("module A\nfree B  C", 2),
      ("module A B", 1), ("module A\nnames B", 2), ("module A\nfree 1B", 2), ("module A\nmembers b-c", 2),
      ("module A\r\nfree B", 1), ("\n\n\u{0}", 3),
    ])
  func malformed(text: String, line: Int) {
    #expect(throws: NameTableError.malformed(file: "names.txt", line: line)) { try parse(text) }
  }

  @Test("A duplicate module is an error")
  func duplicate() {
    let error = NameTableError.duplicateModule(file: "names.txt", line: 3, module: "A")
    #expect(throws: error) { try parse("module A\nfree B\nmodule A\n") }
  }

  @Test("A missing table is an error that names the path")
  func missing() {
    #expect {
      try NameTable(resource: "nothing.txt")
    } throws: { error in
      guard case .missing(let path) = error as? NameTableError else { return false }
      return path.hasSuffix("/Names/nothing.txt")
    }
  }

  @Test("A table holds at most 64 modules")
  func capacity() throws {
    let modules = (0..<65).map { ModuleNames(module: "M\($0)", free: ["T\($0)"]) }
    let table = try ModuleTable(Array(modules.prefix(64)))
    #expect(table.names(of: table.free("T63")) == ["M63"])
    #expect(throws: NameTableError.tooManyModules(count: 65)) { try ModuleTable(modules) }
  }

  @Test("The bundled tables contain names of the toolchain and of this package")
  func bundled() throws {
    let table = try ModuleTable.linux()
    for (name, module) in [
      ("Sequence", "Swift"), ("JSONEncoder", "Foundation"), ("URLSession", "FoundationNetworking"),
      ("NISession", "NearbyInteraction"), ("MCSession", "MultipeerConnectivity"), ("simd_mul", "simd"),
    ] {
      #expect(table.names(of: table.free(name)) == [module], "\(name)")
    }
    #expect(table.names(of: table.members("discoveryToken")) == ["NearbyInteraction"])
    #expect(table.reach(of: "SwiftUI").map(table.names(of:))?.contains("UIKit") == true)
  }
}
