import Foundation
import NearbySimulator

extension Scenario {
  /// Reads a scenario file.
  ///
  /// - Parameters:
  ///   - data: JSON5 in UTF-8, in the form described by `Docs/scenario.md`.
  ///   - file: Name of the file in errors.
  ///   - progress: Called on this thread while a large file is parsed.
  package init(
    parsing data: Data, file: String, progress: ScenarioProgress? = nil
  ) throws(ScenarioError) {
    let json = try LocatedJSON(parsing: data, file: file, progress)
    var reader = ScenarioReader(file: file)
    self = try reader.scenario(json)
  }
}

/// Builds a scenario from the located JSON of one file.
struct ScenarioReader {
  let file: String
  var materials: [String: Material] = [:]
  var radios: [String: RadioCharacteristics] = [:]
  var names = ScenarioNames()
  /// Kept separate from `names`, so a beacon may share its name with a device.
  var beaconNames = ScenarioNames()
  var anchorNames = ScenarioNames()

  init(file: String) {
    self.file = file
    for entry in Material.table { materials[entry.name] = entry.material }
    for entry in RadioCharacteristics.table { radios[entry.name] = entry.characteristics }
  }

  /// Builds the scenario. Materials, radios and names come first, because the other lists refer to them.
  mutating func scenario(_ json: LocatedJSON) throws(ScenarioError) -> Scenario {
    var fields = try ScenarioFields(json, path: "", file: file)
    let seed = try seed(&fields)
    let duration = try fields.number("duration", 0...86_400, unit: "seconds") ?? 60
    let echoLoss = try echoLoss(&fields)
    let loss = try fields.number("loss", 0...1, unit: "") ?? 0
    try readMaterials(&fields)
    try readRadios(&fields)
    let deviceList = try fields.list("devices", most: ScenarioLimits.things)
    try readNames(deviceList)
    var devices: [Scenario.Device] = []
    for entry in deviceList { devices.append(try device(entry.json, entry.path)) }
    let beacons = try beacons(&fields)
    let anchors = try anchors(&fields)
    let pairs = try pairs(&fields)
    var walls: [Wall] = []
    for entry in try fields.list("walls", most: ScenarioLimits.things) {
      walls.append(try wall(entry.json, entry.path))
    }
    var floors: [Floor] = []
    for entry in try fields.list("floors", most: ScenarioLimits.things) {
      floors.append(try floor(entry.json, entry.path))
    }
    var bystanders: [Scenario.Bystander] = []
    for entry in try fields.list("people", most: ScenarioLimits.things) {
      bystanders.append(try bystander(entry.json, entry.path))
    }
    let events = try events(&fields, duration: duration)
    let scores = try scores(&fields, duration: duration)
    try fields.finish()
    return Scenario(
      seed: seed, duration: .milliseconds(Int64((duration * 1000).rounded())), echoLoss: echoLoss,
      extraLoss: loss, devices: devices, pairs: pairs, walls: walls, floors: floors,
      bystanders: bystanders, events: events, beacons: beacons, anchors: anchors, scores: scores)
  }

  // MARK: Top level

  /// Parses `seed`: a whole number up to 2⁵³, or a string of digits for larger ones; 1 by default.
  private func seed(_ fields: inout ScenarioFields) throws(ScenarioError) -> UInt64 {
    guard let json = fields.value("seed") else { return 1 }
    if case .string(let text) = json.value, let seed = UInt64(text) { return seed }
    // A double represents whole numbers up to this one exactly; larger seeds are written as strings.
    let number = try fields.number(json, "seed", 0...9_007_199_254_740_992, unit: "")
    guard let seed = UInt64(exactly: number) else {
      throw fields.error(
        json, "seed", .outOfRange(found: json.inWords, expected: "a whole number"))
    }
    return seed
  }

  private func echoLoss(_ fields: inout ScenarioFields) throws(ScenarioError) -> Double {
    guard let json = fields.value("place") else { return 8 }
    return try fields.word(json, "place", among: ["indoors", "outdoors"]) == "indoors" ? 8 : 15
  }

  /// Parses `materials`: objects by name with `attenuation` (dB), `delay` and `excess` (metres).
  private mutating func readMaterials(_ fields: inout ScenarioFields) throws(ScenarioError) {
    guard let json = fields.value("materials") else { return }
    var entries = try ScenarioFields(json, path: "materials", file: file)
    for name in entries.keys {
      let path = entries.path(of: name)
      let body = try entries.required(name)
      var figures = try ScenarioFields(body, path: path, file: file)
      materials[name] = Material(
        attenuation: try figures.number("attenuation", 0...100, unit: "dB") ?? 0,
        delay: try figures.number("delay", 0...10, unit: "metres") ?? 0,
        excess: try figures.number("excess", 0...10, unit: "metres") ?? 0)
      try figures.finish()
    }
  }

  private mutating func readRadios(_ fields: inout ScenarioFields) throws(ScenarioError) {
    guard let json = fields.value("radios") else { return }
    var entries = try ScenarioFields(json, path: "radios", file: file)
    for name in entries.keys {
      let path = entries.path(of: name)
      let body = try entries.required(name)
      radios[name] = try radio(body, path)
    }
  }

  /// Reads names first because events, facings and pairs may refer to devices further down the file.
  private mutating func readNames(
    _ list: [(json: LocatedJSON, path: String)]
  ) throws(ScenarioError) {
    for entry in list {
      var fields = try ScenarioFields(entry.json, path: entry.path, file: file)
      let json = try fields.required("name")
      let name = try fields.string(json, fields.path(of: "name"))
      guard !name.isEmpty else {
        throw fields.error(
          json, fields.path(of: "name"), .outOfRange(found: "\"\"", expected: "a name"))
      }
      if let firstLine = names.add(name, line: json.place.line) {
        throw fields.error(
          json, fields.path(of: "name"), .duplicateName(name, firstLine: firstLine))
      }
    }
  }

  /// Parses `pairs`: a list of `[name, name]`.
  private func pairs(_ fields: inout ScenarioFields) throws(ScenarioError) -> [Scenario.Pair] {
    guard fields.keys.contains("pairs") else {
      _ = fields.value("pairs")
      // By default every two devices form a pair, as if everyone met.
      guard names.all.count <= ScenarioLimits.pairedDevices else { return [] }
      return names.all.indices.flatMap { first in
        (first + 1..<names.all.count).map { Scenario.Pair(first: first, second: $0) }
      }
    }
    var pairs: [Scenario.Pair] = []
    for entry in try fields.list("pairs", most: ScenarioLimits.pairs) {
      let ends = try fields.list(entry.json, entry.path, most: 2)
      guard ends.count == 2 else {
        throw fields.error(
          entry.json, entry.path,
          .wrongType(found: entry.json.inWords, expected: "two devices' names"))
      }
      let first = try device(named: ends[0].json, ends[0].path, fields)
      let second = try device(named: ends[1].json, ends[1].path, fields)
      guard first != second else {
        throw fields.error(
          entry.json, entry.path,
          .outOfRange(found: "\"\(names.all[first])\" twice", expected: "two devices"))
      }
      pairs.append(Scenario.Pair(first: first, second: second))
    }
    return pairs
  }

  /// Index of a device, by name.
  func device(
    named json: LocatedJSON, _ path: String, _ fields: ScenarioFields
  ) throws(ScenarioError) -> Int {
    try fields.index(json, path, in: names, expected: "a device's name")
  }
}

/// Unique names in file order, with the line on which each was defined.
struct ScenarioNames {
  private(set) var all: [String] = []
  private var known: [String: (index: Int, line: Int)] = [:]

  func index(of name: String) -> Int? { known[name]?.index }

  /// Adds a name unless it is taken.
  ///
  /// - Returns: The line on which the name was already defined, or `nil` if it was added.
  mutating func add(_ name: String, line: Int) -> Int? {
    if let first = known[name] { return first.line }
    known[name] = (all.count, line)
    all.append(name)
    return nil
  }
}
