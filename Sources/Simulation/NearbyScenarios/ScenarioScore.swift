extension Scenario {
  /// A number that says how well a run of the scenario went, and the bounds that it must keep.
  package struct Score: Equatable, Sendable {
    /// What is measured over the reports that the apps of some devices got of some peers.
    package enum Measure: Equatable, Sendable {
      /// A quantile, 0 to 1, of the distance's absolute error, metres.
      case error(quantile: Double)
      /// The mean of the distance's error, metres; positive if it is reported too large.
      case bias
      /// A quantile, 0 to 1, of the angle between the reported and the true direction, degrees.
      case directionError(quantile: Double)
      /// The share of distances whose error is within 2.5 of their stated standard deviations, 0 to 1.
      case coverage
      /// The share of directions whose angle from the true one is within 2.5 of their stated standard deviations,
      /// 0 to 1.
      case directionCoverage
      /// The share of rounds that gave a distance, 0 to 1.
      case heard
      /// From the window's start to the first distance, seconds.
      case firstDistance
      /// The longest time without a distance, from the first to the window's end, seconds.
      case longestGap
      /// From the window's start to the first such event, seconds.
      case event(AppEvent)
      /// How many such events there were.
      case events(AppEvent)
    }

    /// Which distances and directions count, by what was in the direct path.
    package enum Path: String, CaseIterable, Equatable, Sendable {
      case sight, blocked
    }

    /// What an app is notified of, beside distances.
    package enum AppEvent: String, CaseIterable, Equatable, Sendable {
      case running, suspended, resumed, removed, invalidated
    }

    package var name: String
    package var measure: Measure
    /// Index into `devices` of the device whose app reports; `nil` for all.
    package var device: Int?
    /// Index into `devices` of the peer that is reported; `nil` for all.
    package var peer: Int?
    /// `nil` for all. Only measures of distances and directions have it.
    package var path: Path?
    /// The window of time that counts.
    package var from: Duration
    /// `nil` for the end of the run.
    package var to: Duration?
    /// What the score must not be below or above; a score without a value is outside any bound.
    package var atLeast: Double?
    package var atMost: Double?

    package init(
      name: String, measure: Measure, device: Int? = nil, peer: Int? = nil, path: Path? = nil,
      from: Duration = .zero, to: Duration? = nil, atLeast: Double? = nil, atMost: Double? = nil
    ) {
      self.name = name
      self.measure = measure
      self.device = device
      self.peer = peer
      self.path = path
      self.from = from
      self.to = to
      self.atLeast = atLeast
      self.atMost = atMost
    }
  }

  /// The scores of a scenario that names none.
  package static let usualScores = [
    Score(name: "error p50", measure: .error(quantile: 0.5)),
    Score(name: "error p90", measure: .error(quantile: 0.9)),
    Score(name: "heard", measure: .heard),
    Score(name: "first distance", measure: .firstDistance),
  ]
}

extension Scenario.Score.Measure {
  /// Whether it is one of distances or directions, each over some path.
  fileprivate var hasPath: Bool {
    switch self {
    case .error, .bias, .coverage, .directionError, .directionCoverage: true
    case .heard, .firstDistance, .longestGap, .event, .events: false
    }
  }
}

extension ScenarioReader {
  /// Parses `scores`, a list of objects with `of`, and optionally `name`, `device`, `peer`, `path`, `from`, `to`,
  /// `atLeast` and `atMost`.
  func scores(_ fields: inout ScenarioFields, duration: Double) throws(ScenarioError) -> [Scenario.Score] {
    var scores: [Scenario.Score] = []
    var names = ScenarioNames()
    for entry in try fields.list("scores", most: ScenarioLimits.scores) {
      let score = try score(entry.json, entry.path, duration: duration)
      if let first = names.add(score.name, line: entry.json.place.line) {
        throw fields.error(entry.json, entry.path, .duplicateName(score.name, firstLine: first))
      }
      scores.append(score)
    }
    return scores
  }

  private static let words = [
    "bias", "coverage", "directionCoverage", "directionError", "error", "event", "events", "firstDistance",
    "heard", "longestGap",
  ]

  private func score(
    _ json: LocatedJSON, _ path: String, duration: Double
  ) throws(ScenarioError) -> Scenario.Score {
    var fields = try ScenarioFields(json, path: path, file: file)
    let word = try fields.word(try fields.required("of"), fields.path(of: "of"), among: Self.words)
    let measure = try measure(word, &fields)
    let device = try end("device", &fields)
    let peer = try end("peer", &fields)
    let path = measure.hasPath ? try self.path(&fields) : nil
    let from = try fields.number("from", 0...duration, unit: "seconds") ?? 0
    let to = try fields.number("to", from...max(from, duration), unit: "seconds")
    let name = try name(&fields, usual: Self.name(of: measure, path))
    let bounds = -1_000_000.0...1_000_000
    let score = Scenario.Score(
      name: name, measure: measure, device: device, peer: peer, path: path,
      from: Self.time(from), to: to.map(Self.time),
      atLeast: try fields.number("atLeast", bounds, unit: ""),
      atMost: try fields.number("atMost", bounds, unit: ""))
    try fields.finish()
    return score
  }

  private func name(_ fields: inout ScenarioFields, usual: String) throws(ScenarioError) -> String {
    guard let json = fields.value("name") else { return usual }
    let name = try fields.string(json, fields.path(of: "name"))
    guard !name.isEmpty, name.utf8.count <= ScenarioLimits.scoreName else {
      throw fields.error(
        json, fields.path(of: "name"),
        .outOfRange(found: json.inWords, expected: "a name of at most \(ScenarioLimits.scoreName) octets"))
    }
    return name
  }

  /// The index of a device that a score is about.
  private func end(_ key: String, _ fields: inout ScenarioFields) throws(ScenarioError) -> Int? {
    guard let json = fields.value(key) else { return nil }
    return try device(named: json, fields.path(of: key), fields)
  }

  private func measure(
    _ word: String, _ fields: inout ScenarioFields
  ) throws(ScenarioError) -> Scenario.Score.Measure {
    switch word {
    case "bias": return .bias
    case "coverage": return .coverage
    case "directionCoverage": return .directionCoverage
    case "error": return .error(quantile: try fields.number("quantile", 0...1, unit: "") ?? 0.5)
    case "directionError":
      return .directionError(quantile: try fields.number("quantile", 0...1, unit: "") ?? 0.5)
    case "firstDistance": return .firstDistance
    case "heard": return .heard
    case "longestGap": return .longestGap
    case "event": return .event(try appEvent(&fields))
    default:
      // The word comes from the caller's list, so this is "events".
      return .events(try appEvent(&fields))
    }
  }

  private func path(_ fields: inout ScenarioFields) throws(ScenarioError) -> Scenario.Score.Path? {
    guard let json = fields.value("path") else { return nil }
    let words = Scenario.Score.Path.allCases.map(\.rawValue)
    return Scenario.Score.Path(rawValue: try fields.word(json, fields.path(of: "path"), among: words))
  }

  private func appEvent(_ fields: inout ScenarioFields) throws(ScenarioError) -> Scenario.Score.AppEvent {
    let words = Scenario.Score.AppEvent.allCases.map(\.rawValue)
    let word = try fields.word(try fields.required("event"), fields.path(of: "event"), among: words)
    return Scenario.Score.AppEvent(rawValue: word) ?? .running
  }

  private static func time(_ seconds: Double) -> Duration {
    .milliseconds(Int64((seconds * 1000).rounded()))
  }

  private static func name(of measure: Scenario.Score.Measure, _ path: Scenario.Score.Path?) -> String {
    func percent(_ quantile: Double) -> String { LocatedJSON.inWords((quantile * 1000).rounded() / 10) }
    let name =
      switch measure {
      case .error(let quantile): "error p\(percent(quantile))"
      case .bias: "bias"
      case .coverage: "coverage"
      case .directionError(let quantile): "direction error p\(percent(quantile))"
      case .directionCoverage: "direction coverage"
      case .heard: "heard"
      case .firstDistance: "first distance"
      case .longestGap: "longest gap"
      case .event(let event): "time to \(event.rawValue)"
      case .events(let event): "number of \(event.rawValue)"
      }
    return switch path {
    case .sight: name + " in sight"
    case .blocked: name + " blocked"
    case nil: name
    }
  }
}
