import NearbyMaths
import NearbySimulator
import NearbyTextForms

extension Scenario {
  /// The scenario as text that parses back to an equal value: JSON with one entry per line.
  package func text() -> String {
    let writer = ScenarioWriter(self)
    return writer.text()
  }
}

/// Writes a scenario in the form described by `Docs/scenario.md`.
struct ScenarioWriter {
  let scenario: Scenario
  /// Materials that are not built in; their index determines their name.
  private let materials: [Material]

  init(_ scenario: Scenario) {
    self.scenario = scenario
    var materials: [Material] = []
    let events = scenario.events.compactMap { event -> Material? in
      if case .build(let wall) = event.action { wall.material } else { nil }
    }
    for material in scenario.walls.map(\.material) + scenario.floors.map(\.material) + events
    where !Material.table.contains(where: { $0.material == material }) && !materials.contains(material) {
      materials.append(material)
    }
    self.materials = materials
  }

  func text() -> String {
    var lines: [String] = []
    // Numbers in a file are doubles, which represent whole numbers up to 2⁵³ exactly.
    lines.append("\"seed\": " + (scenario.seed > 1 << 53 ? "\"\(scenario.seed)\"" : "\(scenario.seed)"))
    lines.append("\"duration\": \(scenario.duration / .seconds(1))")
    lines.append("\"place\": \"\(scenario.echoLoss > 11.5 ? "outdoors" : "indoors")\"")
    lines.append("\"loss\": \(scenario.extraLoss)")
    if !materials.isEmpty {
      let entries = materials.enumerated().map { index, material in
        "\"material-\(index + 1)\": \(text(material))"
      }
      lines.append("\"materials\": {\n    \(entries.joined(separator: ",\n    "))\n  }")
    }
    lines.append(list("devices", scenario.devices.map(text)))
    if !pairsEveryTwo {
      lines.append(
        list("pairs", scenario.pairs.map { JSONArray.of([name($0.first), name($0.second)]) }))
    }
    lines.append(list("walls", scenario.walls.map(text)))
    lines.append(list("floors", scenario.floors.map(text)))
    lines.append(list("people", scenario.bystanders.map(text)))
    if !scenario.beacons.isEmpty { lines.append(list("beacons", scenario.beacons.map(text))) }
    if !scenario.anchors.isEmpty { lines.append(list("anchors", scenario.anchors.map(text))) }
    lines.append(list("events", scenario.events.map(text)))
    if !scenario.scores.isEmpty { lines.append(list("scores", scenario.scores.map(text))) }
    return "{\n  \(lines.joined(separator: ",\n  "))\n}\n"
  }

  /// Whether the pairs are the default for a file that lists none.
  private var pairsEveryTwo: Bool {
    let count = scenario.devices.count
    guard count <= ScenarioLimits.pairedDevices else { return scenario.pairs.isEmpty }
    return count > 1
      && scenario.pairs
        == (0..<count).flatMap { first in
          (first + 1..<count).map { Scenario.Pair(first: first, second: $0) }
        }
  }

  private func list(_ key: String, _ entries: [String]) -> String {
    entries.isEmpty ? "\"\(key)\": []" : "\"\(key)\": [\n    \(entries.joined(separator: ",\n    "))\n  ]"
  }

  private func name(_ device: Int) -> String { scenario.devices[device].name }

  // MARK: Surroundings

  private func text(_ material: Material) -> String {
    var line = JSONLine()
    line.add("attenuation", exactly: material.attenuation)
    line.add("delay", exactly: material.delay)
    line.add("excess", exactly: material.excess)
    return line.closed()
  }

  private func name(of material: Material) -> String {
    if let known = Material.table.first(where: { $0.material == material }) { return known.name }
    return "material-\((materials.firstIndex(of: material) ?? 0) + 1)"
  }

  private func text(_ wall: Wall) -> String {
    var line = JSONLine()
    line.add("from", json: point([wall.from.x, wall.from.y]))
    line.add("to", json: point([wall.to.x, wall.to.y]))
    line.add("bottom", exactly: wall.bottom)
    line.add("top", exactly: wall.top)
    line.add("material", text: name(of: wall.material))
    return line.closed()
  }

  private func text(_ floor: Floor) -> String {
    var line = JSONLine()
    line.add("from", json: point([floor.from.x, floor.from.y]))
    line.add("to", json: point([floor.to.x, floor.to.y]))
    line.add("height", exactly: floor.height)
    line.add("material", text: name(of: floor.material))
    return line.closed()
  }

  private func text(_ bystander: Scenario.Bystander) -> String {
    var line = JSONLine()
    line.add("motion", json: text(bystander.motion))
    if let facing = text(bystander.facing) { line.add("facing", json: facing) }
    line.add("width", exactly: bystander.halfWidth * 2)
    line.add("depth", exactly: bystander.halfDepth * 2)
    line.add("height", exactly: bystander.height)
    return line.closed()
  }

  // MARK: Devices

  private func text(_ device: Scenario.Device) -> String {
    var line = JSONLine()
    line.add("name", text: device.name)
    line.add("kind", text: device.kind.rawValue)
    line.add("radio", json: text(device.radio))
    line.add("motion", json: text(device.motion))
    if let facing = text(device.facing) { line.add("facing", json: facing) }
    line.add("carried", device.isCarried)
    line.add("loss", exactly: device.extraLoss)
    if device.pickerAnswer != .choose { line.add("picker", text: device.pickerAnswer.rawValue) }
    return line.closed()
  }

  /// The name of a built-in radio, or the differences from the most similar one.
  private func text(_ radio: RadioCharacteristics) -> String {
    if let known = RadioCharacteristics.table.first(where: { $0.characteristics == radio }) {
      return JSONLine.quoted(known.name)
    }
    let base = RadioCharacteristics.table.min {
      difference($0.characteristics, radio) < difference($1.characteristics, radio)
    }
    var line = JSONLine()
    line.add("like", text: base?.name ?? "phone")
    for (key, path) in Self.figures { line.add(key, exactly: radio[keyPath: path]) }
    if let limit = radio.rangeLimit { line.add("range", exactly: limit) }
    if let offset = radio.clockOffset { line.add("clockOffset", exactly: offset) }
    // Conversion can round these just outside the ranges that a file allows.
    let bias = (radio.antennaDelay - radio.calibratedAntennaDelay) * speedOfLight / 2
    line.add("bias", exactly: min(100, max(-100, bias)))
    line.add("fieldOfView", exactly: min(180, (radio.array?.fieldOfView ?? 0) * 2 * 180 / .pi))
    return line.closed()
  }

  private static var figures: [(key: String, path: KeyPath<RadioCharacteristics, Double>)] {
    [
      ("power", \.transmitPower), ("sensitivity", \.sensitivity), ("clockDrift", \.clockDrift),
      ("clockDriftPeriod", \.clockDriftPeriod), ("timing", \.timestampSigma),
      ("multipath", \.multipathSigma), ("directions", \.directionBias), ("outliers", \.outlierChance),
    ]
  }

  /// Number of properties that differ but cannot be expressed in a file.
  private func difference(_ a: RadioCharacteristics, _ b: RadioCharacteristics) -> Int {
    let paths: [KeyPath<RadioCharacteristics, Double>] = [
      \.antennaDelaySigma, \.powerBias, \.outlierMean, \.rearLoss, \.crossPolarisationLoss,
    ]
    return paths.count { a[keyPath: $0] != b[keyPath: $0] }
      + (a.carrierEstimateSigma == b.carrierEstimateSigma ? 0 : 1)
      + ((a.array == nil) == (b.array == nil) ? 0 : 1)
  }

  // MARK: Motion

  private func text(_ motion: Trajectory) -> String {
    var line = JSONLine()
    switch motion {
    case .standing(let position): line.add("stand", json: point(position))
    case .waypoints(let path):
      var stops = JSONArray()
      for waypoint in path.waypoints {
        var stop = JSONLine()
        stop.add("to", json: point(waypoint.position))
        stop.add("speed", exactly: waypoint.speed)
        stop.add("rest", exactly: waypoint.rest)
        stops.add(json: stop.closed())
      }
      line.add("walk", json: stops.closed())
      line.add("start", exactly: path.start)
      line.add("loop", path.isLoop)
      line.add("corner", exactly: path.blend)
    case .recorded(let path):
      var rows = JSONArray()
      for sample in path.samples {
        let angles = sample.worldFromDevice.angles
        rows.add(
          json: point(
            [sample.seconds, sample.position.x, sample.position.y, sample.position.z]
              + [angles.heading, angles.pitch, angles.roll].map(degrees)))
      }
      line.add("track", json: rows.closed())
    }
    return line.closed()
  }

  /// Returns `nil` if the track itself contains the attitude.
  private func text(_ facing: Facing) -> String? {
    var line = JSONLine()
    switch facing {
    case .fixed(let rotation):
      let angles = rotation.angles
      line.add("heading", exactly: degrees(angles.heading))
      line.add("pitch", exactly: degrees(angles.pitch))
      line.add("roll", exactly: degrees(angles.roll))
    case .alongMotion(let pitch, let roll):
      line.add("pitch", exactly: degrees(pitch))
      line.add("roll", exactly: degrees(roll))
    case .towards(let place): line.add("at", json: point(place))
    case .tracking(let body): line.add("device", text: name(body.index))
    case .recorded: return nil
    }
    return line.closed()
  }

  private func text(_ event: Scenario.Event) -> String {
    var line = JSONLine()
    line.add("at", exactly: event.time / .seconds(1))
    switch event.action {
    case .suspend: line.add("do", text: "suspend")
    case .resume: line.add("do", text: "resume")
    case .allow: line.add("do", text: "allow")
    case .deny: line.add("do", text: "deny")
    case .switchOff: line.add("do", text: "switchOff")
    case .switchOn: line.add("do", text: "switchOn")
    case .lose(let share):
      line.add("do", text: "lose")
      line.add("share", exactly: share)
    case .place(let position):
      line.add("do", text: "place")
      line.add("to", json: point(position))
    case .walk(let points, let speed):
      line.add("do", text: "walk")
      line.add("through", json: "[" + points.map { point($0) }.joined(separator: ",") + "]")
      line.add("speed", exactly: speed)
    case .turn(let facing):
      line.add("do", text: "turn")
      line.add("facing", json: text(facing) ?? "{}")
    case .build(let wall):
      line.add("do", text: "build")
      line.add("wall", json: text(wall))
    }
    if let device = event.device { line.add("device", text: name(device)) }
    if let beacon = event.beacon { line.add("beacon", text: scenario.beacons[beacon].name) }
    if let anchor = event.anchor { line.add("anchor", text: scenario.anchors[anchor].name) }
    return line.closed()
  }

  private func text(_ anchor: Scenario.Anchor) -> String {
    var line = JSONLine()
    line.add("name", text: anchor.name)
    line.add("network", Int(anchor.network))
    line.add("address", Int(anchor.address))
    line.add("at", json: point(anchor.position))
    if let begins = anchor.begins { line.add("begins", Int(begins)) }
    if !anchor.answers.isEmpty { line.add("answers", json: point(anchor.answers.map { Double($0) })) }
    line.add("timeReference", anchor.isTimeReference)
    line.add("block", exactly: Double(anchor.blockMilliseconds) / 1000)
    line.add("slots", Int(anchor.slots))
    line.add("radio", json: text(anchor.radio))
    line.add("advertises", anchor.advertises)
    if let surveyed = anchor.surveyed { line.add("surveyed", json: point(surveyed)) }
    line.add("time", text: anchor.usesLocalTime ? "local" : "network")
    line.add("stampBits", anchor.hasShortStamps ? 40 : 64)
    line.add("replyTimes", !anchor.omitsReplyTimes)
    line.add("missedPolls", exactly: anchor.missedPolls)
    line.add("missingFinals", exactly: anchor.missingFinals)
    line.add("missingRounds", exactly: anchor.missingRounds)
    line.add("wrappedStamps", exactly: anchor.wrappedStamps)
    line.add("wildStamps", exactly: anchor.wildStamps)
    line.add("lateStamps", exactly: anchor.lateStamps)
    line.add("loss", exactly: anchor.extraLoss)
    return line.closed()
  }

  private func text(_ beacon: Scenario.Beacon) -> String {
    var line = JSONLine()
    line.add("name", text: beacon.name)
    line.add("uuid", text: beacon.uuid)
    line.add("major", Int(beacon.major))
    line.add("minor", Int(beacon.minor))
    line.add("power", Int(beacon.measuredPower))
    line.add("heardWith", exactly: beacon.powerAtOneMetre)
    line.add("interval", exactly: beacon.interval / .seconds(1))
    line.add("motion", json: text(beacon.motion))
    line.add("loss", exactly: beacon.extraLoss)
    return line.closed()
  }

  private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

  private func point(_ position: SIMD3<Double>) -> String { point([position.x, position.y, position.z]) }

  private func point(_ numbers: [Double]) -> String {
    var array = JSONArray()
    for number in numbers { array.add(exactly: number) }
    return array.closed()
  }
}
