import Foundation
import NearbyInteraction
import NearbyTesting
import simd

/// An app with one session. It counts its updates.
private final class Listener: NSObject, NISessionDelegate {
  let session = NISession()
  private(set) var updates = 0
  private(set) var sum: Float = 0

  override init() {
    super.init()
    session.delegate = self
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    for object in nearbyObjects {
      updates += 1
      sum += (object.distance ?? 0) + (object.direction?.x ?? 0)
    }
  }
}

/// Pairs of phones that range with each other at 5 Hz, 3 m apart, with 400 m between pairs.
///
/// The main thread advances time, so delegates are called without a change of queue.
struct PairedWorld {
  private static let pitch = 400.0
  static let interval = Duration.milliseconds(200)

  private let world: World
  private let listeners: [Listener]
  let pairs: Int

  init(pairs: Int) {
    self.pairs = pairs
    let world = World(seed: 5, drainsMainQueue: false)
    var profile = PhoneProfile()
    profile.rangingIntervalMilliseconds = 200
    let columns = Int(Double(pairs).squareRoot().rounded(.up))
    var listeners: [Listener] = []
    for pair in 0..<pairs {
      let place = SIMD3(Double(pair % columns) * Self.pitch, Double(pair / columns) * Self.pitch, 1.2)
      let phones = [
        world.addPhone("\(pair) south", at: place, heading: 10, profile: profile),
        world.addPhone("\(pair) north", at: place + SIMD3(0, 3, 0), heading: 170, profile: profile),
      ]
      listeners += phones.map { $0.launch { Listener() } }
    }
    for pair in 0..<pairs {
      let (one, other) = (listeners[2 * pair], listeners[2 * pair + 1])
      Self.run(one, with: other)
      Self.run(other, with: one)
    }
    self.world = world
    self.listeners = listeners
    world.advance(by: .seconds(2))
  }

  private static func run(_ one: Listener, with other: Listener) {
    guard let token = other.session.discoveryToken else {
      preconditionFailure("a new session must have a token")
    }
    one.session.run(NINearbyPeerConfiguration(peerToken: token))
  }

  /// The updates that all apps have received so far.
  var updates: Int { listeners.reduce(0) { $0 + $1.updates } }
  private var checksum: Float { listeners.reduce(0) { $0 + $1.sum } }

  /// Advances time.
  ///
  /// - Returns: How many rounds took place, each of which updated both apps, and the real time they took.
  func advance(by duration: Duration) -> (rounds: Int, time: Duration) {
    let before = updates
    let start = ContinuousClock.now
    world.advance(by: duration)
    let time = ContinuousClock.now - start
    consume(Double(checksum))
    let rounds = (updates - before) / 2
    // Rule out a world in which some pairs no longer range, which would look too fast. A few rounds may be in
    // progress at the start or the end.
    let expected = Double(pairs) * (duration / Self.interval)
    precondition(
      Double(rounds) > 0.95 * expected - Double(pairs),
      "only \(rounds) rounds in a world of \(pairs) pairs; expected \(expected)")
    return (rounds, time)
  }

  /// Runs about `rounds` rounds, but at least one twentieth of an interval.
  ///
  /// - Returns: The time per round.
  func timePerRound(over rounds: Int) -> Duration {
    let moments = max(20 * rounds / pairs, 1)
    let (count, time) = advance(by: Self.interval * moments / 20)
    return time / max(count, 1)
  }
}
