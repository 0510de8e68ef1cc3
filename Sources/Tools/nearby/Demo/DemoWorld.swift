import Dispatch
import Foundation
import NearbyScenarios
import NearbySimulator
import NearbyTesting
import simd

/// A world to show, with the observer and the peer of its picture.
protocol DemoScene {
  var observer: String { get }
  var peer: String { get }
  var seed: UInt64 { get }
  var now: Duration { get }
  func advance(by step: Duration)
}

/// The demo's world, in which phones with the demo's app exchange tokens and range.
final class DemoWorld: DemoScene {
  /// With `peer`, the pair that the picture shows: the first of the scenario.
  let observer: String
  let peer: String
  let seed: UInt64
  private let world: World
  private var apps: [DemoApp] = []
  private let queue = DispatchQueue(label: "nearby.demo")

  /// The built-in meeting: Bob repeatedly walks up to Alice, around in front of her, and away.
  ///
  /// - Parameters:
  ///   - duration: Minimum duration of the walk.
  ///   - report: Called on the thread that advances time, or while it waits.
  init(seed: UInt64, lasting duration: Duration, report: @escaping (DemoReport) -> Void) throws {
    world = World(seed: seed, drainsMainQueue: false)
    self.seed = seed
    let alice = world.addPhone("Alice", at: [0, 0, 1.2], heading: 0)
    let bob = world.addPhone("Bob", at: Self.start, heading: 180)
    bob.walk(through: Self.walk(lasting: duration), speed: Self.speed)
    bob.face(alice)
    (observer, peer) = (alice.name, bob.name)
    try meet(alice, bob, report)
  }

  /// The world of a scenario, in which every pair ranges.
  init(_ scenario: Scenario, report: @escaping (DemoReport) -> Void) throws {
    world = World(scenario, drainsMainQueue: false)
    seed = scenario.seed
    let (_, pairs) = world.addPhones(of: scenario)
    observer = pairs.first?.first.name ?? ""
    peer = pairs.first?.second.name ?? ""
    for pair in pairs { try meet(pair.first, pair.second, report) }
  }

  func advance(by step: Duration) { world.advance(by: step) }
  var now: Duration { world.now }

  /// Exchanges the tokens of two phones; the demo is the channel between them.
  private func meet(_ first: Phone, _ second: Phone, _ report: @escaping (DemoReport) -> Void) throws {
    let firstApp = app(on: first, peer: second.name, report)
    let secondApp = app(on: second, peer: first.name, report)
    if let token = try secondApp.archivedToken() { try firstApp.range(with: token) }
    if let token = try firstApp.archivedToken() { try secondApp.range(with: token) }
    apps += [firstApp, secondApp]
  }

  private func app(on phone: Phone, peer: String, _ report: @escaping (DemoReport) -> Void) -> DemoApp {
    let (world, observer) = (world, phone.name)
    return phone.launch {
      DemoApp(on: queue) { event in
        report(DemoReport(time: world.now, observer: observer, peer: peer, event: event))
      }
    }
  }

  // MARK: The walk

  private static let start = SIMD3(-3.5, 8.0, 1.2)
  /// Metres a second.
  private static let speed = 1.3
  private static let loop: [SIMD3<Double>] = [
    [-1, 3, 1.2], [0.4, 1, 1.2], [2.2, 2.6, 1.2], [1.5, 5, 1.2], [-3.5, 8, 1.2],
  ]

  private static func walk(lasting duration: Duration) -> [SIMD3<Double>] {
    let places = [start] + loop
    let length = zip(places, places.dropFirst()).reduce(0.0) { sum, leg in
      sum + ((leg.1 - leg.0) * (leg.1 - leg.0)).sum().squareRoot()
    }
    let rounds = Int((duration / .seconds(1) * speed / length).rounded(.up)) + 1
    return (0..<rounds).flatMap { _ in loop }
  }
}
