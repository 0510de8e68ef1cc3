import Foundation
import NearbyBeacons
import NearbyCommandLine
import NearbyDevice
import NearbyHome
import NearbyTesting
import Testing

@testable import nearby

private let scenario = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../../Examples/Scenarios/beacons.json").standardized.path

private func objects(_ text: String) throws -> [[String: Any]] {
  try text.split(separator: "\n").map { line in
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}

@Suite("nearby beacon in a scenario")
struct BeaconPlaceTests {
  private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  @Test("A scan reports every beacon once per second until it is switched off")
  func scan() throws {
    let result = run("beacon", "scan", "--scenario", scenario, "--speed", "max", "--json", "--seconds", "40")
    #expect(result.code == .success)
    #expect(result.errors.isEmpty)
    let rows = try objects(result.output)
    #expect(Set(rows.compactMap { $0["uuid"] as? String }) == [Self.uuid])
    let door = rows.filter { $0["major"] as? Int == 1 && $0["minor"] as? Int == 1 }
    let times = door.compactMap { $0["t"] as? Double }
    #expect(times.count >= 20)
    #expect((times.max() ?? 99) < 26)
    #expect(door.last?["zone"] as? String == "unknown")
    #expect(door.last?["distance"] is NSNull)
    #expect(
      Set(rows[0].keys)
        == ["t", "uuid", "major", "minor", "rssi", "distance", "sigma", "zone", "age"])
  }

  @Test("A scan also reports Eddystone beacons with their telemetry")
  func eddystone() throws {
    let world = World(seed: 3)
    let phone = world.addPhone("anna", at: [0, 0, 1.2])
    let uid: [UInt8] = [0x00, 0xEE] + Array(1...10) + Array(11...16) + [0, 0]
    let told: [UInt8] = [0x20, 0x00, 0x0B, 0x86, 0x15, 0x80, 0, 0, 0, 7, 0, 0, 0, 70]
    for (name, frame) in [("uid", uid), ("none", told)] {
      let service: [UInt8] = [0x16, 0xAA, 0xFE] + frame
      let payload: [UInt8] = [3, 0x03, 0xAA, 0xFE, UInt8(service.count)] + service
      #expect(world.addBeacon(name, at: [0, 2, 1.2], payload: payload) != nil)
    }
    let device = phone.launch { NearbyDevice.bound }
    let listener = BeaconListener(on: device, uuid: nil)
    let user = listener.start()
    defer { device.bluetooth.release(user) }
    world.advance(by: .seconds(3))
    let heard = try #require(listener.eddystone(at: device.app.now))
    #expect(heard.map { "\($0.identity)" } == ["0102030405060708090a 0b0c0d0e0f10"])
    var beacon = try #require(heard.first)
    let distance = try #require(beacon.reading.distance)
    #expect(distance > 0.3)
    #expect(distance < 8)
    beacon.telemetry = Eddystone.PlainTelemetry(
      batteryMillivolts: 2950, temperature256ths: 0x1580, advertisements: 7, uptimeTenths: 70)
    let row = try #require(try objects(BeaconText.json(beacon, at: device.app.now)).first)
    #expect(row["namespace"] as? String == "0102030405060708090a")
    #expect(row["battery"] as? Double == 2.95)
    #expect(row["temperature"] as? Double == 21.5)
    #expect(BeaconText.line(beacon, at: device.app.now).hasSuffix("2.95 V  21.5 °C"))
  }

  @Test("The same seed gives the same table, and another seed a different one")
  func deterministic() {
    let words = ["beacon", "scan", "--scenario", scenario, "--speed", "max", "--seconds", "10"]
    func run(_ more: [String]) -> String {
      let (context, output, _) = CommandContext.recording()
      _ = NearbyCommand.run(words + more, in: context)
      return output.text
    }
    #expect(run([]) == run(["--seed", "1"]))
    #expect(run([]) != run(["--seed", "2"]))
    #expect(run([]).hasPrefix(BeaconText.header))
  }

  @Test("monitor reports entries and exits")
  func monitor() throws {
    let result = run(
      "beacon", "monitor", "--uuid", Self.uuid, "--major", "1", "--minor", "1", "--scenario", scenario,
      "--speed", "max", "--json")
    #expect(result.code == .success)
    let events = try objects(result.output).compactMap { $0["event"] as? String }
    #expect(events == ["entered", "inside", "left", "outside", "entered", "inside"])
  }

  @Test("advertise makes a device a beacon that another device receives")
  func advertise() throws {
    let result = run(
      "beacon", "advertise", "--uuid", Self.uuid, "--major", "9", "--minor", "300", "--power", "-61",
      "--scenario", scenario, "--as", "ben", "--speed", "max", "--json", "--seconds", "5")
    #expect(result.code == .success)
    let rows = try objects(result.output)
    #expect(rows.first?["event"] as? String == "advertising")
    #expect(rows.first?["power"] as? Int == -61)
    #expect(rows.dropFirst().count >= 4)
    #expect(rows.dropFirst().allSatisfy { $0["by"] as? String == "anna" && $0["minor"] as? Int == 300 })
  }

  @Test(
    "Invalid options and missing files end with their exit codes",
    arguments: [
      (["beacon", "advertise"], ExitCode.usage), (["beacon", "monitor", "--uuid", "4"], .usage),
      (["beacon", "monitor", "--uuid", uuid, "--minor", "1"], .usage),
      (["beacon", "scan", "--as", "anna"], .usage), (["beacon", "scan", "--speed", "2"], .usage),
      (["beacon", "scan", "--scenario", "none.json"], .noInput),
      (["beacon", "scan", "--scenario", scenario, "--as", "nobody"], .usage),
    ])
  func refused(words: [String], code: ExitCode) {
    let (context, _, _) = CommandContext.recording()
    #expect(NearbyCommand.run(words, in: context) == code)
  }

  @Test("NEARBY_DEVICE chooses the scenario's device unless --as is given")
  func device() {
    let words = ["beacon", "scan", "--scenario", scenario, "--speed", "max", "--seconds", "5"]
    func run(_ more: [String], _ environment: [String: String]) -> String {
      let (context, output, _) = CommandContext.recording(environment: environment)
      _ = NearbyCommand.run(words + more, in: context)
      return output.text
    }
    let (anna, ben) = (run(["--as", "anna"], [:]), run(["--as", "ben"], [:]))
    #expect(anna != ben)
    #expect(run([], ["NEARBY_DEVICE": "ben"]) == ben)
    #expect(run(["--as", "anna"], ["NEARBY_DEVICE": "ben"]) == anna)
    #expect(run([], ["NEARBY_DEVICE": "somebody"]) == run([], [:]))
  }

  @Test("The error for missing Bluetooth names the cause and how to simulate Bluetooth")
  func noBluetooth() {
    #expect(
      BluetoothTrouble.sentence("bluetoothd is not running", simulating: true)
        == "No usable Bluetooth: bluetoothd is not running. To simulate it: "
        + "--scenario Examples/Scenarios/beacons.json")
    #expect(
      BluetoothTrouble.sentence(nil, simulating: false)
        == "No usable Bluetooth: no adapter found, or bluetoothd is not running")
    #expect(scenario.hasSuffix(BluetoothTrouble.scenario) && FileManager.default.fileExists(atPath: scenario))
  }

  @Test("The radar demo ends with all treasures found, as JSON and as text")
  func radar() throws {
    let result = run("demo", "radar", "--speed", "max", "--json")
    #expect(result.code == .success)
    let rows = try objects(result.output)
    #expect(rows.last?["found"] as? Int == 3)
    // The treasures understate their power, so a distance would be wrong.
    #expect(rows.allSatisfy { $0["distance"] == nil })
    #expect(Set(rows.compactMap { $0["trend"] as? String }).isSuperset(of: ["warmer", "steady"]))
    #expect(rows.contains { ($0["text"] as? String ?? "").contains(/Amber: ▮+▯+ warmer/) })
    #expect(run("demo", "radar", "--speed", "max").output.contains("All 3 treasures found."))
    #expect(
      run("demo", "radar", "--speed", "max", "--seconds", "5", "--json").output.count < result.output.count)
  }

  @Test("Arrow keys in both forms, WASD and hjkl are directions, and q quits")
  func keys() {
    #expect(WalkKey.keys(in: Array("\u{1B}[A\u{1B}OBdh".utf8)) == [.north, .south, .east, .west])
    #expect(WalkKey.keys(in: Array("q\u{1B}[5~x\u{1B}".utf8)).first == .quit)
    #expect(WalkKey.keys(in: [0xFF, 0x1B, 0x5B]) == [])
  }
}
