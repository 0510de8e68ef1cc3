import NearbySimulator

extension ScenarioReader {
  mutating func anchors(_ fields: inout ScenarioFields) throws(ScenarioError) -> [Scenario.Anchor] {
    var anchors: [Scenario.Anchor] = []
    var lines: [AnchorKey: Int] = [:]
    var places: [(json: LocatedJSON, path: String)] = []
    for entry in try fields.list("anchors", most: ScenarioLimits.things) {
      let anchor = try anchor(entry.json, entry.path, number: anchors.count + 1)
      let key = AnchorKey(network: anchor.network, address: anchor.address)
      if let line = lines[key] {
        throw fields.error(
          entry.json, entry.path,
          .outOfRange(
            found: "address \(anchor.address)",
            expected: "an address of its own in network \(anchor.network); line \(line) has it"))
      }
      lines[key] = entry.json.place.line
      anchors.append(anchor)
      places.append((entry.json, entry.path))
    }
    var answering: [Round: Int] = [:]
    for anchor in anchors {
      for round in Set(anchor.answers) { answering[Round(anchor.network, round), default: 0] += 1 }
    }
    for (anchor, place) in zip(anchors, places) {
      guard let round = anchor.begins, let all = answering[Round(anchor.network, round)] else { continue }
      let count = anchor.answers.contains(round) ? all - 1 : all
      // The poll and the final take one slot each.
      guard count + 2 > Int(anchor.slots) else { continue }
      throw fields.error(
        place.json, place.path,
        .outOfRange(
          found: "\(anchor.slots) slots for \(count) anchors that answer",
          expected: "a slot for each of them and two more, so slots: \(count + 2)"))
    }
    return anchors
  }

  private struct Round: Hashable {
    var network: UInt32
    var number: UInt8

    init(_ network: UInt32, _ number: UInt8) { (self.network, self.number) = (network, number) }
  }

  private struct AnchorKey: Hashable {
    var network: UInt32
    var address: UInt16
  }

  /// Parses an object with `name`, `network`, `at`, and `begins` or `answers`; everything else is optional.
  private mutating func anchor(
    _ json: LocatedJSON, _ path: String, number: Int
  ) throws(ScenarioError) -> Scenario.Anchor {
    var fields = try ScenarioFields(json, path: path, file: file)
    let nameJSON = try fields.required("name")
    let name = try fields.string(nameJSON, fields.path(of: "name"))
    if let firstLine = anchorNames.add(name, line: nameJSON.place.line) {
      throw fields.error(nameJSON, fields.path(of: "name"), .duplicateName(name, firstLine: firstLine))
    }
    guard let network = try whole("network", &fields, 0...4_294_967_295) else {
      throw fields.missing("network")
    }
    let address = try whole("address", &fields, 0...65_535) ?? Double(min(number, 65_535))
    let position = try point(try fields.required("at"), fields.path(of: "at"), fields, height: 2.5)
    var anchor = Scenario.Anchor(
      name: name, network: UInt32(network), address: UInt16(address), position: position)
    try readRounds(&fields, &anchor)
    try readFaults(&fields, &anchor)
    anchor.isTimeReference = try fields.bool("timeReference") ?? false
    anchor.advertises = try fields.bool("advertises") ?? true
    if let json = fields.value("radio") {
      anchor.radio = try anchorRadio(json, fields.path(of: "radio"), fields)
    }
    anchor.extraLoss = try fields.number("loss", 0...1, unit: "") ?? 0
    try fields.finish()
    return anchor
  }

  /// Parses `begins`, `answers`, `block` (seconds) and `slots`. The rounds must fit into the block.
  private func readRounds(
    _ fields: inout ScenarioFields, _ anchor: inout Scenario.Anchor
  ) throws(ScenarioError) {
    let block = try fields.number("block", 0.02...10, unit: "seconds") ?? 0.2
    anchor.blockMilliseconds = UInt32((block * 1000).rounded())
    anchor.slots = UInt8(try whole("slots", &fields, 3...100) ?? 10)
    // A slot has 2 ms.
    let rounds = min(max(Double(anchor.blockMilliseconds) / (2 * Double(anchor.slots)), 1), 256).rounded(
      .down)
    anchor.begins = try whole("begins", &fields, 0...(rounds - 1)).map { UInt8($0) }
    if let json = fields.value("answers") {
      let path = fields.path(of: "answers")
      // With the one that it begins, a chip has at most 15 rounds.
      for entry in try fields.list(json, path, most: anchor.begins == nil ? 15 : 14) {
        anchor.answers.append(UInt8(try whole(entry.json, entry.path, fields, 0...(rounds - 1))))
      }
    }
    guard anchor.begins != nil || !anchor.answers.isEmpty else { throw fields.missing("begins") }
  }

  private func readFaults(
    _ fields: inout ScenarioFields, _ anchor: inout Scenario.Anchor
  ) throws(ScenarioError) {
    if let json = fields.value("surveyed") {
      anchor.surveyed = try point(json, fields.path(of: "surveyed"), fields, height: anchor.position.z)
    }
    if let json = fields.value("time") {
      let word = try fields.word(json, fields.path(of: "time"), among: ["local", "network"])
      anchor.usesLocalTime = word == "local"
    }
    if let json = fields.value("stampBits") {
      let path = fields.path(of: "stampBits")
      let bits = try fields.number(json, path, 40...64, unit: "bits")
      guard bits == 40 || bits == 64 else {
        throw fields.error(json, path, .outOfRange(found: json.inWords, expected: "40 or 64"))
      }
      anchor.hasShortStamps = bits == 40
    }
    anchor.omitsReplyTimes = try fields.bool("replyTimes").map { !$0 } ?? false
    anchor.missedPolls = try fields.number("missedPolls", 0...1, unit: "") ?? 0
    anchor.missingFinals = try fields.number("missingFinals", 0...1, unit: "") ?? 0
    anchor.missingRounds = try fields.number("missingRounds", 0...1, unit: "") ?? 0
    anchor.wrappedStamps = try fields.number("wrappedStamps", 0...1, unit: "") ?? 0
    anchor.wildStamps = try fields.number("wildStamps", 0...1, unit: "") ?? 0
    anchor.lateStamps = try fields.number("lateStamps", -1000...1000, unit: "metres") ?? 0
  }

  private func anchorRadio(
    _ json: LocatedJSON, _ path: String, _ fields: ScenarioFields
  ) throws(ScenarioError) -> RadioCharacteristics {
    guard case .string = json.value else { return try radio(json, path) }
    let name = try fields.word(json, path, among: radios.keys.sorted())
    return radios[name] ?? .anchor
  }

  private func whole(
    _ key: String, _ fields: inout ScenarioFields, _ range: ClosedRange<Double>
  ) throws(ScenarioError) -> Double? {
    guard let json = fields.value(key) else { return nil }
    return try whole(json, fields.path(of: key), fields, range)
  }

  private func whole(
    _ json: LocatedJSON, _ path: String, _ fields: ScenarioFields, _ range: ClosedRange<Double>
  ) throws(ScenarioError) -> Double {
    let number = try fields.number(json, path, range, unit: "")
    guard number == number.rounded() else {
      throw fields.error(json, path, .outOfRange(found: json.inWords, expected: "a whole number"))
    }
    return number
  }

  /// Index of an anchor, by name.
  func anchor(
    named json: LocatedJSON, _ path: String, _ fields: ScenarioFields
  ) throws(ScenarioError) -> Int {
    try fields.index(json, path, in: anchorNames, expected: "an anchor's name")
  }
}
