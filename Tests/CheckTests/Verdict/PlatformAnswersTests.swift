import Testing

@testable import NearbySourceCheck

@Suite("Code for iOS")
struct PlatformAnswersTests {
  private func answers(_ files: KeyValuePairs<String, String>) throws -> (PlatformAnswers, CheckReport) {
    let sources = files.map { SourceFile(path: $0.key, octets: Array($0.value.utf8)) }
    let table = try ModuleTable.linux()
    let answers = PlatformAnswers([SourceModule(name: "App", files: sources)], table: table)
    return (answers, ProjectCheck.report(answers.modules, table: table))
  }

  private func text(_ answers: PlatformAnswers, _ file: Int) -> String {
    String(decoding: answers.modules[0].files[file].octets, as: UTF8.self)
  }

  @Test("What is switched off is reported with its number of lines and its subject")
  func switchedOff() throws {
    let report = try check([
      "A.swift": """
      import CoreLocation
      final class Watcher: NSObject {}
      extension Watcher: CLLocationManagerDelegate {
        #if os(iOS)
        func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {

          print(region)
        }
        #endif
      }
      #if os(iOS)
      let uuid = CLBeaconRegion.self
      #endif
      """
    ])
    #expect(
      report.files.first?.switchedOff == [
        SwitchedOff(line: 4, lineCount: 3, subjects: ["CLLocationManagerDelegate"]),
        SwitchedOff(line: 11, lineCount: 1, subjects: ["CLBeaconRegion"]),
      ])
  }

  @Test("Code for iOS that builds is compiled on Linux, and so is a file that needs it")
  func yes() throws {
    let files: KeyValuePairs = [
      "A.swift":
        "import Foundation\n#if os(iOS)\nstruct Shared {}\n#elseif os(macOS)\nstruct Shared {}\n#endif",
      "B.swift": "let shared = Shared()",
    ]
    #expect(try check(files).states()["B.swift"] != .builds)
    let (answers, report) = try answers(files)
    #expect(report.states() == ["A.swift": .builds, "B.swift": .builds])
    #expect(text(answers, 0).contains("#if (os(iOS) || os(Linux))"))
    #expect(answers.count == 1)
  }

  @Test("Code for iOS that does not build stays switched off, branch by branch")
  func no() throws {
    let (answers, report) = try answers([
      "A.swift": """
      import CoreLocation
      #if os(iOS)
      class Screen: UITableView {}
      #endif
      #if os(iOS)
      let region: CLRegion? = nil
      #endif
      """
    ])
    #expect(report.states() == ["A.swift": .builds])
    #expect(text(answers, 0).split(separator: "\n")[1] == "#if os(iOS)")
    #expect(text(answers, 0).split(separator: "\n")[4] == "#if (os(iOS) || os(Linux))")
  }

  @Test("A file that builds only without the answer keeps its other branch")
  func fallback() throws {
    let source = "#if os(iOS)\nlet a = 1\n#else\nlet otherBranch = 1\n#endif\nlet c = otherBranch"
    let (answers, report) = try answers(["A.swift": source])
    #expect(report.states() == ["A.swift": .builds])
    #expect(text(answers, 0) == source)
  }

  @Test("The compiler withdraws the innermost answer around its error")
  func withdrawal() throws {
    var (answers, _) = try answers([
      "A.swift": "#if os(iOS)\nlet a = 1\n#if os(iOS)\nlet b = 2\n#endif\n#endif"
    ])
    #expect(answers.count == 2)
    var results = [answers.withdraw(0, 0, line: 4)]
    #expect(text(answers, 0).split(separator: "\n")[2] == "#if os(iOS)")
    results.append(answers.withdraw(0, 0, line: 4))
    results.append(answers.withdraw(0, 0, line: 4))
    #expect(results == [true, true, false])
    #expect(answers.count == 0)
  }
}
