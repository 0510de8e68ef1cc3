import NearbyScenarios
import NearbySimulator

/// Kinds of device that can be added to a world.
package enum PlacedKind: String, CaseIterable, Sendable {
  case phone, watch, accessory

  var radio: RadioCharacteristics {
    switch self {
    case .phone: .phone
    case .watch: .watch
    case .accessory: .module
    }
  }
}

/// The parts of a scenario that the simulated world does not keep.
struct WorldPlan: Sendable {
  private(set) var names: [String]
  private(set) var kinds: [PlacedKind]
  let scenarioDevices: Int
  let pairs: [Scenario.Pair]
  let duration: Duration
  let people: [Scenario.Bystander]
  private let carried: [Bool]
  /// Bodies of the people who carry no device.
  let bystanders: [BodyID]
  /// Centre of the walls, or of the devices if there are no walls, on the ground, metres.
  let middle: SIMD2<Double>

  init(_ scenario: Scenario) {
    names = scenario.devices.map(\.name)
    kinds = scenario.devices.map { PlacedKind(rawValue: $0.kind.rawValue) ?? .phone }
    scenarioDevices = scenario.devices.count
    pairs = scenario.pairs
    duration = scenario.duration
    people = scenario.bystanders
    carried = scenario.devices.map(\.isCarried)
    bystanders = scenario.bystanders.indices.map { BodyID(index: scenario.devices.count + $0) }
    let corners = scenario.walls.flatMap { [$0.from, $0.to] }
    let places = scenario.devices.map { device in
      let position = device.motion.motion(at: 0).position
      return SIMD2(position.x, position.y)
    }
    middle = Self.middle(of: corners.isEmpty ? places : corners)
  }

  func isCarried(_ device: Int) -> Bool { carried.indices.contains(device) && carried[device] }

  /// Sets name and kind of the device at `index`, which is an existing device or the next one.
  mutating func set(_ name: String, _ kind: PlacedKind, at index: Int) {
    if names.indices.contains(index) {
      (names[index], kinds[index]) = (name, kind)
    } else {
      names.append(name)
      kinds.append(kind)
    }
  }

  private static func middle(of points: [SIMD2<Double>]) -> SIMD2<Double> {
    guard let first = points.first else { return .zero }
    var low = first
    var high = first
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    return (low + high) / 2
  }
}
