import NearbyScenarios
import NearbyTextForms

extension SitePlan {
  /// Parses a configuration: JSON5, at most 4 MiB.
  ///
  /// - Parameter file: Name for the errors.
  /// - Throws: Where the text is wrong, what was found and what was expected.
  package init(parsing text: String, file: String) throws(ScenarioError) {
    guard text.utf8.count <= Limits.octets else {
      throw ScenarioError(
        file: file, line: 1, column: 1, path: "",
        problem: .outOfRange(found: "\(text.utf8.count) octets", expected: "at most \(Limits.octets)"))
    }
    let json: LocatedJSON
    do throws(LocatedJSON.SyntaxError) {
      json = try LocatedJSON(parsing: text)
    } catch {
      throw ScenarioError(
        file: file, line: error.place.line, column: error.place.column, path: "",
        problem: .syntax(found: error.found, expected: error.expected))
    }
    var reader = SitePlanReader(file: file)
    self = try reader.plan(json)
  }
}

/// Reads a site's configuration.
struct SitePlanReader {
  let file: String
  /// Lines of the ids so far, for each kind of thing.
  private var lines: [String: [String: Int]] = [:]

  init(file: String) { self.file = file }

  mutating func plan(_ json: LocatedJSON) throws(ScenarioError) -> SitePlan {
    var fields = try ScenarioFields(json, path: "", file: file)
    var plan = SitePlan(name: try siteName(&fields))
    plan.origin = try origin(&fields)
    plan.hasBroker = fields.value("broker") != nil
    plan.broker = try broker(&fields)
    plan.sharing = try sharing(&fields)
    for entry in try fields.list("rooms", most: SitePlan.Limits.rooms) {
      plan.rooms.append(try room(entry))
    }
    for entry in try fields.list("receivers", most: SitePlan.Limits.receivers) {
      plan.receivers.append(try receiver(entry, rooms: plan.rooms))
    }
    for entry in try fields.list("fences", most: SitePlan.Limits.fences) {
      plan.fences.append(try fence(entry))
    }
    for entry in try fields.list("tags", most: SitePlan.Limits.tags) {
      plan.tags.append(try tag(entry))
    }
    plan.levels = try levels(&fields)
    plan.heights = try heights(&fields)
    plan.interval = try fields.number("interval", 0.02...60, unit: "seconds") ?? plan.interval
    plan.silence = try fields.number("silence", 1...3600, unit: "seconds") ?? plan.silence
    plan.publishers = try publishers(&fields, hasOrigin: plan.origin != nil)
    plan.page = try page(&fields)
    guard !plan.receivers.isEmpty else { throw fields.missing("receivers") }
    try fields.finish()
    return plan
  }

  // MARK: Things

  private func siteName(_ fields: inout ScenarioFields) throws(ScenarioError) -> String {
    let json = try fields.required("site")
    let name = try fields.string(json, "site")
    let isPlain = name.utf8.allSatisfy { octet in
      (0x61...0x7A).contains(octet) || (0x30...0x39).contains(octet) || octet == 0x2D || octet == 0x5F
    }
    guard isPlain, (1...40).contains(name.utf8.count) else {
      throw fields.error(
        json, "site", .outOfRange(found: json.inWords, expected: "1 to 40 of a-z, 0-9, - and _"))
    }
    return name
  }

  private mutating func room(
    _ entry: (json: LocatedJSON, path: String)
  ) throws(ScenarioError) -> SitePlan.Room {
    var fields = try ScenarioFields(entry.json, path: entry.path, file: file)
    let id = try id(&fields, kind: "room")
    let room = SitePlan.Room(
      id: id, name: try text("name", &fields) ?? id, floor: try floor(&fields),
      outline: try outline(&fields, allowsCircle: false))
    try fields.finish()
    return room
  }

  private mutating func receiver(
    _ entry: (json: LocatedJSON, path: String), rooms: [SitePlan.Room]
  ) throws(ScenarioError) -> SitePlan.Receiver {
    var fields = try ScenarioFields(entry.json, path: entry.path, file: file)
    let id = try id(&fields, kind: "receiver")
    let place = try numbers(try fields.required("at"), fields.path(of: "at"), fields, 3...3)
    let floor = try floor(&fields)
    let position = SIMD3(place[0], place[1], place[2])
    var room = rooms.firstIndex {
      $0.floor == floor && $0.outline.contains(SIMD2(position.x, position.y))
    }
    if let json = fields.value("room") {
      let path = fields.path(of: "room")
      let name = try fields.word(json, path, among: rooms.map(\.id))
      room = rooms.firstIndex { $0.id == name }
    }
    let receiver = SitePlan.Receiver(
      id: id, position: position, floor: floor, room: room,
      offset: try fields.number("offset", -40...40, unit: "dB") ?? 0,
      surveySigma: try fields.number("sigma", 0...10, unit: "metres") ?? 0)
    try fields.finish()
    return receiver
  }

  private mutating func fence(
    _ entry: (json: LocatedJSON, path: String)
  ) throws(ScenarioError) -> SitePlan.Fence {
    var fields = try ScenarioFields(entry.json, path: entry.path, file: file)
    let id = try id(&fields, kind: "fence")
    var fence = SitePlan.Fence(
      id: id, name: try text("name", &fields) ?? id, floor: try floor(&fields),
      outline: try outline(&fields, allowsCircle: true))
    fence.enterDelay = try fields.number("enterDelay", 0...3600, unit: "seconds") ?? fence.enterDelay
    fence.exitDelay = try fields.number("exitDelay", 0...3600, unit: "seconds") ?? fence.exitDelay
    fence.dwell = try fields.number("dwell", 0.1...86_400, unit: "seconds")
    try fields.finish()
    return fence
  }

  private mutating func tag(
    _ entry: (json: LocatedJSON, path: String)
  ) throws(ScenarioError) -> SitePlan.Tag {
    var fields = try ScenarioFields(entry.json, path: entry.path, file: file)
    let id = try id(&fields, kind: "tag")
    var tag = SitePlan.Tag(id: id, name: try text("name", &fields) ?? id)
    for alias in try fields.list("aliases", most: SitePlan.Limits.aliases) {
      tag.aliases.append(try unique(alias.json, alias.path, fields, kind: "tag"))
    }
    tag.measuredPower = try fields.number("measuredPower", -120...20, unit: "dBm")
    try fields.finish()
    return tag
  }

  // MARK: Parts

  private mutating func id(_ fields: inout ScenarioFields, kind: String) throws(ScenarioError) -> String {
    try unique(try fields.required("id"), fields.path(of: "id"), fields, kind: kind)
  }

  /// An id that nothing else of its kind has.
  private mutating func unique(
    _ json: LocatedJSON, _ path: String, _ fields: ScenarioFields, kind: String
  ) throws(ScenarioError) -> String {
    let id = try fields.string(json, path)
    let forbidden = id.unicodeScalars.contains { "/+#".unicodeScalars.contains($0) || $0.value < 0x20 }
    guard !forbidden, (1...SitePlan.Limits.id).contains(id.utf8.count) else {
      throw fields.error(
        json, path,
        .outOfRange(
          found: json.inWords,
          expected: "1 to \(SitePlan.Limits.id) octets without '/', '+', '#' and control characters"))
    }
    if let line = lines[kind]?[id] {
      throw fields.error(json, path, .duplicateName(id, firstLine: line))
    }
    lines[kind, default: [:]][id] = json.place.line
    return id
  }

  private func floor(_ fields: inout ScenarioFields) throws(ScenarioError) -> Int {
    guard let json = fields.value("floor") else { return 0 }
    let path = fields.path(of: "floor")
    let number = try fields.number(json, path, -100...200, unit: "")
    guard let whole = Int(exactly: number) else {
      throw fields.error(json, path, .outOfRange(found: json.inWords, expected: "a whole number"))
    }
    return whole
  }

  func text(_ key: String, _ fields: inout ScenarioFields) throws(ScenarioError) -> String? {
    guard let json = fields.value(key) else { return nil }
    let text = try fields.string(json, fields.path(of: key))
    guard (1...1000).contains(text.utf8.count) else {
      throw fields.error(
        json, fields.path(of: key), .outOfRange(found: "\(text.utf8.count) octets", expected: "1 to 1000"))
    }
    return text
  }

  /// Coordinates, metres.
  private func numbers(
    _ json: LocatedJSON, _ path: String, _ fields: ScenarioFields, _ count: ClosedRange<Int>
  ) throws(ScenarioError) -> [Double] {
    let entries = try fields.list(json, path, most: count.upperBound)
    guard entries.count >= count.lowerBound else {
      let expected = count.upperBound == 3 ? "[x, y, z] in metres" : "[x, y] in metres"
      throw fields.error(json, path, .outOfRange(found: json.inWords, expected: expected))
    }
    var numbers: [Double] = []
    for entry in entries {
      numbers.append(try fields.number(entry.json, entry.path, -100_000...100_000, unit: "metres"))
    }
    return numbers
  }

  /// `outline`, a list of corners, or `at` and `radius` for a circle.
  private func outline(
    _ fields: inout ScenarioFields, allowsCircle: Bool
  ) throws(ScenarioError) -> SiteOutline {
    if allowsCircle, let json = fields.value("at") {
      let centre = try numbers(json, fields.path(of: "at"), fields, 2...2)
      let radius = try fields.number("radius", 0.1...10_000, unit: "metres")
      guard let radius, let circle = SiteOutline(circleAround: SIMD2(centre[0], centre[1]), radius: radius)
      else { throw fields.missing("radius") }
      return circle
    }
    let json = try fields.required("outline")
    let path = fields.path(of: "outline")
    var corners: [SIMD2<Double>] = []
    for entry in try fields.list(json, path, most: SitePlan.Limits.corners) {
      let place = try numbers(entry.json, entry.path, fields, 2...2)
      corners.append(SIMD2(place[0], place[1]))
    }
    guard let outline = SiteOutline(corners: corners) else {
      throw fields.error(
        json, path, .outOfRange(found: json.inWords, expected: "at least 3 corners around an area"))
    }
    return outline
  }

  private func origin(_ fields: inout ScenarioFields) throws(ScenarioError) -> SitePlan.Origin? {
    guard let json = fields.value("origin") else { return nil }
    var own = try ScenarioFields(json, path: "origin", file: file)
    // Beyond 85 degrees, a degree of longitude is too short to turn metres into degrees.
    guard let latitude = try own.number("latitude", -85...85, unit: "degrees") else {
      throw own.missing("latitude")
    }
    guard let longitude = try own.number("longitude", -180...180, unit: "degrees") else {
      throw own.missing("longitude")
    }
    let azimuth = try own.number("azimuth", -360...360, unit: "degrees") ?? 0
    try own.finish()
    return SitePlan.Origin(latitude: latitude, longitude: longitude, azimuth: azimuth)
  }

  /// `levels`: objects with `floor` and `level`, metres.
  private func levels(_ fields: inout ScenarioFields) throws(ScenarioError) -> [Int: Double] {
    var levels: [Int: Double] = [:]
    for entry in try fields.list("levels", most: 300) {
      var own = try ScenarioFields(entry.json, path: entry.path, file: file)
      let number = try floor(&own)
      guard let level = try own.number("level", -1000...2000, unit: "metres") else {
        throw own.missing("level")
      }
      levels[number] = level
      try own.finish()
    }
    return levels
  }

  private func heights(_ fields: inout ScenarioFields) throws(ScenarioError) -> ClosedRange<Double>? {
    guard let json = fields.value("heights") else { return nil }
    let ends = try numbers(json, "heights", fields, 2...2)
    guard ends[0] <= ends[1] else {
      throw fields.error(
        json, "heights", .outOfRange(found: "\(ends[0]) to \(ends[1])", expected: "[lowest, highest]"))
    }
    return ends[0]...ends[1]
  }
}
