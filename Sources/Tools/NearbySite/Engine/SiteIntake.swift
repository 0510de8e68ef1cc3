import NearbyReadings
import NearbySchedule

/// Turns messages of gateways and of ESPresense into readings of a plan's tags.
///
/// Ids are looked up once in a table; a reading's two devices may be named in either order, since a range has no
/// direction.
struct SiteIntake: Sendable {
  private enum Part: Sendable {
    case receiver(Int)
    case tag(Int)
  }

  private let site: String
  private let espresense: String?
  private var parts: [String: Part] = [:]

  init(_ plan: SitePlan) {
    site = plan.name
    espresense = plan.publishers.espresenseInput
    for (index, tag) in plan.tags.enumerated() {
      for id in [tag.id] + tag.aliases { parts[id] = .tag(index) }
    }
    for (index, receiver) in plan.receivers.enumerated() { parts[receiver.id] = .receiver(index) }
  }

  /// The patterns to subscribe to.
  var patterns: [String] {
    GatewayReading.Kind.allCases.map { ReadingTopic.pattern(site: site, $0) }
      + (espresense.map { ["\($0)/devices/+/+"] } ?? [])
  }

  /// Parses a message.
  ///
  /// - Parameters:
  ///   - now: The present, Unix seconds; ESPresense states no times.
  ///   - rejected: Called for each reading that can't be used.
  /// - Returns: The readings, in their order.
  func readings(
    topic: String, payload: [UInt8], now: Double, rejected: (SiteRejection) -> Void
  ) -> [SiteReading] {
    if let (device, kind) = ReadingTopic.parse(topic, site: site) {
      do throws(ReadingError) {
        return try ReadingParser.parse(payload, kind).compactMap { reading in
          do throws(SiteRejection) { return try resolve(reading, device) } catch {
            rejected(error)
            return nil
          }
        }
      } catch {
        switch error {
        case .tooLarge, .tooMany: rejected(.tooLarge)
        case .syntax, .key: rejected(.brokenPayload)
        }
        return []
      }
    }
    do throws(SiteRejection) {
      guard let espresense,
        let report = try ESPresenseReport(topic: topic, payload: payload, prefix: espresense)
      else { throw .unknownTopic }
      return [try resolve(report, now: now)]
    } catch {
      rejected(error)
      return []
    }
  }

  private func resolve(_ reading: GatewayReading, _ device: String) throws(SiteRejection)
    -> SiteReading
  {
    let (tag, receiver): (Int, Int)
    switch (parts[device], parts[reading.peer]) {
    case (.tag(let one), .receiver(let other)?): (tag, receiver) = (one, other)
    case (.receiver(let one), .tag(let other)?): (tag, receiver) = (other, one)
    case (.receiver?, _): throw .unknownTag
    case (.tag?, _), (nil, .tag?): throw .unknownReceiver
    case (nil, _): throw .unknownTag
    }
    let value: SiteReading.Value
    switch reading.value {
    case .range(let metres, let sigma, let blocked, _):
      value = .range(metres: metres, sigma: sigma, blocked: blocked)
    case .difference(let from, let metres, let sigma):
      guard case .receiver(let from)? = parts[from] else { throw .unknownReceiver }
      value = .difference(from: from, metres: metres, sigma: sigma)
    case .advertisement(let rssi, let power): value = .loudness(rssi: rssi, power: power)
    }
    let number = reading.number.map {
      SiteReading.Number(sender: StableHash.of(device), number: $0)
    }
    return SiteReading(tag: tag, receiver: receiver, value: value, time: reading.time, number: number)
  }

  private func resolve(_ report: ESPresenseReport, now: Double) throws(SiteRejection) -> SiteReading {
    guard case .tag(let tag)? = parts[report.id] else { throw .unknownTag }
    guard case .receiver(let receiver)? = parts[report.room] else { throw .unknownReceiver }
    return SiteReading(
      tag: tag, receiver: receiver, value: .loudness(rssi: report.rssi, power: report.power), time: now)
  }
}
