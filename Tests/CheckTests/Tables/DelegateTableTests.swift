import Testing

@testable import NearbySourceCheck

@Suite("The table of delegates")
struct DelegateTableTests {
  private func parse(_ text: String) throws(NameTableError) -> DelegateTable {
    try DelegateTable(parsing: Array(text.utf8), file: "delegates.txt")
  }

  @Test("Reads methods with their labels and types")
  func methods() throws {
    let table = try parse(
      "# made\n\nprotocol D\nrequired f(A, with: [String : Any]?, done: (Bool) -> Void)\noptional g(A)\n")
    let method = try #require(table.methods["f"]?.first)
    #expect(method.signature.title == "f(_:with:done:)")
    #expect(method.signature.parameters.map(\.type.text) == ["A", "[String : Any]?", "(Bool) -> Void"])
    #expect(method.signature.parameters.map(\.type.isOptional) == [false, true, false])
    #expect(table.required == ["D": ["f(_:with:done:)"]])
    #expect(table.delegates == ["D"])
  }

  @Test(
    "Rejects lines that it does not understand",
    arguments: [
      ("required f(A)", 1), ("protocol D\nrequired f", 2), ("protocol D\nrequired f(A", 2), ("protocol", 1),
      ("protocol D\nother f(A)", 2), ("protocol D\noptional", 2), ("protocol D\n ", 2),
    ])
  func malformed(text: String, line: Int) {
    #expect(throws: NameTableError.malformed(file: "delegates.txt", line: line)) { try parse(text) }
  }

  @Test("The table beside the program has the frameworks' protocols")
  func linux() throws {
    let table = try ModuleTable.linux().delegates
    #expect(
      table.delegates.isSuperset(of: ["CLLocationManagerDelegate", "MCSessionDelegate", "NISessionDelegate"]))
    #expect(table.required["CBCentralManagerDelegate"] == ["centralManagerDidUpdateState(_:)"])
  }
}
