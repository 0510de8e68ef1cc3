import NearbySimulator

extension ScenarioReader {
  /// Parses an object with `from`, `to` and `material`, and optionally `bottom` and `top` (metres).
  func wall(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> Wall {
    var fields = try ScenarioFields(json, path: path, file: file)
    let from = try corner("from", &fields)
    let to = try corner("to", &fields)
    let bottom = try fields.number("bottom", -1000...10_000, unit: "metres") ?? 0
    let top = try fields.number("top", -1000...10_000, unit: "metres") ?? bottom + 3
    let material = try material(&fields)
    try fields.finish()
    guard top > bottom else {
      throw fields.error(
        json, fields.path(of: "top"),
        .outOfRange(
          found: LocatedJSON.inWords(top),
          expected: "more than the bottom, \(LocatedJSON.inWords(bottom))"))
    }
    return Wall(from: from, to: to, bottom: bottom, top: top, material: material)
  }

  /// Parses an object with `from`, `to`, `height` (metres) and `material`.
  func floor(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> Floor {
    var fields = try ScenarioFields(json, path: path, file: file)
    let from = try corner("from", &fields)
    let to = try corner("to", &fields)
    guard let height = try fields.number("height", -1000...10_000, unit: "metres") else {
      throw fields.missing("height")
    }
    let material = try material(&fields)
    try fields.finish()
    return Floor(from: from, to: to, height: height, material: material)
  }

  private func corner(
    _ key: String, _ fields: inout ScenarioFields
  ) throws(ScenarioError) -> SIMD2<Double> {
    let json = try fields.required(key)
    guard case .array(let elements) = json.value, elements.count == 2 else {
      throw fields.error(
        json, fields.path(of: key),
        .wrongType(found: json.inWords, expected: "a point of the ground, [x, y]"))
    }
    let point = try point(json, fields.path(of: key), fields, height: 0)
    return SIMD2(point.x, point.y)
  }

  private func material(_ fields: inout ScenarioFields) throws(ScenarioError) -> Material {
    let json = try fields.required("material")
    let name = try fields.word(
      json, fields.path(of: "material"), among: materials.keys.sorted())
    return materials[name] ?? .body
  }

  /// Parses an object with `motion`, and optionally `facing`, `width`, `depth` and `height` (metres).
  func bystander(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> Scenario.Bystander {
    var fields = try ScenarioFields(json, path: path, file: file)
    let motion = try motion(try fields.required("motion"), fields.path(of: "motion"), height: 0)
    let facing: Facing =
      if let json = fields.value("facing") {
        try facing(json, fields.path(of: "facing"))
      } else {
        .alongMotion(pitch: 0, roll: 0)
      }
    let width = try fields.number("width", 0.05...5, unit: "metres") ?? 0.5
    let depth = try fields.number("depth", 0.05...5, unit: "metres") ?? 0.3
    let height = try fields.number("height", 0.1...5, unit: "metres") ?? 1.75
    try fields.finish()
    return Scenario.Bystander(
      motion: motion, facing: facing, halfWidth: width / 2, halfDepth: depth / 2, height: height)
  }

  // MARK: Events

  func events(
    _ fields: inout ScenarioFields, duration: Double
  ) throws(ScenarioError) -> [Scenario.Event] {
    var events: [Scenario.Event] = []
    for entry in try fields.list("events", most: ScenarioLimits.events) {
      events.append(try event(entry.json, entry.path, duration: duration))
    }
    // `sorted` is stable, so events with the same time keep file order.
    return events.sorted { $0.time < $1.time }
  }

  /// Parses an object with `at` (seconds), `do`, the event's own keys, and `device`, `beacon` or `anchor` where needed.
  private func event(
    _ json: LocatedJSON, _ path: String, duration: Double
  ) throws(ScenarioError) -> Scenario.Event {
    var fields = try ScenarioFields(json, path: path, file: file)
    guard let seconds = try fields.number("at", 0...duration, unit: "seconds") else {
      throw fields.missing("at")
    }
    let words = [
      "allow", "build", "deny", "lose", "place", "resume", "suspend", "switchOff", "switchOn", "turn",
      "walk",
    ]
    let word = try fields.word(
      try fields.required("do"), fields.path(of: "do"), among: words)
    let action = try action(word, &fields)
    var device: Int?
    var beacon: Int?
    var anchor: Int?
    if let name = fields.value("device") {
      device = try self.device(named: name, fields.path(of: "device"), fields)
    } else if let name = fields.value("beacon"), Self.beaconWords.contains(word) {
      beacon = try self.beacon(named: name, fields.path(of: "beacon"), fields)
    } else if let name = fields.value("anchor"), Self.anchorWords.contains(word) {
      anchor = try self.anchor(named: name, fields.path(of: "anchor"), fields)
    } else if word != "build" && word != "lose" {
      throw fields.missing("device")
    }
    try fields.finish()
    return Scenario.Event(
      time: .milliseconds(Int64((seconds * 1000).rounded())), device: device, action: action,
      beacon: beacon, anchor: anchor)
  }

  /// Events that can affect a beacon.
  private static let beaconWords = ["lose", "place", "switchOff", "switchOn", "walk"]

  /// Events that can affect an anchor.
  private static let anchorWords = ["lose", "place", "switchOff", "switchOn"]

  private func action(
    _ word: String, _ fields: inout ScenarioFields
  ) throws(ScenarioError) -> Scenario.Event.Action {
    switch word {
    case "allow": return .allow
    case "deny": return .deny
    case "resume": return .resume
    case "suspend": return .suspend
    case "switchOff": return .switchOff
    case "switchOn": return .switchOn
    case "lose":
      guard let share = try fields.number("share", 0...1, unit: "") else {
        throw fields.missing("share")
      }
      return .lose(share)
    case "place":
      let to = try fields.required("to")
      return .place(try point(to, fields.path(of: "to"), fields, height: 1.2))
    case "walk": return try walkAction(&fields)
    case "turn":
      let json = try fields.required("facing")
      return .turn(try facing(json, fields.path(of: "facing")))
    default:
      // The word comes from the caller's list, so this is "build".
      let json = try fields.required("wall")
      return .build(try wall(json, fields.path(of: "wall")))
    }
  }

  private func walkAction(
    _ fields: inout ScenarioFields
  ) throws(ScenarioError) -> Scenario.Event.Action {
    let json = try fields.required("through")
    let speed = try fields.number("speed", 0.01...50, unit: "metres a second") ?? 1.2
    var points: [SIMD3<Double>] = []
    for entry in try fields.list(json, fields.path(of: "through"), most: ScenarioLimits.points) {
      points.append(try point(entry.json, entry.path, fields, height: 1.2))
    }
    guard !points.isEmpty else {
      throw fields.error(
        json, fields.path(of: "through"),
        .outOfRange(found: json.inWords, expected: "a point or more"))
    }
    return .walk(through: points, speed: speed)
  }
}
