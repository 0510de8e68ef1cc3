import Foundation
import NearbyExchange
import NearbyReadings
import NearbyScenarios
import NearbySchedule
import NearbySimulator
import NearbySite
import NearbyTextForms

/// A simulated building with gateways and tags: six rooms on both sides of a corridor, two gateways in each.
///
/// Sixteen tags range by UWB with the gateways around them; four are beacons that the gateways hear.
struct DemoBuilding {
  static let tagCount = 20
  static let beaconCount = 4
  /// Unix seconds at the start: the same in each run.
  static let epoch = 1_700_000_000.0

  private static let names = ["Workshop", "Store", "Laboratory", "Office", "Library", "Kitchen"]
  private static let reach = 18.0
  private static let period = Duration.milliseconds(100)

  let plan: SitePlan
  private var world: SimulatedWorld
  private let receivers: [RadioID]
  private let tags: [RadioID]
  private var turn = 0
  private var number: UInt64 = 0

  init(seed: UInt64) throws {
    plan = try SitePlan(parsing: Self.planText, file: "demo site")
    let scenario = try Scenario(parsing: Data(Self.scenarioText(seed: seed).utf8), file: "demo site")
    world = SimulatedWorld(scenario)
    let count = plan.receivers.count
    receivers = (0..<count).map { RadioID(index: $0) }
    tags = (0..<Self.tagCount).map { RadioID(index: $0 + count) }
  }

  // MARK: Plan

  /// Left lower corner and door of a room; rooms 0 to 2 are below the corridor, 3 to 5 above.
  private static func room(_ index: Int) -> (corner: SIMD2<Double>, door: SIMD2<Double>) {
    let x = Double(index % 3) * 8
    return index < 3 ? (SIMD2(x, 0), SIMD2(x + 4, 6)) : (SIMD2(x, 8), SIMD2(x + 4, 8))
  }

  private static func receiver(_ index: Int) -> SIMD3<Double> {
    let corner = room(index / 2).corner
    return index % 2 == 0
      ? SIMD3(corner.x + 0.3, corner.y + 0.3, 2.6) : SIMD3(corner.x + 7.7, corner.y + 5.7, 1.8)
  }

  private static func list(_ values: [Double]) -> String {
    "[" + values.map { NumberFormat.fixed($0, 2) }.joined(separator: ", ") + "]"
  }

  static var planText: String {
    let rooms = names.indices.map { index -> String in
      let (x, y) = (room(index).corner.x, room(index).corner.y)
      let corners = [[x, y], [x + 8, y], [x + 8, y + 6], [x, y + 6]].map(list).joined(separator: ", ")
      return "{ id: 'room\(index + 1)', name: '\(names[index])', outline: [\(corners)] }"
    }
    let receivers = (0..<12).map { index -> String in
      let at = receiver(index)
      return "{ id: 'gw\(index + 1)', at: \(list([at.x, at.y, at.z])) }"
    }
    let tags = (0..<tagCount).map { "{ id: 'tag\($0 + 1)', name: 'Tag \($0 + 1)' }" }
    return """
      {
        site: "demo",
        rooms: [\(rooms.joined(separator: ", ")),
          { id: "corridor", name: "Corridor", outline: [[0, 6], [24, 6], [24, 8], [0, 8]] }],
        receivers: [\(receivers.joined(separator: ", "))],
        fences: [{ id: "press", name: "Press", at: [4, 3], radius: 1.5, dwell: 5 }],
        tags: [\(tags.joined(separator: ", "))],
        heights: [0.3, 2],
        page: { port: 0 },
      }
      """
  }

  // MARK: World

  /// Walls with a door of a metre in the middle of each room's side to the corridor.
  private static var walls: [String] {
    func wall(_ a: [Double], _ b: [Double], _ material: String = "drywall") -> String {
      "{ from: \(list(a)), to: \(list(b)), material: '\(material)' }"
    }
    var walls = [
      wall([0, 0], [24, 0], "concrete"), wall([24, 0], [24, 14], "concrete"),
      wall([24, 14], [0, 14], "concrete"),
      wall([0, 14], [0, 0], "concrete"),
    ]
    for x in [8.0, 16] { walls += [wall([x, 0], [x, 6]), wall([x, 8], [x, 14])] }
    for y in [6.0, 8] {
      for x in [0.0, 8, 16] { walls += [wall([x, y], [x + 3.5, y]), wall([x + 4.5, y], [x + 8, y])] }
    }
    return walls
  }

  /// A tag's round: to the middle of some rooms through their doors and the corridor.
  private static func walk(_ draws: inout SplitMix64) -> String {
    var points: [[Double]] = []
    for _ in 0..<4 {
      let room = room(Int(draws.below(6)))
      let inside = SIMD2(room.corner.x + 2 + 4 * draws.uniform(), room.corner.y + 2 + 2 * draws.uniform())
      points += [[room.door.x, 7], [room.door.x, room.door.y], [inside.x, inside.y]]
      points += [[room.door.x, room.door.y], [room.door.x, 7]]
    }
    return "[" + points.map(list).joined(separator: ", ") + "]"
  }

  private static func scenarioText(seed: UInt64) -> String {
    var draws = SplitMix64(keys: seed, StableHash.of("building"))
    let receivers = (0..<12).map { index -> String in
      let at = receiver(index)
      return "{ name: 'gw\(index + 1)', kind: 'accessory', motion: { stand: \(list([at.x, at.y, at.z])) } }"
    }
    let tags = (0..<tagCount).map { index in
      "{ name: 'tag\(index + 1)', motion: { walk: \(walk(&draws)), loop: true } }"
    }
    return """
      { seed: "\(seed)", duration: 86400, walls: [\(walls.joined(separator: ", "))],
        devices: [\((receivers + tags).joined(separator: ", "))] }
      """
  }

  // MARK: Time

  func truth(of tag: Int, at time: Duration) -> SIMD3<Double> {
    world.pose(of: world.body(ofRadio: tags[tag].index), at: time).positionInWorld
  }

  /// What the gateways would publish in the tenth of a second after a time: topics with payloads.
  mutating func publish(at time: Duration) -> [SiteMessage] {
    turn += 1
    var readings = [[GatewayReading]](repeating: [], count: receivers.count)
    for tag in 0..<Self.tagCount {
      let place = truth(of: tag, at: time)
      let near = receivers.indices.filter { index in
        let across = plan.receivers[index].position - place
        return (across * across).sum() < Self.reach * Self.reach
      }
      if tag >= Self.tagCount - Self.beaconCount {
        for receiver in near { readings[receiver].append(contentsOf: hear(tag, by: receiver, at: time)) }
      } else if !near.isEmpty {
        let receiver = near[turn % near.count]
        readings[receiver].append(contentsOf: range(tag, to: receiver, at: time))
      }
    }
    return readings.indices.flatMap { messages(readings[$0], of: $0) }
  }

  private func messages(_ readings: [GatewayReading], of receiver: Int) -> [SiteMessage] {
    GatewayReading.Kind.allCases.compactMap { kind in
      let own = readings.filter { $0.kind == kind }
      guard !own.isEmpty else { return nil }
      return SiteMessage(
        topic: ReadingTopic.text(site: plan.name, device: plan.receivers[receiver].id, kind),
        payload: ReadingText.text(own), quality: 1)
    }
  }

  private mutating func reading(_ tag: Int, _ time: Duration, _ value: GatewayReading.Value) -> GatewayReading
  {
    number += 1
    return GatewayReading(
      time: Self.epoch + time / .seconds(1), number: number, peer: plan.tags[tag].id, value: value)
  }

  private mutating func range(_ tag: Int, to receiver: Int, at time: Duration) -> [GatewayReading] {
    let outcome = world.exchange(
      ExchangePlan(initiator: receivers[receiver], responder: tags[tag], start: time + Self.period * tag / 40)
    )
    guard let metres = outcome.distance else { return [] }
    let rssi = outcome.atInitiator?.rssiDBm
    return [reading(tag, time, .range(metres: metres, sigma: nil, blocked: nil, rssi: rssi))]
  }

  private mutating func hear(_ tag: Int, by receiver: Int, at time: Duration) -> [GatewayReading] {
    let sender = LowEnergyRadio(body: world.body(ofRadio: tags[tag].index), identity: UInt64(1000 + tag))
    let ear = LowEnergyRadio(body: world.body(ofRadio: receiver), identity: UInt64(receiver))
    let channel = UInt8(37 + turn % 3)
    guard let power = world.lowEnergyPower(from: sender, to: ear, channel: channel, at: time) else {
      return []
    }
    return [reading(tag, time, .advertisement(rssi: power.rounded(), power: LowEnergyRadio.usualPower))]
  }
}
