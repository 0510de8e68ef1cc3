import Foundation
import NearbySimulator

extension ScenarioReader {
  mutating func beacons(_ fields: inout ScenarioFields) throws(ScenarioError) -> [Scenario.Beacon] {
    var beacons: [Scenario.Beacon] = []
    for entry in try fields.list("beacons", most: ScenarioLimits.things) {
      beacons.append(try beacon(entry.json, entry.path))
    }
    return beacons
  }

  /// Parses an object with `name`, `uuid` and `motion`, and optionally `major`, `minor`, `power` (advertised,
  /// dBm), `heardWith` (actual, dBm), `interval` (seconds) and `loss`.
  private mutating func beacon(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> Scenario.Beacon {
    var fields = try ScenarioFields(json, path: path, file: file)
    let nameJSON = try fields.required("name")
    let name = try fields.string(nameJSON, fields.path(of: "name"))
    if let firstLine = beaconNames.add(name, line: nameJSON.place.line) {
      throw fields.error(
        nameJSON, fields.path(of: "name"), .duplicateName(name, firstLine: firstLine))
    }
    let uuidJSON = try fields.required("uuid")
    let text = try fields.string(uuidJSON, fields.path(of: "uuid"))
    guard let uuid = UUID(uuidString: text) else {
      throw fields.error(
        uuidJSON, fields.path(of: "uuid"), .outOfRange(found: uuidJSON.inWords, expected: "a UUID"))
    }
    let (major, minor) = (try number("major", &fields), try number("minor", &fields))
    let power = try fields.number("power", -128...20, unit: "dBm") ?? -59
    let heard = try fields.number("heardWith", -128...20, unit: "dBm") ?? power
    let interval = try fields.number("interval", 0.02...10.24, unit: "seconds") ?? 0.1
    let motion = try motion(try fields.required("motion"), fields.path(of: "motion"), height: 1.2)
    let loss = try fields.number("loss", 0...1, unit: "") ?? 0
    try fields.finish()
    return Scenario.Beacon(
      name: name, uuid: uuid.uuidString, major: major, minor: minor,
      measuredPower: Int8(power.rounded()), powerAtOneMetre: heard,
      interval: .milliseconds(Int64((interval * 1000).rounded())), motion: motion, extraLoss: loss)
  }

  private func number(_ key: String, _ fields: inout ScenarioFields) throws(ScenarioError) -> UInt16 {
    guard let json = fields.value(key) else { return 0 }
    let number = try fields.number(json, fields.path(of: key), 0...65_535, unit: "")
    guard let exact = UInt16(exactly: number) else {
      throw fields.error(
        json, fields.path(of: key), .outOfRange(found: json.inWords, expected: "a whole number"))
    }
    return exact
  }

  /// Index of a beacon, by name.
  func beacon(
    named json: LocatedJSON, _ path: String, _ fields: ScenarioFields
  ) throws(ScenarioError) -> Int {
    try fields.index(json, path, in: beaconNames, expected: "a beacon's name")
  }
}
