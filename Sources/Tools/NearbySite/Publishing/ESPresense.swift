import NearbyScenarios
import NearbyTextForms

/// What an ESPresense receiver reports about a device, read and written.
///
/// Topic `<prefix>/devices/<device>/<room>`, payload as in ESPresense's documentation, "MQTT".
package struct ESPresenseReport: Equatable, Sendable {
  package var id: String
  package var room: String
  /// dBm.
  package var rssi: Double
  /// dBm at 1 m; `nil` if not stated.
  package var power: Double?
  /// Metres; `nil` if not stated.
  package var distance: Double?
  /// Variance of the distance, m².
  package var variance: Double?
  /// Mean time between packets, milliseconds.
  package var interval: Double?

  package init(
    id: String, room: String, rssi: Double, power: Double? = nil, distance: Double? = nil,
    variance: Double? = nil, interval: Double? = nil
  ) {
    self.id = id
    self.room = room
    self.rssi = rssi
    self.power = power
    self.distance = distance
    self.variance = variance
    self.interval = interval
  }

  /// Largest payload, octets.
  package static let largest = 4096

  /// Parses a message.
  ///
  /// - Returns: `nil` if the topic is not one of a device, for example telemetry.
  /// - Throws: Why it can't be used.
  package init?(topic: String, payload: some Collection<UInt8>, prefix: String) throws(SiteRejection) {
    guard topic.hasPrefix(prefix + "/devices/") else { return nil }
    let parts = topic.dropFirst(prefix.count + 9).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = parts.first, let room = parts.last, !id.isEmpty, !room.isEmpty else {
      return nil
    }
    guard payload.count <= Self.largest else { throw .tooLarge }
    guard let text = String(validating: payload, as: UTF8.self),
      let json = try? LocatedJSON(parsing: text), case .object(let members) = json.value
    else { throw .brokenPayload }
    func number(_ key: String) throws(SiteRejection) -> Double? {
      switch members.first(where: { $0.key == key })?.value.value {
      case .number(let number): return number
      case nil, .null: return nil
      case .bool, .string, .array, .object: throw .brokenPayload
      }
    }
    guard let rssi = try number("rssi") else { throw .brokenPayload }
    self.init(
      id: String(id), room: String(room), rssi: rssi, power: try number("rssi@1m"),
      distance: try number("distance"), variance: try number("var"), interval: try number("int"))
  }

  /// The message as a receiver of ESPresense would publish it.
  package func message(prefix: String) -> SiteMessage {
    var line = JSONLine()
    line.add("id", text: id)
    if let power { line.add("rssi@1m", power, decimals: 0) }
    line.add("rssi", rssi, decimals: 1)
    if let distance { line.add("distance", distance, decimals: 2) }
    if let variance { line.add("var", variance, decimals: 2) }
    if let interval { line.add("int", interval, decimals: 0) }
    return SiteMessage(topic: "\(prefix)/devices/\(id)/\(room)", payload: line.closed())
  }
}

/// Publishes a site's tags as if its receivers were ESPresense rooms.
package struct ESPresense: Sendable {
  private let plan: SitePlan
  private let prefix: String

  package init(_ plan: SitePlan, prefix: String) {
    self.plan = plan
    self.prefix = prefix
  }

  /// The retained status of each room; ESPresense's integrations show it.
  package func statuses(isOnline: Bool) -> [SiteMessage] {
    plan.receivers.map {
      SiteMessage(
        topic: "\(prefix)/rooms/\($0.id)/status", payload: isOnline ? "online" : "offline",
        isRetained: true, quality: 1)
    }
  }

  /// The message for a report with a nearest receiver. The RSSI is the one that free space gives at that
  /// distance, since a report may stem from many packets or from ranging.
  package func message(for report: SiteReport) -> SiteMessage? {
    guard let nearest = report.nearest else { return nil }
    let tag = plan.tags[report.tag]
    let power = tag.measuredPower ?? -59
    return ESPresenseReport(
      id: tag.id, room: plan.receivers[nearest.receiver].id,
      rssi: power - PathLoss.decibels(at: max(nearest.metres, 0.1)), power: power, distance: nearest.metres,
      variance: nearest.sigma.map { $0 * $0 }, interval: plan.interval * 1000
    ).message(prefix: prefix)
  }
}
