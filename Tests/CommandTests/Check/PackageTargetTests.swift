import NearbySourceCheck
import Testing

@testable import nearby

@Suite("Targets of an app's package")
struct PackageTargetTests {
  private func module(_ name: String, isTest: Bool = false, _ files: [String: String]) -> SourceModule {
    let sources = files.sorted { $0.key < $1.key }.map {
      SourceFile(path: $0.key, octets: Array($0.value.utf8))
    }
    return SourceModule(name: name, isTest: isTest, files: sources)
  }

  private func targets(_ modules: [SourceModule]) throws -> [PackageTarget] {
    let table = try ModuleTable.linux()
    return PackageTargets.all(ProjectCheck.report(modules, table: table), table: table)
  }

  @Test("A target comes after those that it imports, and a cycle is cut")
  func order() throws {
    let sorted = try targets([
      module("AppTests", isTest: true, ["T/A.swift": "import App"]),
      module("App", ["App/A.swift": "import Kit"]), module("Kit", ["Kit/A.swift": "let a = 1"]),
    ])
    #expect(sorted.map(\.name) == ["Kit", "App", "AppTests"])
    #expect(sorted.map(\.siblings) == [[], ["Kit"], ["App"]])
    let cycle = try targets([module("A", ["a.swift": "import B"]), module("B", ["b.swift": "import A"])])
    #expect(cycle.map(\.siblings) == [[], ["A"]])
  }

  @Test("Files with equal names in a module get distinct ones")
  func equalNames() throws {
    let target = try #require(
      try targets([module("App", ["x/A.swift": "", "y/A.swift": "", "z/y/A.swift": "", "y_A.swift": ""])])
        .first)
    let names = target.files.map { $0.place.split(separator: "/").last.map(String.init) ?? "" }
    #expect(Set(names).count == 4)
    #expect(names.first == "A.swift")
  }

  @Test(
    "A module with the name of a type or of a module here gets another",
    arguments: [
      ("CBUUID", "CBUUIDApp"), ("Error", "ErrorApp"), ("CoreBluetooth", "CoreBluetoothApp"), ("Chat", "Chat"),
    ])
  func takenNames(name: String, expected: String) throws {
    let sorted = try targets([
      module(name, ["a.swift": "public let a = 1"]),
      module("Tests", isTest: true, ["t.swift": "import \(name)"]),
    ])
    #expect(sorted.map(\.name) == [expected, "Tests"])
    let text = CheckManifest(targets: sorted, location: .folder("/of/swift-nearby")).text
    #expect(text.contains("\"-module-alias\", \"\(name)=\(expected)\"") == (name != expected))
  }

  @Test("Equally named modules get distinct names, and a file that both compile is in the first")
  func equalModules() throws {
    let sorted = try targets([
      module("App", ["a.swift": "let a = 1"]),
      module("App", ["a.swift": "let a = 1", "b.swift": "let b = 1"]),
      module("App", ["a.swift": "let a = 1"]),
    ])
    #expect(sorted.map(\.name) == ["App", "App_2"])
    #expect(sorted.map { $0.files.map(\.path) } == [["a.swift"], ["b.swift"]])
  }

  @Test("Tests have no main file, and LinuxMain is left out")
  func mainFiles() throws {
    let sorted = try targets([
      module("T", isTest: true, ["t/main.swift": "print(1)", "t/a.swift": "let a = 1"]),
      module("App", ["LinuxMain.swift": "print(1)", "main.swift": "print(2)"]),
    ])
    #expect(sorted.flatMap(\.files).map(\.path) == ["t/a.swift", "main.swift"])
    #expect(sorted.map(\.isProgram) == [false, true])
  }

  @Test(
    "The first test uses the framework that the app uses",
    arguments: [
      (["CoreBluetooth", "CoreLocation"], "CoreBluetooth"), (["CoreLocation"], "CoreLocation"),
      (["MultipeerConnectivity", "CoreBluetooth"], "MultipeerConnectivity"),
      (["NearbyInteraction", "MultipeerConnectivity"], "NearbyInteraction"), (["Foundation"], nil),
    ])
  func firstTest(imports: [String], framework: String?) throws {
    let text = imports.map { "import \($0)" }.joined(separator: "\n")
    let target = try #require(try targets([module("App", ["a.swift": text])]).first)
    let test = try #require(FirstTest.files(target).first)
    #expect(test.path == "Tests/AppOnLinuxTests/FirstTests.swift")
    #expect(test.text.contains("@testable import App\n"))
    #expect(FirstTest.products(target) == ["NearbyTesting"] + [framework].compactMap { $0 })
    for name in ["CoreBluetooth", "CoreLocation", "MultipeerConnectivity", "NearbyInteraction"] {
      #expect(test.text.contains("import \(name)\n") == (name == framework))
    }
    let apart = FirstTest.files(target, isApart: true)
    #expect(apart.map { $0.text.contains("@testable import App") } == [false, true])
  }
}
