import NearbyMaths
import NearbyRecordings
import NearbySimulator

extension ScenarioReader {
  /// Parses an object with `name` and `motion`, and optionally `kind`, `radio`, `facing`, `carried`,
  /// `loss` and `picker`.
  func device(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> Scenario.Device {
    var fields = try ScenarioFields(json, path: path, file: file)
    let nameJSON = try fields.required("name")
    let name = try fields.string(nameJSON, fields.path(of: "name"))
    let kind = try kind(&fields)
    let radio = try radioOfDevice(&fields, kind: kind)
    let motion = try motion(try fields.required("motion"), fields.path(of: "motion"), height: 1.2)
    let facing = try facing(&fields, motion)
    let isCarried = try fields.bool("carried") ?? false
    let loss = try fields.number("loss", 0...1, unit: "") ?? 0
    let answer = try pickerAnswer(&fields)
    try fields.finish()
    return Scenario.Device(
      name: name, kind: kind, radio: radio, motion: motion, facing: facing, isCarried: isCarried,
      extraLoss: loss, pickerAnswer: answer)
  }

  private func pickerAnswer(_ fields: inout ScenarioFields) throws(ScenarioError) -> Scenario.PickerAnswer {
    guard let json = fields.value("picker") else { return .choose }
    let words = Scenario.PickerAnswer.allCases.map(\.rawValue)
    let word = try fields.word(json, fields.path(of: "picker"), among: words)
    return Scenario.PickerAnswer(rawValue: word) ?? .choose
  }

  private func kind(_ fields: inout ScenarioFields) throws(ScenarioError) -> Scenario.Kind {
    guard let json = fields.value("kind") else { return .phone }
    let words = Scenario.Kind.allCases.map(\.rawValue)
    let word = try fields.word(json, fields.path(of: "kind"), among: words)
    return Scenario.Kind(rawValue: word) ?? .phone
  }

  /// The radio of a device: named, described, or the default for its kind.
  private func radioOfDevice(
    _ fields: inout ScenarioFields, kind: Scenario.Kind
  ) throws(ScenarioError) -> RadioCharacteristics {
    guard let json = fields.value("radio") else {
      return switch kind {
      case .phone: .phone
      case .watch: .watch
      case .accessory: .module
      }
    }
    if case .string = json.value {
      return try namedRadio(json, fields.path(of: "radio"), fields)
    }
    return try radio(json, fields.path(of: "radio"))
  }

  private func namedRadio(
    _ json: LocatedJSON, _ path: String, _ fields: ScenarioFields
  ) throws(ScenarioError) -> RadioCharacteristics {
    let name = try fields.word(json, path, among: radios.keys.sorted())
    return radios[name] ?? .phone
  }

  /// A radio described by its differences from another.
  func radio(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> RadioCharacteristics {
    var fields = try ScenarioFields(json, path: path, file: file)
    var radio = RadioCharacteristics.phone
    if let like = fields.value("like") {
      radio = try namedRadio(like, fields.path(of: "like"), fields)
    }
    func set(
      _ key: String, _ target: WritableKeyPath<RadioCharacteristics, Double>,
      _ range: ClosedRange<Double>, _ unit: String
    ) throws(ScenarioError) {
      if let number = try fields.number(key, range, unit: unit) { radio[keyPath: target] = number }
    }
    try set("power", \.transmitPower, -60...20, "dBm")
    try set("sensitivity", \.sensitivity, -130...(-40), "dBm")
    radio.rangeLimit = try fields.number("range", 0.1...295, unit: "metres") ?? radio.rangeLimit
    radio.clockOffset = try fields.number("clockOffset", -100...100, unit: "ppm") ?? radio.clockOffset
    try set("clockDrift", \.clockDrift, 0...20, "ppm")
    try set("clockDriftPeriod", \.clockDriftPeriod, 1...86_400, "seconds")
    try set("timing", \.timestampSigma, 0...10, "metres")
    try set("multipath", \.multipathSigma, 0...10, "metres")
    try set("directions", \.directionBias, 0...10, "metres")
    try set("outliers", \.outlierChance, 0...1, "")
    if let bias = try fields.number("bias", -100...100, unit: "metres") {
      radio.calibratedAntennaDelay = radio.antennaDelay - 2 * bias / speedOfLight
    }
    if let angle = try fields.number("fieldOfView", 0...180, unit: "degrees, the whole cone") {
      radio.array = angle > 0 ? radio.array ?? AntennaArray() : nil
      radio.array?.fieldOfView = angle / 2 * .pi / 180
    }
    try fields.finish()
    return radio
  }

  // MARK: Motion

  /// Parses a trajectory. Points without a height get `height`, metres.
  func motion(
    _ json: LocatedJSON, _ path: String, height: Double
  ) throws(ScenarioError) -> Trajectory {
    var fields = try ScenarioFields(json, path: path, file: file)
    let trajectory: Trajectory
    if fields.keys.contains("track") {
      trajectory = .recorded(try track(&fields))
    } else if fields.keys.contains("walk") {
      trajectory = .waypoints(try walk(&fields, height: height))
    } else {
      let json = try fields.required("stand")
      trajectory = .standing(try point(json, fields.path(of: "stand"), fields, height: height))
    }
    try fields.finish()
    return trajectory
  }

  private func walk(
    _ fields: inout ScenarioFields, height: Double
  ) throws(ScenarioError) -> WaypointPath {
    let speed = try fields.number("speed", 0.01...50, unit: "metres a second") ?? 1.2
    let start = try fields.number("start", 0...86_400, unit: "seconds") ?? 0
    let isLoop = try fields.bool("loop") ?? false
    let corner = try fields.number("corner", 0...60, unit: "seconds") ?? 0.4
    var stops: [WaypointPath.Waypoint] = []
    for entry in try fields.list("walk", most: ScenarioLimits.points) {
      stops.append(try waypoint(entry.json, entry.path, fields, speed: speed, height: height))
    }
    guard !stops.isEmpty else {
      let json = try fields.required("walk")
      throw fields.error(
        json, fields.path(of: "walk"), .outOfRange(found: json.inWords, expected: "a point or more"))
    }
    return WaypointPath(stops, start: start, isLoop: isLoop, blend: corner)
  }

  /// Parses `[x, y, z]`, or an object with `to`, `speed` and `rest`.
  private func waypoint(
    _ json: LocatedJSON, _ path: String, _ outer: ScenarioFields, speed: Double, height: Double
  ) throws(ScenarioError) -> WaypointPath.Waypoint {
    guard case .object = json.value else {
      return .init(try point(json, path, outer, height: height), speed: speed)
    }
    var fields = try ScenarioFields(json, path: path, file: file)
    let to = try point(
      try fields.required("to"), fields.path(of: "to"), fields, height: height)
    let own = try fields.number("speed", 0.01...50, unit: "metres a second") ?? speed
    let rest = try fields.number("rest", 0...86_400, unit: "seconds") ?? 0
    try fields.finish()
    return .init(to, speed: own, rest: rest)
  }

  /// Parses rows of `[time, x, y, z, heading, pitch, roll]`. The three angles, in degrees, may be omitted.
  private func track(_ fields: inout ScenarioFields) throws(ScenarioError) -> RecordedPath {
    let json = try fields.required("track")
    var samples: [RecordedPath.Point] = []
    for entry in try fields.list(json, fields.path(of: "track"), most: ScenarioLimits.points) {
      let row = try fields.list(entry.json, entry.path, most: 7)
      guard row.count == 4 || row.count == 7 else {
        throw fields.error(
          entry.json, entry.path,
          .wrongType(found: entry.json.inWords, expected: "[time, x, y, z] or with three angles"))
      }
      var numbers: [Double] = []
      for cell in row {
        numbers.append(try fields.number(cell.json, cell.path, -100_000...100_000, unit: ""))
      }
      if let last = samples.last, numbers[0] <= last.seconds {
        throw fields.error(
          row[0].json, row[0].path,
          .outOfRange(
            found: row[0].json.inWords,
            expected: "a time after \(LocatedJSON.inWords(last.seconds))"))
      }
      let angles = numbers.dropFirst(4).map { $0 * .pi / 180 }
      let attitude =
        angles.count == 3
        ? Rotation(heading: angles[0], pitch: angles[1], roll: angles[2]) : Rotation(heading: 0)
      samples.append(
        .init(
          seconds: numbers[0], position: SIMD3(numbers[1], numbers[2], numbers[3]),
          worldFromDevice: attitude))
    }
    guard !samples.isEmpty else {
      throw fields.error(
        json, fields.path(of: "track"), .outOfRange(found: json.inWords, expected: "a row or more"))
    }
    return RecordedPath(samples)
  }

  /// Parses `[x, y]` or `[x, y, z]`, metres.
  func point(
    _ json: LocatedJSON, _ path: String, _ fields: ScenarioFields, height: Double
  ) throws(ScenarioError) -> SIMD3<Double> {
    guard case .array(let elements) = json.value, elements.count == 2 || elements.count == 3 else {
      throw fields.error(
        json, path, .wrongType(found: json.inWords, expected: "a point, [x, y] or [x, y, z]"))
    }
    var numbers: [Double] = []
    for (index, element) in elements.enumerated() {
      numbers.append(
        try fields.number(element, "\(path)[\(index)]", -100_000...100_000, unit: "metres"))
    }
    return SIMD3(numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : height)
  }

  // MARK: Facing

  private func facing(
    _ fields: inout ScenarioFields, _ motion: Trajectory
  ) throws(ScenarioError) -> Facing {
    guard let json = fields.value("facing") else {
      return switch motion {
      case .standing: .fixed(Rotation(heading: 0))
      case .waypoints: .alongMotion(pitch: 0, roll: 0)
      case .recorded: .recorded
      }
    }
    return try facing(json, fields.path(of: "facing"))
  }

  /// Parses an object with `at` (a point), `device` (a name), or `heading`, `pitch` and `roll` in degrees.
  /// Without a heading, the device faces its direction of motion.
  func facing(_ json: LocatedJSON, _ path: String) throws(ScenarioError) -> Facing {
    var fields = try ScenarioFields(json, path: path, file: file)
    if let at = fields.value("at") {
      let target = try point(at, fields.path(of: "at"), fields, height: 1.2)
      try fields.finish()
      return .towards(target)
    }
    if let name = fields.value("device") {
      let index = try device(named: name, fields.path(of: "device"), fields)
      try fields.finish()
      return .tracking(BodyID(index: index))
    }
    let heading = try fields.number("heading", -360...360, unit: "degrees from north")
    let pitch = (try fields.number("pitch", -90...90, unit: "degrees") ?? 0) * .pi / 180
    let roll = (try fields.number("roll", -180...180, unit: "degrees") ?? 0) * .pi / 180
    try fields.finish()
    guard let heading else { return .alongMotion(pitch: pitch, roll: roll) }
    return .fixed(Rotation(heading: heading * .pi / 180, pitch: pitch, roll: roll))
  }
}
