import Testing

@testable import NearbySourceCheck

@Suite("Methods of delegates")
struct DelegateMethodTests {
  private func uncalled(_ source: String) throws -> [String] {
    try check(["A.swift": source]).files.flatMap(\.uncalled).map {
      "\($0.method) \($0.declared) \($0.called) \($0.place.line):\($0.place.column)"
    }
  }

  @Test(
    "A method with an optional where the protocol has none is reported",
    arguments: [
      (
        "import CoreLocation\nclass A: NSObject, CLLocationManagerDelegate {\n"
          + "func locationManager(_ m: CLLocationManager, didEnterRegion region: CLRegion!) {}\n}",
        "locationManager(_:didEnterRegion:) CLRegion! CLRegion 3:69"
      ),
      (
        "import CoreBluetooth\nclass A: NSObject {}\nextension A: CBPeripheralDelegate {\n"
          + "func peripheral(_ peripheral: CBPeripheral?, didUpdateValueFor c: CBCharacteristic, error: Error!) {}\n}",
        "peripheral(_:didUpdateValueFor:error:) CBPeripheral? CBPeripheral 4:31"
      ),
      (
        "import CoreLocation\nprotocol P: CLLocationManagerDelegate {}\nclass A: NSObject, P {}\nextension A {\n"
          + "func locationManager(_ m: CLLocationManager, didRangeBeacons b: [CLBeacon]!,\n in r: CLBeaconRegion) {}\n}",
        "locationManager(_:didRangeBeacons:in:) [CLBeacon]! [CLBeacon] 5:65"
      ),
    ])
  func optional(source: String, expected: String) throws {
    #expect(try uncalled(source) == [expected])
  }

  @Test(
    "Other methods are not reported",
    arguments: [
      // The protocol has the optional too.
      "func locationManager(_ m: CLLocationManager, monitoringDidFailFor r: CLRegion!, withError error: Error) {}",
      // The one that is called is there as well.
      "func locationManager(_ m: CLLocationManager, didExitRegion r: CLRegion!) {}\n"
        + "func locationManager(_ m: CoreLocation.CLLocationManager, didExitRegion r: CLRegion) {}",
      // Another type, other labels.
      "func locationManager(_ m: CLLocationManager, didExitRegion r: CLCircularRegion!) {}",
      "func locationManager(_ m: CLLocationManager, left r: CLRegion!) {}",
    ])
  func called(method: String) throws {
    let source = "import CoreLocation\nclass A: NSObject, CLLocationManagerDelegate {\n\(method)\n}"
    #expect(try uncalled(source).isEmpty)
    let other =
      "import CoreLocation\nclass A {\nfunc locationManager(_ m: CLLocationManager, didExitRegion r: CLRegion!) {}\n}"
    #expect(try uncalled(other).isEmpty, "A is no delegate")
  }

  @Test("A delegate without a required method, or with an optional parameter in it, does not build")
  func required() throws {
    let header = "import CoreBluetooth\nclass A: NSObject, CBCentralManagerDelegate {\n"
    let report = try check([
      "Without.swift": header + "}",
      "Optional.swift": header.replacing("A:", with: "B:")
        + "func centralManagerDidUpdateState(_ c: CBCentralManager!) {}\n}",
      "Alias.swift": "import CoreBluetooth\ntypealias Central = CBCentralManager\n"
        + header.replacing("A:", with: "C:")
        + "func centralManagerDidUpdateState(_ c: Central) {}\n}",
      "Default.swift": "import CoreBluetooth\nprotocol P: CBCentralManagerDelegate {}\nextension P {\n"
        + "func centralManagerDidUpdateState(_ c: CBCentralManager) {}\n}\nclass D: NSObject, P {}",
    ])
    #expect(
      report.states() == [
        "Without.swift": .blocked, "Optional.swift": .blocked, "Alias.swift": .builds,
        "Default.swift": .builds,
      ])
    #expect(report.obstacles().first == "centralManagerDidUpdateState(_:)@2:20")
  }

  @Test("A method beside the app's is added on the line of its closing brace")
  func forwarding() throws {
    let source = """
      import MultipeerConnectivity
      class A: NSObject, MCNearbyServiceAdvertiserDelegate {
        public func advertiser(_ a: MCNearbyServiceAdvertiser!, didReceiveInvitationFromPeer p: MCPeerID!,
          withContext c: Data!, invitationHandler: ((Bool, MCSession?) -> Void)!) {
          invitationHandler(p != nil, nil)
        }
        let last = 1
      }
      """
    let (octets, count) = try forwarded(Array(source.utf8))
    let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
    #expect(count == 1)
    #expect(lines.count == source.split(separator: "\n").count)
    #expect(
      lines[5]
        == "  }; public func advertiser(_ p0: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer p1: MCPeerID, "
        + "withContext p2: Data?, invitationHandler p3: @escaping (Bool, MCSession?) -> Void) "
        + "{ advertiser(Optional(p0), didReceiveInvitationFromPeer: Optional(p1), withContext: p2, "
        + "invitationHandler: Optional(p3)) }")
    #expect(try forwarded(octets).count == 0, "a second time there is nothing to add")
  }

  private func forwarded(_ octets: [UInt8]) throws -> (octets: [UInt8], count: Int) {
    let module = SourceModule(name: "App", files: [SourceFile(path: "A.swift", octets: octets)])
    return try DelegateForwarding([module], table: .linux()).adding(to: octets)
  }

  @Test("An override in an extension, or of an extension's method, does not build")
  func overrides() throws {
    let report = try check([
      "Base.swift": "class Base {\nfunc own() {}\n}\nextension Base {\nfunc more(_ n: Int) {}\n}",
      "Own.swift": "class Own: Base {\noverride func own() {}\n}",
      "More.swift": "class More: Base {\noverride func more(_ n: Int) {}\n}",
      "Inside.swift": "class Inside: Base {}\nextension Inside {\noverride func own() {}\n}",
    ])
    #expect(
      report.states() == [
        "Base.swift": .builds, "Own.swift": .builds, "More.swift": .blocked, "Inside.swift": .blocked,
      ])
    #expect(report.obstacles() == ["override more(_:)@2:15", "override@3:1"])
  }

  @Test("An override of what no class declares here does not build")
  func baseless() throws {
    let report = try check([
      "Screen.swift":
        "import UIKit\nclass Screen: UIViewController {\noverride func viewDidLoad() { super.viewDidLoad() }\n}",
      "Task.swift":
        "import Foundation\nclass Task: Operation {\noverride public func main() {}\nfunc extra() {}\n}",
      "More.swift":
        "class More: Task {\noverride func extra() {}\noverride var isAsynchronous: Bool { true }\n}",
      "Maker.swift": "import Foundation\nlet type = NSClassFromString(\"A\") as? NSObject.Type",
    ])
    #expect(
      report.states() == [
        "Screen.swift": .view, "Task.swift": .builds, "More.swift": .builds, "Maker.swift": .blocked,
      ])
  }

  @Test(
    "A call as in Swift 2, without the first label, does not build",
    arguments: [
      ("nameOfBeacon(1)", true), ("nameOfBeacon(at: 1)", false), ("nameOfBeacon\n(1, 2)", false),
      ("let nameOfBeacon = { (n: Int) in }\nnameOfBeacon(1)", false), ("nameOfRegion(1)", false),
    ])
  func labels(call: String, isRejected: Bool) throws {
    let report = try check([
      "Names.swift": "func nameOfBeacon(at index: Int) {}\nfunc nameOfRegion(at index: Int) {}\n"
        + "func nameOfRegion(_ index: Int) {}",
      "Call.swift": "func test() {\n\(call)\n}",
    ])
    #expect(report.states()["Call.swift"] == (isRejected ? .blocked : .builds))
    #expect(report.states()["Names.swift"] == .builds)
  }

  @Test("A conformance whose methods are in a file that does not build waits for that file")
  func conformances() throws {
    let report = try check([
      "Shape.swift": "protocol Sized { var size: Int { get } }\nprotocol Named { var name: String { get } }",
      "Box.swift": "struct Box: Sized, Named {\nlet name = \"\"\n}",
      "Box+Size.swift":
        "import SwiftUI\nextension Box {\nvar size: Int { 1 }\nvar view: some View { Text(name) }\n}",
      "Bag.swift": "struct Bag: Sized {\nlet size = 2\n}",
      "Central.swift": "import CoreBluetooth\nclass Central: NSObject, CBCentralManagerDelegate {}",
      "Central+State.swift": "import UIKit\nimport CoreBluetooth\nextension Central {\n"
        + "func centralManagerDidUpdateState(_ c: CBCentralManager) { _ = UITableView() }\n}",
    ])
    #expect(
      report.states() == [
        "Shape.swift": .builds, "Box.swift": .waits, "Box+Size.swift": .blocked, "Bag.swift": .builds,
        "Central.swift": .waits, "Central+State.swift": .blocked,
      ])
  }
}
