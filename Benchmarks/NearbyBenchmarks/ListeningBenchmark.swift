import CoreLocation
import Foundation
import NearbyInteraction
import NearbyTesting
import simd

/// The cost of phones that listen to anchors (DL-TDoA), among few and among many.
func listeningBenchmark() -> [Figure] {
  let sizes = [100, 1000, 10_000]
  let halls = sizes.map { ListeningHalls(phones: $0) }
  var least = halls.map { $0.timePerRound() }
  for _ in 0..<5 {
    // The worlds take turns, so that a busy machine slows all of them equally.
    for (index, hall) in halls.enumerated() { least[index] = min(least[index], hall.timePerRound()) }
  }
  let costs = least.map(\.microseconds)
  var figures = zip(sizes, costs).map { size, cost in
    Figure(
      name: "one round of one of \(size) phones that listen at 4 Hz", value: cost, unit: "µs",
      target: .under(20))
  }
  figures.append(
    Figure(
      name: "one of 10,000 listening phones over one of 100", value: costs[2] / costs[0], unit: "x",
      target: .under(1.5)))
  return figures
}

/// An app that listens to anchors. It counts its rounds.
private final class Visitor: NSObject, NISessionDelegate {
  private let session = NISession()
  private let manager = CLLocationManager()
  private(set) var rounds = 0
  private(set) var messages = 0
  private(set) var sum = 0.0

  override init() {
    super.init()
    session.delegate = self
    manager.requestWhenInUseAuthorization()
    session.run(NIDLTDOAConfiguration(networkIdentifier: 7))
  }

  func session(_ session: NISession, didUpdateDLTDOA measurements: [NIDLTDOAMeasurement]) {
    rounds += 1
    messages += measurements.count
    for measurement in measurements { sum += measurement.receiveTime - measurement.transmitTime }
  }
}

/// Halls of one network, each with a cluster of five anchors and a hundred phones that listen to it.
private struct ListeningHalls {
  private static let phonesPerHall = 100
  /// Metres from one hall to the next.
  private static let pitch = 400.0
  private static let corners: [SIMD3<Double>] = [
    [0, 0, 2.5], [20, 0, 3], [20, 15, 2.2], [0, 15, 2.8], [10, 7, 3.2],
  ]
  private static let interval = Duration.milliseconds(250)

  private let world: World
  private let visitors: [Visitor]

  init(phones: Int) {
    let world = World(seed: 5, drainsMainQueue: false)
    let halls = phones / Self.phonesPerHall
    let columns = Int(Double(halls).squareRoot().rounded(.up))
    var visitors: [Visitor] = []
    for hall in 0..<halls {
      let corner = SIMD3(Double(hall % columns), Double(hall / columns), 0) * Self.pitch
      Self.addAnchors(to: world, hall: hall, at: corner)
      for number in 0..<Self.phonesPerHall {
        let place = corner + SIMD3(1 + Double(number % 10) * 2, 1 + Double(number / 10) * 1.4, 1.2)
        let phone = world.addPhone("\(hall)/\(number)", at: place)
        phone.setLocationAnswer(.allow)
        visitors.append(phone.launch { Visitor() })
      }
    }
    self.world = world
    self.visitors = visitors
    world.advance(by: .seconds(2))
  }

  private static func addAnchors(to world: World, hall: Int, at corner: SIMD3<Double>) {
    let addresses = corners.indices.map { hall * corners.count + $0 + 1 }
    for (index, place) in corners.enumerated() {
      var profile = AnchorProfile(
        network: 7, address: addresses[index],
        roles: [
          index == 0
            ? .initiator(round: 0, responders: Array(addresses.dropFirst())) : .responder(round: 0)
        ])
      profile.isTimeReference = index == 0
      profile.blockMilliseconds = 250
      world.addAnchor("anchor \(hall)/\(index)", at: corner + place, profile)
    }
  }

  private var rounds: Int { visitors.reduce(0) { $0 + $1.rounds } }

  /// Advances by at least four rounds of each phone and a thousand in all.
  ///
  /// - Returns: The time for one round of one phone, with the advertisements that all of them hear.
  func timePerRound() -> Duration {
    let blocks = max(4, 4000 / visitors.count)
    let before = rounds
    let start = ContinuousClock.now
    world.advance(by: Self.interval * blocks)
    let time = ContinuousClock.now - start
    consume(visitors.reduce(0) { $0 + $1.sum })
    let heard = rounds - before
    // A world in which some phones hear nothing would look too fast.
    precondition(
      heard > visitors.count * blocks * 95 / 100, "\(heard) rounds of \(visitors.count * blocks)")
    return time / heard
  }
}
