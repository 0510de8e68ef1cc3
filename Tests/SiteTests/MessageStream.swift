import NearbyMaths
import NearbyReadings
import NearbySchedule
import NearbySite

/// A stream of a site's messages, as a server would keep it.
struct MessageStream {
  typealias Message = RecentMessages.Message

  let plan: SitePlan
  private(set) var messages: [Message] = []

  /// Tags walk around; every tenth message repeats an earlier one, as a gateway does that saw no acknowledgement.
  init(tags: Int, messages count: Int) throws {
    plan = try Self.plan(tags)
    var noise = NoiseStream(seed: 5)
    for number in 0..<count {
      if number % 10 == 9, let old = messages.last {
        add(old.topic, old.payload, at: number)
        continue
      }
      let tag = Int(noise.uniform() * Double(tags))
      let receiver = plan.receivers[Int(noise.uniform() * Double(plan.receivers.count))]
      let angle = 0.01 * Double(number) + Double(tag)
      let across = receiver.position - SIMD3(5 + 2 * Maths.cos(angle), 4 + 2 * Maths.sin(angle), 1.2)
      let metres = (across * across).sum().squareRoot() + 0.05 * noise.normal()
      let isLoud = noise.uniform() < 0.3
      let value: GatewayReading.Value =
        isLoud
        ? .advertisement(rssi: -60 - 8.686 * Maths.log(metres), power: -59)
        : .range(metres: metres, sigma: nil, blocked: nil, rssi: nil)
      let reading = GatewayReading(
        time: Self.start + Double(number) * 0.01, number: UInt64(number + 1), peer: "t\(tag)", value: value)
      add(
        "nearby/\(plan.name)/\(receiver.id)/\(reading.kind.rawValue)", Array(ReadingText.text(reading).utf8),
        at: number)
    }
  }

  static let start = 1_700_000_000.0

  private static func plan(_ tags: Int) throws -> SitePlan {
    var plan = try SitePlan(parsing: exampleSite, file: "site.json")
    plan.tags = (0..<tags).map { SitePlan.Tag(id: "t\($0)", name: "Tag \($0)") }
    plan.silence = 2
    return plan
  }

  private mutating func add(_ topic: String, _ payload: [UInt8], at number: Int) {
    messages.append(
      Message(
        sequence: UInt64(number + 1), time: Self.start + Double(number) * 0.01 + 0.002, topic: topic,
        payload: payload))
  }

  func site(after position: UInt64 = 0) throws -> SharedSite {
    SharedSite(try SiteEngine(plan, version: "1", seed: 1), after: position)
  }
}
