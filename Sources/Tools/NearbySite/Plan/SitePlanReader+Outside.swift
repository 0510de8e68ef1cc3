import NearbyScenarios

extension SitePlanReader {
  /// `broker`: `url`, `user`, `passwordFile`, `ca`, `certificate`, `key`, `version`.
  func broker(_ fields: inout ScenarioFields) throws(ScenarioError) -> SiteBroker {
    var broker = SiteBroker()
    guard let json = fields.value("broker") else { return broker }
    var own = try ScenarioFields(json, path: "broker", file: file)
    if let url = own.value("url") {
      guard let parsed = SiteBroker(url: try own.string(url, "broker.url")) else {
        throw own.error(
          url, "broker.url", .outOfRange(found: url.inWords, expected: SiteBroker.expectedURL))
      }
      broker = parsed
    }
    broker.user = try text("user", &own)
    if let stray = own.value("password") {
      throw own.error(
        stray, "broker.password",
        .unknownKey("password", suggestion: "passwordFile"))
    }
    broker.passwordFile = try text("passwordFile", &own)
    broker.authorities = try text("ca", &own)
    broker.certificate = try text("certificate", &own)
    broker.key = try text("key", &own)
    if let version = own.value("version") {
      broker.usesVersion5 = try own.word(version, "broker.version", among: ["3.1.1", "5"]) == "5"
    }
    try own.finish()
    return broker
  }

  /// `nats`: `url`, `credentials`, `ca`, `replicas`.
  func sharing(_ fields: inout ScenarioFields) throws(ScenarioError) -> SiteSharing? {
    guard let json = fields.value("nats") else { return nil }
    var own = try ScenarioFields(json, path: "nats", file: file)
    let url = try own.required("url")
    let address = try own.string(url, "nats.url")
    guard SiteSharing.isURL(address) else {
      throw own.error(url, "nats.url", .outOfRange(found: url.inWords, expected: SiteSharing.expectedURL))
    }
    var sharing = SiteSharing(url: address)
    sharing.credentials = try text("credentials", &own)
    sharing.authorities = try text("ca", &own)
    if let replicas = try own.number("replicas", 1...5, unit: ""), let count = Int(exactly: replicas) {
      sharing.replicas = count
    }
    try own.finish()
    return sharing
  }

  /// `publish`: which outputs there are.
  func publishers(
    _ fields: inout ScenarioFields, hasOrigin: Bool
  ) throws(ScenarioError) -> SitePublishers {
    var publishers = SitePublishers()
    guard let json = fields.value("publish") else { return publishers }
    var own = try ScenarioFields(json, path: "publish", file: file)
    publishers.homeAssistant = try topic("homeAssistant", &own, unless: publishers.homeAssistant)
    publishers.espresenseInput = try topic("espresenseInput", &own, unless: publishers.espresenseInput)
    publishers.espresenseOutput = try topic("espresense", &own, unless: nil)
    if let user = own.value("ownTracks") {
      guard hasOrigin else {
        throw own.error(
          user, "publish.ownTracks",
          .outOfRange(found: user.inWords, expected: "an origin with latitude and longitude beside it"))
      }
      publishers.ownTracks = try topic("ownTracks", &own, unless: nil)
    }
    if let hub = own.value("omlox") {
      let address = try own.string(hub, "publish.omlox")
      guard address.hasPrefix("http://") || address.hasPrefix("https://") else {
        throw own.error(
          hub, "publish.omlox", .outOfRange(found: hub.inWords, expected: "http://HOST:PORT"))
      }
      publishers.omlox = address.hasSuffix("/") ? String(address.dropLast()) : address
    }
    publishers.history = try text("history", &own)
    try own.finish()
    return publishers
  }

  /// The prefix of topics: text, `true` for the usual one, or `false` for none.
  private func topic(
    _ key: String, _ fields: inout ScenarioFields, unless usual: String?
  ) throws(ScenarioError) -> String? {
    guard let json = fields.value(key) else { return usual }
    if case .bool(let isOn) = json.value {
      let names = ["homeAssistant": "homeassistant", "ownTracks": "nearby"]
      return isOn ? names[key] ?? "espresense" : nil
    }
    let text = try fields.string(json, fields.path(of: key))
    let isTopic = !text.contains { "+#".contains($0) } && !text.hasPrefix("/") && !text.hasSuffix("/")
    guard isTopic, (1...100).contains(text.utf8.count),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
    else {
      throw fields.error(
        json, fields.path(of: key),
        .outOfRange(found: json.inWords, expected: "a topic without wildcards, true or false"))
    }
    return text
  }

  /// `page`: `host` and `port`; `false` for none.
  func page(_ fields: inout ScenarioFields) throws(ScenarioError) -> SitePage? {
    guard let json = fields.value("page") else { return nil }
    if case .bool(let isOn) = json.value { return isOn ? SitePage() : nil }
    var own = try ScenarioFields(json, path: "page", file: file)
    var page = SitePage()
    page.host = try text("host", &own) ?? page.host
    if let number = try own.number("port", 0...65_535, unit: ""), let port = UInt16(exactly: number) {
      page.port = port
    }
    try own.finish()
    return page
  }
}
