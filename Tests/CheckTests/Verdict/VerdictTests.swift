import Testing

@testable import NearbySourceCheck

@Suite("Verdicts on files")
struct VerdictTests {
  @Test(
    "Code that does not build on Linux is reported with its position",
    arguments: [
      ("@objc func a() {}", "@objc@1:2", BuildObstacle.Kind.objectiveC),
      ("@IBOutlet var a: Int?", "@IBOutlet@1:2", .view),
      ("import Foundation\nlet t = #selector(Date.now)", "#selector@2:9", .objectiveC),
      ("import Foundation\nlet s = Selector(\"a\")", "Selector@2:9", .objectiveC),
      ("import Foundation\nautoreleasepool { print(1) }", "autoreleasepool@2:1", .objectiveC),
      ("import Foundation\nlet t = CFAbsoluteTimeGetCurrent()", "CFAbsoluteTimeGetCurrent@2:9", .symbol),
      ("import Foundation\nvar e: NSErrorPointer = nil", "NSErrorPointer@2:8", .objectiveC),
      ("import CoreData", "CoreData@1:8", .module),
      ("import CoreBluetooth.CBNothing", "CoreBluetooth.CBNothing@1:8", .module),
      ("import SwiftUI\nstruct A: View {}", "View@2:11", .view),
      ("import UIKit\nclass A: UITableView {}", "UITableView@2:10", .view),
      (
        "import UIKit\nlet a: UITableViewController? = nil", "UITableViewController@2:8",
        .view
      ),
      ("import Foundation\nlet p = NSPredicate(format: \"a\")", "NSPredicate(format:)@2:9", .symbol),
      (
        "import Foundation\nlet r = URLRequest(url: URL(fileURLWithPath: \"/\"))", "URLRequest@2:9",
        .missingImport
      ),
      ("let d = Date()", "Date@1:9", .missingImport),
      ("import Foundation\nlet x = Nowhere()", "Nowhere@2:9", .symbol),
      ("import Foundation\nlet x = Date().nowhere", ".nowhere@2:16", .symbol),
      ("#error(\"no\")", "#error@1:1", .syntax),
    ])
  func obstacle(source: String, expected: String, kind: BuildObstacle.Kind) throws {
    let report = try check(["A.swift": source])
    #expect(report.obstacles() == [expected])
    #expect(report.files.first?.obstacles.first?.kind == kind)
    #expect(report.files.first?.obstacles.first?.advice.isEmpty == false)
  }

  @Test(
    "Code that builds on Linux is not reported",
    arguments: [
      "import os.log\nimport MultipeerConnectivity.MCPeerID\nlet l = OSLog.default",
      "import Foundation\n#if os(iOS)\n@objc class A: UIView {}\n#endif",
      "import Foundation\n#if canImport(AppKit)\nimport AppKit\n#elseif canImport(UIKit)\nimport UIKit\n#endif",
      "import MultipeerConnectivity\nlet name = UIDevice.current.name",
      "import MultipeerConnectivity\n@Observable class A { var n = 1 }",
      "import UserNotifications\nlet c = UNUserNotificationCenter.current()\nc.removeAllDeliveredNotifications()",
      "import CoreGraphics\nlet p = CGPoint(x: 1, y: 2), v = CGVector(dx: 1, dy: 2)",
      "import CryptoKit\nlet d = SHA256.hash(data: Data()), k = SymmetricKey(size: .bits256)",
      "import CommonCrypto\nimport Foundation\nvar h = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))\n"
        + "CC_SHA256([1], CC_LONG(1), &h)",
      "import CoreLocation\nlet n = NSEC_PER_SEC, t = FileManager.default.ubiquityIdentityToken\n"
        + "UserDefaults.standard.setValue(1, forKey: \"a\")",
      "import SwiftUI\nvar a = [1, 2]\na.remove(atOffsets: IndexSet(integer: 0))\n"
        + "a.move(fromOffsets: [0], toOffset: 1)\nlet r = IndexPath(row: 1, section: 0).row",
      "import CoreBluetooth\nlet s = CBPeripheralManager.authorizationStatus(), u = CBUUID()",
      "import Combine\nlet m: Publishers.Merge<Just<Int>, Just<Int>>? = nil, f: Publishers.FirstWhere<Just<Int>>? = nil",
      "import CoreLocation.CLHeading\nvar h: CLHeading?\nautoreleasepool { print(CFAbsoluteTimeGetCurrent()) }",
      "import os.signpost\nos_signpost(.event, log: .default, name: \"a\")",
      "import NearbyInteraction\nlet v = simd_float3(1, 2, 3); let d = DispatchQueue.main; let l = simd_length(v)",
      "let text = \"\"\"\n @objc #selector \\(1 + 2) UIView\n \"\"\" // UIView\n/* /* UIView */ */",
      "func f<T: Equatable>(_ a: T, by b: T...) -> (same: Bool, count: Int) { (b.contains(a), b.count) }\n"
        + "let same = f(1, by: 1).same",
      "enum E { case a(x: Int), b\n case c }\nfunc g(_ e: E) -> Int {\n switch e { case .a(let x): x\n default: 0 } }",
      "let f = { [weak o = nil as AnyObject?] (a: Int, b) -> Int in a + b + (o == nil ? 0 : 1) } as (Int, Int) -> Int",
      "for (i, x) in [1, 2].enumerated() where i > 0 { print(x, i) }\nouter: for y in 0..<3 { if y > 1 { break outer } }",
      "extension [Int] { var twice: [Int] { map { $0 * 2 } } }\nlet t = [1].twice",
      "func f() async { await withTaskCancellationHandler { print(1) } onCancel: { print(2) } }",
      "import Foundation\nlet q = /ab\\/c+/\nlet w = 4 / 2 / 1",
      "import Combine\nfinal class M: ObservableObject { @Published var n = 0\n var c: Set<AnyCancellable> = []\n"
        + " init() { $n.sink { print($0) }.store(in: &c) } }",
      "import Observation\n@Observable final class M { var n = 0\n func f() { _n += 1 } }",
      "do { throw CancellationError() } catch { print(error) }\nvar a: Int { get { 0 } set(v) { print(v) } }",
      "struct `Default` { let `class`: Int; var package = 1 }\nlet d = `Default`(class: 1).package",
      "import Foundation\nextension Notification.Name { static let mine = Notification.Name(\"a\") }\n"
        + "func f() { NotificationCenter.default.post(name: .mine, object: nil) }",
    ])
  func fine(source: String) throws {
    #expect(try check(["A.swift": source]).obstacles() == [])
  }

  @Test("A file that uses a type declared in a view file waits, and so do files that depend on it")
  func fixedPoint() throws {
    let report = try check([
      "View.swift": "import SwiftUI\nstruct Screen: View { let m: Model }\nstruct Item { var title = 1 }",
      "Model.swift": "class Model { var items: [Item] = [] }",
      "Store.swift": "let store = Model()",
      "Use.swift": "let n = store",
      "Free.swift": "struct Free { var n = 0 }",
      "Circle.swift": "struct A { var b: B? }",
      "Circle2.swift": "final class B { var a: A? }",
    ])
    #expect(
      report.states() == [
        "View.swift": .view, "Model.swift": .waits, "Store.swift": .waits, "Use.swift": .waits,
        "Free.swift": .builds,
        "Circle.swift": .builds, "Circle2.swift": .builds,
      ])
    let model = report.files.first { $0.path == "Model.swift" }
    #expect(model?.obstacles.map(\.reason) == ["is declared in View.swift, which does not build"])
    #expect(report.fixes.first?.title == "move Item out of View.swift into a file that builds")
    #expect(report.fixes.first?.freedCount == 3)
  }

  @Test(
    "Only files that declare a view count as views; files that use a view's types are blocked",
    arguments: [
      ("import SwiftUI\nstruct A: View {}", FileVerdict.State.view),
      ("import SwiftUI\nenum A { struct B<T: Equatable>: SwiftUI.ViewModifier {} }", .view),
      ("import UIKit\nfinal class A: UITableViewCell {}", .view),
      ("import SwiftUI\n#Preview { Text(\"a\") }", .view),
      ("import SwiftUI\nextension Color { static let brand = Color.red }", .blocked),
      ("import UIKit\nstruct Theme { let font: UIFont }", .blocked),
      ("import MapKit\nfinal class A: NSObject, MKMapViewDelegate {}", .blocked),
      ("import StoreKit\nfinal class A: NSObject, SKProductsRequestDelegate {}", .blocked),
      ("import SwiftUI\nfunc f(_ a: some View) where A: View {}", .blocked),
    ])
  func views(source: String, state: FileVerdict.State) throws {
    let report = try check(["A.swift": source])
    #expect(report.states() == ["A.swift": state])
    #expect(report.files.first?.obstacles.isEmpty == false)
  }

  @Test("A subclass of the app's own view is a view; the app's own type hides a framework's")
  func viewsOfTheApp() throws {
    let report = try check([
      "Base.swift": "import UIKit\nclass Base: UITableViewController {}",
      "Screen.swift": "final class Screen: Base {}",
      "Shape.swift": "protocol Shape {}\nlet x = Nowhere()",
      "Square.swift": "struct Square: Shape {}",
    ])
    #expect(
      report.states() == [
        "Base.swift": .view, "Screen.swift": .view, "Shape.swift": .blocked, "Square.swift": .waits,
      ])
  }

  @Test("A type that is also declared in a file that builds is available")
  func twice() throws {
    let report = try check([
      "A.swift": "import UIKit\nclass V: UIView {}\nstruct Item {}", "B.swift": "struct Item {}",
      "C.swift": "let i = Item()",
    ])
    #expect(report.states() == ["A.swift": .view, "B.swift": .builds, "C.swift": .builds])
  }

  @Test("A type declared only for another system is reported as such")
  func inactive() throws {
    let report = try check([
      "A.swift": "#if os(iOS)\nstruct Phone {}\n#endif", "B.swift": "let p = Phone()",
    ])
    #expect(report.files.map(\.state) == [.builds, .blocked])
    #expect(report.files[1].obstacles.map(\.kind) == [.inactive])
  }

  @Test("The app's own type hides an imported one of the same name")
  func hidden() throws {
    let report = try check([
      "A.swift": "import UIKit\nclass V: UIView {}\nstruct Logger {}",
      "B.swift": "import os\nlet l = Logger()",
    ])
    #expect(report.states() == ["A.swift": .view, "B.swift": .waits])
  }

  @Test("Modules of one project see each other's names")
  func modules() throws {
    let core = SourceModule(
      name: "Core",
      files: [SourceFile(path: "C.swift", octets: Array("public struct Peer { public init() {} }".utf8))])
    let app = SourceModule(
      name: "App",
      files: [
        SourceFile(path: "A.swift", octets: Array("import Core\nlet p = Core.Peer()".utf8)),
        SourceFile(path: "B.swift", octets: Array("let p = Other()".utf8)),
      ])
    let report = try ProjectCheck.report([core, app], table: .linux())
    #expect(report.states() == ["C.swift": .builds, "A.swift": .builds, "B.swift": .blocked])
  }

  @Test("A file that uses an underscored member of a file that does not build waits")
  func underscoredMembers() throws {
    let report = try check([
      "A.swift": "import Foundation\nextension NSObject {\n  @objc static func _make() {}\n}",
      "B.swift": "import Foundation\nlet made: Void = NSObject._make()",
      "C.swift": "struct S { var _own = 1 }\nlet own = S()._own",
    ])
    #expect(report.states() == ["A.swift": .blocked, "B.swift": .waits, "C.swift": .builds])
  }

  @Test("A file that imports a module of which no file builds waits")
  func emptyModules() throws {
    let library = SourceModule(
      name: "Library", files: [SourceFile(path: "L.swift", octets: Array("import Missing".utf8))])
    let app = SourceModule(
      name: "App", files: [SourceFile(path: "A.swift", octets: Array("import Library\nlet a = 1".utf8))])
    let report = try ProjectCheck.report([library, app], table: .linux())
    #expect(report.states() == ["L.swift": .blocked, "A.swift": .waits])
    #expect(report.files.last?.obstacles.map(\.symbol) == ["Library"])
  }

  @Test("A thrown text needs a conformance of String to Error, in a file that builds")
  func thrownTexts() throws {
    let thrower = "func f() throws { throw \"bad\" }"
    #expect(try check(["A.swift": thrower]).obstacles() == ["String: Error@1:25"])
    let variable = "func f() throws {\n  let reason = \"bad\"\n  throw reason\n}"
    #expect(try check(["A.swift": variable]).obstacles() == ["String: Error@3:9"])
    let other = "import Foundation\nfunc f(reason: CocoaError) throws { throw reason }"
    #expect(try check(["A.swift": other]).obstacles().isEmpty)
    let extended: KeyValuePairs = [
      "A.swift": thrower, "B.swift": "import Foundation\nextension String: LocalizedError {}",
    ]
    #expect(try check(extended).states() == ["A.swift": .builds, "B.swift": .builds])
    let blocked: KeyValuePairs = [
      "A.swift": thrower, "B.swift": "import UIKit\nimport Missing\nextension String: Error {}",
    ]
    #expect(try check(blocked).states()["A.swift"] == .waits)
  }

  @Test("A type nested in another one is no attribute, and a test case is no delegate of a framework")
  func attributesAndTestCases() throws {
    let model = "import CoreLocation\nimport SwiftUI\nfinal class M { @State var isOn = false }"
    #expect(try check(["A.swift": model]).obstacles() == ["State@3:18"])
    let test = "import CoreLocation\nimport XCTest\nclass T: XCTestCase, CLLocationManagerDelegate {}"
    #expect(try check(["A.swift": test]).obstacles() == ["CLLocationManagerDelegate@3:22"])
  }

  @Test(
    "A file that can't be parsed is reported with the bracket that has no counterpart",
    arguments: [
      ("func f( {\n}", "(@1:7"), ("let a = [1, 2\nlet b = 3", "[@1:9"), ("struct S {\n}\n}", "}@3:1"),
      ("let s = (1]", "]@1:11"),
    ])
  func unparsable(source: String, expected: String) throws {
    let report = try check(["A.swift": source, "B.swift": "let other = \"{ \\(1 + (2)) /* } */\"  // ("])
    #expect(report.obstacles() == [expected] && report.states()["B.swift"] == .builds)
  }

  @Test(
    "A file that is not text in UTF-8 is reported, and the rest is checked",
    arguments: [[0xFF, 0xFE], [0x61, 0]])
  func notText(octets: [UInt8]) throws {
    let files = [
      SourceFile(path: "A.swift", octets: octets),
      SourceFile(path: "B.swift", octets: Array("let b = 1".utf8)),
    ]
    let report = try ProjectCheck.report([SourceModule(name: "App", files: files)], table: .linux())
    #expect(report.states() == ["A.swift": .blocked, "B.swift": .builds])
    #expect(report.files.first?.obstacles == [ObstacleFinder.notText])
  }

  @Test("A framework's delegate method is not called with a question mark; an app's own closure is")
  func optionalCalls() throws {
    let source = """
      import CoreLocation
      final class Forwarder: NSObject, CLLocationManagerDelegate {
        weak var delegate: (any CLLocationManagerDelegate)?
        var onEnd: (() -> Void)?
        func end(_ manager: CLLocationManager) {
          onEnd?()
          delegate?.locationManager?(manager, didUpdateLocations: [])
        }
      }
      """
    #expect(try check(["A.swift": source]).obstacles() == ["locationManager?(@7:15"])
    let plain = source.replacing("locationManager?(", with: "locationManager(")
    #expect(try check(["A.swift": plain]).states() == ["A.swift": .builds])
  }

  @Test("The change that unblocks most files is listed first")
  func fixes() throws {
    var files: [SourceFile] = [
      SourceFile(path: "Base.swift", octets: Array("import CoreData\nclass Base {}".utf8))
    ]
    for number in 0..<5 {
      let text = "class C\(number): Base {}"
      files.append(SourceFile(path: "C\(number).swift", octets: Array(text.utf8)))
    }
    files.append(SourceFile(path: "O.swift", octets: Array("@objc class O {}".utf8)))
    let report = try ProjectCheck.report([SourceModule(name: "App", files: files)], table: .linux())
    #expect(report.fixes.map(\.freedCount) == report.fixes.map(\.freedCount).sorted(by: >))
    #expect(report.fixes.first?.freedCount == 6)
    #expect(report.fixes.first?.path == "Base.swift")
  }

  @Test("The same sources give the same report")
  func deterministic() throws {
    let make = {
      try check([
        "A.swift": "let a = Q(); let b = R(); let c = S()", "B.swift": "struct X { var y: Z; var z: Z1 }",
      ])
    }
    #expect(try make() == make())
  }
}
