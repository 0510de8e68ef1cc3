import NearbyTextForms

/// Home Assistant's side of a site: devices that it discovers, and their states.
///
/// Each tag is a device with a distance, a room and a presence; each fence is a device with an occupancy. A
/// tag's entities are available while the site's process runs, which the broker's last will ends. Sources: Home
/// Assistant, "MQTT", "Device discovery payload", "MQTT Sensor", "MQTT Device tracker", "MQTT Binary sensor".
package struct HomeAssistant: Sendable {
  private let plan: SitePlan
  private let prefix: String
  private let version: String
  private let topics: SiteTopics
  /// Tags inside each fence.
  private var inside: [Set<Int>]

  /// - Parameters:
  ///   - prefix: Of discovery topics, usually `homeassistant`.
  ///   - version: Of this software.
  package init(_ plan: SitePlan, prefix: String, version: String) {
    self.plan = plan
    self.prefix = prefix
    self.version = version
    topics = SiteTopics(site: plan.name)
    inside = plan.fences.map { _ in [] }
  }

  /// The topic on which Home Assistant announces that it started, with the payload `online`. Answer with
  /// `discovery` and the present states after some random seconds, as many devices answer.
  package var birthTopic: String { "\(prefix)/status" }

  // MARK: Discovery

  /// The retained configurations of all devices.
  package func discovery() -> [SiteMessage] {
    plan.tags.indices.map(configuration(ofTag:)) + plan.fences.indices.map(configuration(ofFence:))
  }

  private func configuration(ofTag tag: Int) -> SiteMessage {
    let id = deviceID(ofTag: tag)
    var parts = JSONLine()
    parts.add("distance", json: distance(id))
    parts.add("room", json: room(id))
    parts.add("presence", json: presence(id))
    return device(
      id, name: plan.tags[tag].name, model: "Tag", base: topics.base(plan.tags[tag].id), parts.closed())
  }

  private func distance(_ id: String) -> String {
    var part = JSONLine()
    part.add("p", text: "sensor")
    part.add("uniq_id", text: id + "_distance")
    part.add("name", text: "Distance")
    part.add("dev_cla", text: "distance")
    part.add("unit_of_meas", text: "m")
    part.add("stat_cla", text: "measurement")
    part.add("stat_t", text: "~/state")
    part.add("val_tpl", text: "{{ value_json.distance }}")
    part.add("json_attr_t", text: "~/state")
    part.add("exp_aft", Int(max(10, (3 * plan.interval).rounded(.up))))
    return part.closed()
  }

  private func room(_ id: String) -> String {
    var part = JSONLine()
    part.add("p", text: "device_tracker")
    part.add("uniq_id", text: id + "_room")
    part.add("name", text: "Room")
    part.add("stat_t", text: "~/room")
    part.add("json_attr_t", text: "~/state")
    part.add("src_type", text: "bluetooth_le")
    return part.closed()
  }

  private func presence(_ id: String) -> String {
    var part = JSONLine()
    part.add("p", text: "binary_sensor")
    part.add("uniq_id", text: id + "_presence")
    part.add("name", text: "Presence")
    part.add("dev_cla", text: "presence")
    part.add("stat_t", text: "~/presence")
    return part.closed()
  }

  private func configuration(ofFence fence: Int) -> SiteMessage {
    let id = "nearby_\(plan.name)_fence_" + SiteTopics.plainID(plan.fences[fence].id)
    var part = JSONLine()
    part.add("p", text: "binary_sensor")
    part.add("uniq_id", text: id + "_occupancy")
    part.add("name", text: "Occupancy")
    part.add("dev_cla", text: "occupancy")
    part.add("stat_t", text: "~/occupancy")
    part.add("json_attr_t", text: "~/tags")
    var parts = JSONLine()
    parts.add("occupancy", json: part.closed())
    return device(
      id, name: plan.fences[fence].name, model: "Fence", base: base(ofFence: fence), parts.closed())
  }

  private func device(
    _ id: String, name: String, model: String, base: String, _ parts: String
  ) -> SiteMessage {
    var device = JSONLine()
    device.add("ids", json: JSONArray.of([id]))
    device.add("name", text: name)
    device.add("mf", text: "swift-nearby")
    device.add("mdl", text: model)
    var origin = JSONLine()
    origin.add("name", text: "swift-nearby")
    origin.add("sw", text: version)
    var line = JSONLine()
    line.add("~", text: base)
    line.add("dev", json: device.closed())
    line.add("o", json: origin.closed())
    line.add("avty_t", text: topics.status)
    line.add("cmps", json: parts)
    return SiteMessage(
      topic: "\(prefix)/device/\(id)/config", payload: line.closed(), isRetained: true, quality: 1)
  }

  private func deviceID(ofTag tag: Int) -> String {
    "nearby_\(plan.name)_" + SiteTopics.plainID(plan.tags[tag].id)
  }

  private func base(ofFence fence: Int) -> String {
    "nearby/\(plan.name)/fence/\(plan.fences[fence].id)"
  }

  // MARK: States

  /// The states that an output changes.
  package mutating func messages(for output: SiteOutput) -> [SiteMessage] {
    switch output {
    case .appeared(let tag, _): return [message(tag, "presence", "ON")]
    case .vanished(let tag, _):
      return [message(tag, "presence", "OFF"), message(tag, "room", "not_home")]
    case .report(let report):
      let state = SiteMessage(topic: topics.base(plan.tags[report.tag].id) + "/state", payload: state(report))
      return report.isRoomNew ? [room(of: report), state] : [state]
    case .fence(let event):
      switch event.kind {
      case .enter: inside[event.fence].insert(event.tag)
      case .exit: inside[event.fence].remove(event.tag)
      case .dwell: return []
      }
      return occupancy(of: event.fence)
    }
  }

  /// Everything that holds at present, for a broker that forgot it.
  ///
  /// - Parameter reports: Of the tags that are present, by index; `nil` for one that is away.
  package func states(_ reports: [SiteReport?]) -> [SiteMessage] {
    var messages: [SiteMessage] = []
    for (tag, report) in reports.enumerated() where plan.tags.indices.contains(tag) {
      messages.append(message(tag, "presence", report == nil ? "OFF" : "ON"))
      messages.append(report.map(room) ?? message(tag, "room", "not_home"))
    }
    return messages + plan.fences.indices.flatMap(occupancy)
  }

  private func room(of report: SiteReport) -> SiteMessage {
    message(report.tag, "room", report.room.map { plan.rooms[$0].name } ?? "home")
  }

  private func message(_ tag: Int, _ part: String, _ payload: String) -> SiteMessage {
    SiteMessage(
      topic: "\(topics.base(plan.tags[tag].id))/\(part)", payload: payload, isRetained: true, quality: 1)
  }

  private func occupancy(of fence: Int) -> [SiteMessage] {
    var tags = JSONLine()
    tags.add("count", inside[fence].count)
    tags.add("tags", json: JSONArray.of(inside[fence].sorted().map { plan.tags[$0].id }))
    let base = base(ofFence: fence)
    return [
      SiteMessage(
        topic: base + "/occupancy", payload: inside[fence].isEmpty ? "OFF" : "ON", isRetained: true,
        quality: 1),
      SiteMessage(topic: base + "/tags", payload: tags.closed(), isRetained: true, quality: 1),
    ]
  }

  /// The state and attributes; coordinates on the globe only if the plan has an origin.
  private func state(_ report: SiteReport) -> String {
    var line = JSONLine()
    line.add("distance", report.nearest?.metres, decimals: 2)
    line.add("receiver", text: report.nearest.map { plan.receivers[$0.receiver].id })
    line.add("room", text: report.room.map { plan.rooms[$0].name })
    if let position = report.position {
      line.add("x", position.position.x, decimals: 2)
      line.add("y", position.position.y, decimals: 2)
      line.add("z", position.position.z, decimals: 2)
      line.add("floor", position.floor)
      line.add("accuracy", position.accuracy, decimals: 2)
      if let origin = plan.origin {
        let globe = origin.globe(position.position)
        line.add("latitude", exactly: rounded(globe.latitude))
        line.add("longitude", exactly: rounded(globe.longitude))
        line.add("gps_accuracy", position.accuracy, decimals: 2)
      }
    }
    return line.closed()
  }

  /// To a hundredth of a metre.
  private func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
