import Dispatch
import Foundation
import NearbyRadioLinks
import NearbyScenarios
import NearbySchedule
import NearbyWorldProtocol
import Synchronization

/// Runs a world in real time and serves it to the processes that are its devices.
///
/// All work happens on one serial queue. A client can delay the others only for as long as handling its own
/// octets takes. Source: `Docs/world-protocol.md`.
package final class WorldServer: Sendable {
  /// What to serve, and where.
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// 0 lets the system choose a free port.
    package var port: UInt16 = 7100
    /// Where foreign UCI hosts connect; without a port they cannot.
    package var uciHost = "127.0.0.1"
    package var uciPort: UInt16?
    package var settings = HostedWorld.Settings()
    /// Maximum number of foreign UCI hosts from one address. `Docs/world-protocol.md` §6.
    package var hostsPerAddress = 64
    /// Connections allowed in addition to one per device. `Docs/world-protocol.md` §5.
    package var spareConnections = 64
    /// Maximum number of octets queued for one client before it is dropped. `Docs/world-protocol.md` §5.
    package var queueLimit = 1 << 20
    package init() {}
  }

  /// Events for the server's owner.
  package enum Event: Equatable, Sendable {
    case joined(device: String, program: String)
    case left(device: String)
    case dropped(String)
    case acceptFailed(LinkError)
  }

  /// How long a connection may take to send its hello.
  static let helloLimit = Duration.seconds(5)
  /// Interval of the frames that tell devices the time; without them their clocks would stop.
  static let heartbeat = DispatchTimeInterval.seconds(1)
  /// A connection counts as lost if its machine has not answered for this many seconds.
  static let lostAfter: Int32 = 20
  static let acceptPause = DispatchTimeInterval.milliseconds(200)

  struct State: Sendable {
    var world: HostedWorld
    var clock: RatedClock
    var connections: [WorldClient: WorldConnection] = [:]
    var clientsMade = 0
    var isStopped = false
    /// The port that devices connect to; 0 before `start`.
    var port: UInt16 = 0
  }

  /// `@unchecked Sendable`: set up before the server runs, then used only on its queue.
  final class Sources: @unchecked Sendable {
    var listeners: [any DispatchSourceRead] = []
    /// Empty once every listener's socket is closed.
    let open = DispatchGroup()
    var timer: (any DispatchSourceTimer)?
    var heartbeat: (any DispatchSourceTimer)?
    var armed: Duration?
    /// Connections that have yet to send a hello, oldest first, with their deadlines.
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

  /// Starts serving.
  ///
  /// - Returns: The ports; the system chose those that were configured as 0.
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
    state.withLock { $0.port = devices.port }
    queue.sync {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.timerFired() }
      timer.resume()
      sources.timer = timer
      let heartbeat = DispatchSource.makeTimerSource(queue: queue)
      heartbeat.setEventHandler { [weak self] in self?.turn { $0.sendClock() } }
      heartbeat.schedule(deadline: .now(), repeating: Self.heartbeat, leeway: .milliseconds(50))
      heartbeat.resume()
      sources.heartbeat = heartbeat
      listen(devices.descriptor, isForHosts: false)
      if let hosts { listen(hosts.descriptor, isForHosts: true) }
      turn { _ in }
    }
    return (devices.port, hosts?.port)
  }

  /// Where devices connect, `HOST:PORT`. The host is the configured one, which may be a wildcard address.
  var address: String {
    RadioAddress.text(host: configuration.host, port: state.withLock { $0.port })
  }

  /// Closes all connections and listeners before returning. Must not be called from `report`.
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
    // Wait so that another server can use the ports at once.
    sources.open.wait()
  }

  /// Reads or changes the world at its current time. Callable from any thread except the server's queue.
  @discardableResult
  package func withWorld<Result: Sendable>(_ body: @Sendable (inout HostedWorld) -> Result) -> Result {
    queue.sync { turn(body) }
  }

  /// Sets the rate of the world's time.
  package func setRate(_ rate: WorldRate) {
    queue.sync { changeRate(rate) }
  }

  /// Must run on the queue.
  func changeRate(_ rate: WorldRate) {
    turn { _ in }
    state.withLock { $0.clock.set(rate) }
    turn { $0.perform(.rate(rate)) }
  }

  /// Advances the world's time at once.
  package func step(_ duration: Duration) {
    queue.sync { skip(duration) }
  }

  /// Must run on the queue.
  func skip(_ duration: Duration) {
    state.withLock { $0.clock.skip(duration) }
    turn { $0.perform(.rate($0.rate)) }
  }

  package var connectionCount: Int { state.withLock { $0.connections.count } }

  /// Closes the connection of a device's holder.
  package func dropDevice(_ name: String) {
    queue.sync {
      let client = state.withLock { $0.world.client(ofDevice: name) }
      if let client { ended(client, .link(.closedByPeer)) }
    }
  }

  // MARK: Turns

  /// Whole seconds since the server was created, for rate limits.
  var second: Int { Int((ContinuousClock.now - started) / .seconds(1)) }

  /// Brings the world to the present, changes it, and performs the resulting actions. Must run on the queue.
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

  /// Schedules the timer for the world's next event.
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

  /// Sends each client's messages in one piece, then drops the connections to be closed.
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
      // Defer to the next turn, because this one is still performing the world's actions.
      queue.async { [weak self] in self?.ended(client, .link(error)) }
    }
  }

  /// Closes a connection after its pending output has been sent.
  private func drop(_ client: WorldClient, _ reason: String) {
    guard let connection = state.withLock({ $0.connections.removeValue(forKey: client) }) else { return }
    report(.dropped(reason))
    // Defer to the next turn. A client that the world refused may still hold a device.
    queue.async { [self] in
      turn { $0.left(client) }
      connection.link.close()
    }
  }
}
