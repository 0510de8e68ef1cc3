import Dispatch
import Foundation
import NearbySimulated
import NearbySimulator
import Synchronization
import simd

/// A simulated place with phones in it, in virtual time.
///
/// ```swift
/// let world = World(seed: 7)
/// let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
/// let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
/// let seeker = ann.launch { Seeker() }        // your own objects; their NISession is Ann's
/// let target = ben.launch { Seeker() }
/// if let token = target.session.discoveryToken { seeker.find(token) }
/// if let token = seeker.session.discoveryToken { target.find(token) }
/// world.advance(by: .seconds(10))
/// #expect(abs((seeker.distance ?? 0) - 3) < 0.3)
/// ```
///
/// Metres; x east, y north, z up. Headings are degrees clockwise from north. Nothing happens while time stands
/// still; the same seed gives the same run. One thread at a time moves time.
public final class World: Sendable {
  let pump: WorldPump
  private let background = DispatchQueue(label: "swift-nearby.world")
  private let names = Mutex<Set<String>>([])
  /// The test that made this world, if it is known.
  private let test: String?

  /// Makes an empty place in the open.
  ///
  /// - Parameters:
  ///   - seed: Of everything random.
  ///   - drainsMainQueue: Whether blocks that apps send to the main queue run before time moves on. Turn it off
  ///     for speed where no app does that.
  public convenience init(seed: UInt64 = 1, drainsMainQueue: Bool = true) {
    self.init(
      pump: WorldPump(seed: seed, world: SimulatedWorld(seed: seed), drainsMainQueue: drainsMainQueue))
  }

  init(pump: WorldPump) {
    self.pump = pump
    test = LivingWorlds.add()
  }

  deinit { LivingWorlds.remove(of: test) }

  /// Claims a phone's name. Phones of one name would share their radio's errors.
  func claim(_ name: String) {
    let isNew = names.withLock { $0.insert(name).inserted }
    precondition(isNew, "the World has a phone named “\(name)” already: each needs a name of its own")
  }

  /// Virtual time since the world was made.
  public var now: Duration { pump.now }

  // MARK: Time

  /// Moves time on; everything that happens until then has happened when it returns.
  ///
  /// - Parameter duration: Not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, Self.backwards(duration))
    pump.advance(by: duration)
  }

  private static func backwards(_ duration: Duration) -> String {
    "a World's time only moves forward, so advance(by:) can't take \(duration)"
  }

  /// Moves time on until a condition holds, looking every 50 ms.
  ///
  /// - Parameters:
  ///   - condition: Called between steps of time, on this thread.
  ///   - limit: How long to go on at most.
  /// - Returns: Whether the condition came to hold.
  @discardableResult
  public func advance(until condition: () -> Bool, within limit: Duration) -> Bool {
    let end = now + limit
    while !condition() {
      guard now < end else { return false }
      pump.advance(to: min(now + .milliseconds(50), end))
    }
    return true
  }

  /// As the call without `await`, off the caller's thread: from an async test, the main actor's included, with
  /// the main queue free for the apps.
  public func advance(by duration: Duration) async {
    precondition(duration >= .zero, Self.backwards(duration))
    await withCheckedContinuation { continuation in
      background.async { [pump] in
        pump.advance(by: duration)
        continuation.resume()
      }
    }
  }

  /// Calls `body` when time comes there, on the thread that moves time.
  ///
  /// - Parameters:
  ///   - time: Of the world; a time that is past counts as now.
  ///   - phone: Whose app's code it is, if anybody's.
  ///   - body: Called once.
  public func at(_ time: Duration, as phone: Phone? = nil, perform body: @escaping @Sendable () -> Void) {
    pump.schedule(at: time, device: phone?.shell.device, body)
  }
}
