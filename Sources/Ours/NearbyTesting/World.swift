import Dispatch
import Foundation
import NearbySimulated
import NearbySimulator
import NearbyVirtualTime
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

  /// What apps see as the date when a world is created, unless it is given another one: noon in Greenwich on
  /// 1 June 2026.
  public static let defaultStartDate = Date(timeIntervalSince1970: 1_780_315_200)

  /// Creates an empty, open place.
  ///
  /// Apps' code, which runs in `Phone.launch`, `Phone.run` and in whatever they send to queues or wait for from there,
  /// lives in the world's time: `Date()`, `Timer`, `asyncAfter`, `Task.sleep`, semaphores and the like.
  ///
  /// - Parameters:
  ///   - seed: The seed of all randomness.
  ///   - startDate: What apps see as the date at time 0. Between the years 1850 and 2220.
  ///   - drainsMainQueue: False leaves apps' queues, timers and clocks in real time, as they are outside tests; then
  ///     only delegates' calls happen in the world's time. It is faster.
  public convenience init(
    seed: UInt64 = 1, startDate: Date = World.defaultStartDate, drainsMainQueue: Bool = true
  ) {
    let pump = WorldPump(
      seed: seed, world: SimulatedWorld(seed: seed), drainsMainQueue: drainsMainQueue)
    self.init(pump: pump, startDate: drainsMainQueue ? startDate : nil)
  }

  /// - Parameter startDate: The apps' date at time 0; `nil` leaves them in real time.
  init(pump: WorldPump, startDate: Date?) {
    self.pump = pump
    WorldLog.current?.follow(pump)
    if let startDate, let line = VirtualTime.line(for: pump, startDate: startDate) { pump.use(line) }
    test = LivingWorlds.add()
  }

  deinit {
    pump.runner?.end()
    LivingWorlds.remove(of: test)
  }

  /// How often the world continued without an app that kept it waiting for something that the world's time does not
  /// move, such as a socket, a lock or a computation of more than 10 s; a line on standard error names the app. 0 in a
  /// run that is repeatable.
  public var stalls: Int { pump.runner?.stalls ?? 0 }

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
