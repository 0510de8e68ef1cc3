import Dispatch
import Foundation
import NearbySimulated
import NearbySimulator
import Synchronization
import simd

/// A simulated place with phones, in virtual time.
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
/// Coordinates are in metres: x east, y north, z up. Headings are in degrees clockwise from north. Nothing
/// happens while time stands still, and the same seed gives the same run. Only one thread may advance time at
/// a time.
public final class World: Sendable {
  let pump: WorldPump
  private let background = DispatchQueue(label: "swift-nearby.world")
  private let names = Mutex<Set<String>>([])
  /// The test that made this world, if it is known.
  private let test: String?

  /// Creates an empty, open place.
  ///
  /// - Parameters:
  ///   - seed: The seed of all randomness.
  ///   - drainsMainQueue: Whether blocks that apps send to the main queue run before time advances. Turn it
  ///     off for speed if no app does that.
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
    precondition(isNew, "the World has a phone named “\(name)” already; names must be unique")
  }

  /// Virtual time since the world was created.
  public var now: Duration { pump.now }

  // MARK: Time

  /// Advances time. Everything due by then has happened when this method returns.
  ///
  /// - Parameter duration: Not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, Self.backwards(duration))
    pump.advance(by: duration)
  }

  private static func backwards(_ duration: Duration) -> String {
    "a World's time only moves forward; advance(by:) cannot advance by \(duration)"
  }

  /// Advances time until a condition holds, checking it every 50 ms.
  ///
  /// - Parameters:
  ///   - condition: Called on this thread, before the first step and after each one.
  ///   - limit: The most time to advance.
  /// - Returns: Whether the condition holds; false if the limit was reached first.
  @discardableResult
  public func advance(until condition: () -> Bool, within limit: Duration) -> Bool {
    let end = now + limit
    while !condition() {
      guard now < end else { return false }
      pump.advance(to: min(now + .milliseconds(50), end))
    }
    return true
  }

  /// Advances time on another thread, for async tests including those on the main actor. The main queue stays
  /// free for the apps.
  public func advance(by duration: Duration) async {
    precondition(duration >= .zero, Self.backwards(duration))
    await withCheckedContinuation { continuation in
      background.async { [pump] in
        pump.advance(by: duration)
        continuation.resume()
      }
    }
  }

  /// Calls `body` at a given time, on the thread that advances time.
  ///
  /// - Parameters:
  ///   - time: Virtual time; a time in the past means now.
  ///   - phone: The phone whose app runs the code, if any.
  ///   - body: Called once.
  public func at(_ time: Duration, as phone: Phone? = nil, perform body: @escaping @Sendable () -> Void) {
    pump.schedule(at: time, device: phone?.shell.device, body)
  }
}
