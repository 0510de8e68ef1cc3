import Dispatch
import Foundation
import NearbyRadioLinks
import NearbyScenarios
import NearbySchedule
import NearbyWorldProtocol
import Synchronization

/// Holds a world in real time and serves it to the processes that are its devices.
///
/// Everything happens on one serial queue. Nothing a client does or fails to do holds the others up for longer
/// than its own octets take. Source: `Docs/world-protocol.md`.
package final class WorldServer: Sendable {
  /// What to serve, and where.
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 7100
    /// Where foreign UCI hosts connect; `nil` for nowhere.
    package var uciHost = "127.0.0.1"
    package var uciPort: UInt16?
    package var settings = HostedWorld.Settings()
    /// Foreign UCI hosts at once from one address. `Docs/world-protocol.md` §6.
    package var hostsPerAddress = 64
    /// Connections at once, beside the devices'. `Docs/world-protocol.md` §5.
    package var spareConnections = 64
    /// Octets that may wait for one client before it is dropped. `Docs/world-protocol.md` §5.
    package var queueLimit = 1 << 20
    package init() {}
  }

  /// What the server's owner may want to know.
  package enum Event: Equatable, Sendable {
    case joined(device: String, program: String)
    case left(device: String)
    case dropped(String)
    case acceptFailed(LinkError)
  }

  /// Time a connection has for its hello.
  static let helloLimit = Duration.seconds(5)
  /// Between two frames that tell devices the time: without one theirs would stop.
  static let heartbeat = DispatchTimeInterval.seconds(1)
  /// Seconds after which a connection is taken for lost whose machine no longer answers.
  static let lostAfter: Int32 = 20
  static let acceptPause = DispatchTimeInterval.milliseconds(200)

  struct State: Sendable {
    var world: HostedWorld
    var clock: RatedClock
    var connections: [WorldClient: WorldConnection] = [:]
    var clientsMade = 0
    var isStopped = false
  }

  /// `@unchecked Sendable`: set up before the server runs, then used on its queue only.
  final class Sources: @unchecked Sendable {
    var listeners: [any DispatchSourceRead] = []
    /// Empty when every listener's socket is closed.
    let open = DispatchGroup()
    var timer: (any DispatchSourceTimer)?
    var heartbeat: (any DispatchSourceTimer)?
    var armed: Duration?
    /// Connections that had no hello when they came, and until when they have time for it.
    var hellos: [(client: WorldClient, end: ContinuousClock.Instant)] = []
  }

  let configuration: Configuration
  let report: @Sendable (Event) -> Void
  package let queue = DispatchQueue(label: "nearby.world")
  let state: Mutex<State>
  let sources = Sources()
  private let started = ContinuousClock.now

  /// - Parameter report: Called on the server's queue.
  package init(
    _ world: HostedWorld, _ configuration: Configuration, report: @escaping @Sendable (Event) -> Void
  ) {
    self.configuration = configuration
    self.report = report
    state = Mutex(State(world: world, clock: RatedClock(startingAt: world.time)))
  }

  /// Begins to serve.
  ///
  /// - Returns: The ports, chosen by the system where 0 was asked for.
  package func start() throws(LinkError) -> (port: UInt16, uci: UInt16?) {
    let devices = try TCPSockets.listen(host: configuration.host, port: configuration.port)
    var hosts: (descriptor: Int32, port: UInt16)?
    if let port = configuration.uciPort {
      do throws(LinkError) {
        hosts = try TCPSockets.listen(host: configuration.uciHost, port: port)
      } catch {
        close(devices.descriptor)
        throw error
      }
    }
    queue.sync {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.timerFired() }
      timer.resume()
      sources.timer = timer
      let heartbeat = DispatchSource.makeTimerSource(queue: queue)
      heartbeat.setEventHandler { [weak self] in self?.turn { $0.tellTime() } }
      heartbeat.schedule(deadline: .now(), repeating: Self.heartbeat, leeway: .milliseconds(50))
      heartbeat.resume()
      sources.heartbeat = heartbeat
      listen(devices.descriptor, isForHosts: false)
      if let hosts { listen(hosts.descriptor, isForHosts: true) }
      turn { _ in }
    }
    return (devices.port, hosts?.port)
  }

  /// Closes every connection and the listeners; returns when that is done. Not to be called from `report`.
  package func stop() {
    queue.sync {
      for listener in sources.listeners { listener.cancel() }
      sources.timer?.cancel()
      sources.heartbeat?.cancel()
      let connections = state.withLock { state in
        state.isStopped = true
        defer { state.connections = [:] }
        return state.connections
      }
      for client in connections.keys.sorted() { connections[client]?.link.close() }
    }
    // Another server may take the ports now.
    sources.open.wait()
  }

  /// Reads or changes the world at its present time, from any thread but the server's own.
  @discardableResult
  package func withWorld<Result: Sendable>(_ body: @Sendable (inout HostedWorld) -> Result) -> Result {
    queue.sync { turn(body) }
  }

  /// Sets how time goes.
  package func setRate(_ rate: WorldRate) {
    queue.sync { changeRate(rate) }
  }

  /// On the queue.
  func changeRate(_ rate: WorldRate) {
    turn { _ in }
    state.withLock { $0.clock.set(rate) }
    turn { $0.perform(.rate(rate)) }
  }

  /// Lets a piece of the world's time pass at once.
  package func step(_ duration: Duration) {
    queue.sync { skip(duration) }
  }

  /// On the queue.
  func skip(_ duration: Duration) {
    state.withLock { $0.clock.skip(duration) }
    turn { $0.perform(.rate($0.rate)) }
  }

  package var connectionCount: Int { state.withLock { $0.connections.count } }

  /// Ends the connection of whoever holds a device.
  package func dropDevice(_ name: String) {
    queue.sync {
      let client = state.withLock { $0.world.client(ofDevice: name) }
      if let client { ended(client, .link(.closedByPeer)) }
    }
  }

  // MARK: Turns

  /// Whole seconds of the server's life, for rates.
  var second: Int { Int((ContinuousClock.now - started) / .seconds(1)) }

  /// Brings the world to the present, changes it, and does what came of both. On the queue.
  @discardableResult
  func turn<Result>(_ body: (inout HostedWorld) -> Result) -> Result {
    let (result, actions) = state.withLock { state in
      let now = state.clock.now()
      state.world.advance(to: now)
      let result = body(&state.world)
      state.world.advance(to: now)
      return (result, state.world.takeActions())
    }
    perform(actions)
    arm()
    return result
  }

  private func timerFired() {
    sources.armed = nil
    turn { _ in }
  }

  private func arm() {
    guard let timer = sources.timer else { return }
    let (next, wait) = state.withLock { state in
      let next = state.world.nextEventTime
      return (next, next.flatMap { state.clock.wait(until: $0) })
    }
    guard let next, let wait else {
      sources.armed = nil
      return timer.schedule(deadline: .distantFuture)
    }
    guard sources.armed != next else { return }
    sources.armed = next
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: min(wait, .seconds(3600)).inNanoseconds)),
      leeway: .microseconds(200))
  }

  // MARK: Actions

  private func perform(_ actions: [HostedWorld.Action]) {
    var octets: [WorldClient: [UInt8]] = [:]
    var closing: [(WorldClient, String)] = []
    for action in actions {
      switch action {
      case .send(let message, to: let client, at: let time):
        message.frame(at: time).write(to: &octets[client, default: []])
      case .sendBare(let bare, to: let client): octets[client, default: []] += bare
      case .close(let client, let reason): closing.append((client, reason))
      }
    }
    for client in octets.keys.sorted() { send(octets[client] ?? [], to: client) }
    for (client, reason) in closing { drop(client, reason) }
  }

  private func send(_ octets: [UInt8], to client: WorldClient) {
    guard let link = state.withLock({ $0.connections[client]?.link }) else { return }
    do throws(LinkError) {
      try link.send(octets)
    } catch {
      // Not within this turn, which is about the world.
      queue.async { [weak self] in self?.ended(client, .link(error)) }
    }
  }

  /// Ends a connection once what was sent before is on its way.
  private func drop(_ client: WorldClient, _ reason: String) {
    guard let connection = state.withLock({ $0.connections.removeValue(forKey: client) }) else { return }
    report(.dropped(reason))
    // Not within this turn. A client that the world refused may still hold a device.
    queue.async { [self] in
      turn { $0.left(client) }
      connection.link.close()
    }
  }
}
