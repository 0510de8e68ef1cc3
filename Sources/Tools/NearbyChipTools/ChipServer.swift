import Dispatch
import Foundation
import NearbyRadioLinks
import NearbyScenarios
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB
import Synchronization

/// Serves virtual UWB chips over TCP in real time: one chip for each connection, all on one air.
///
/// Both directions carry bare UCI packets, as on a chip's own serial line. All work is done on one serial
/// queue, and no client can delay the others by more than the processing of its own octets. The number of
/// connections is limited in total and for each client machine, and a connection that sends no command is
/// closed after a while.
package final class ChipServer: Sendable {
  /// Where the chips are in the world.
  package enum Places: Equatable, Sendable {
    /// On a line to the north with this spacing in metres, in order of connection.
    case line(spacing: Double)
    /// At these radios of the world, in order of connection.
    case radios([Int])
  }

  /// The server's settings.
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// The port; 0 lets the system choose a free one.
    package var port: UInt16 = 7000
    package var world = SimulatedWorld(seed: 1)
    package var places = Places.line(spacing: 2)
    /// The events of the world, in order of time. Events of a device's app (suspend, deny) are ignored.
    package var events: [Scenario.Event] = []
    package var chip = Configuration.chip(.v2)
    package var seed: UInt64 = 1
    /// The limit on simultaneous connections; at least 1.
    package var limit = 64
    /// The limit on simultaneous connections from one machine, at least 1. `nil` allows all of `limit` to
    /// this machine and a quarter of it to any other.
    package var limitPerMachine: Int?
    /// The time within which a connection must send its first complete command.
    package var commandLimit = Duration.seconds(30)
    /// The limit on octets queued for one client. A client that exceeds it is dropped.
    package var queueLimit = 1 << 20
    package init() {}

    /// The UCI dialect of the chips.
    package var dialect: UCIDialect {
      get { chip.dialect }
      set { chip = Configuration.chip(newValue) }
    }

    /// The number of simultaneous connections that a machine may have.
    package func limit(for machine: PeerHost) -> Int {
      min(limit, limitPerMachine ?? (machine.isLoopback ? limit : max(1, limit / 4)))
    }

    private static func chip(_ dialect: UCIDialect) -> VirtualChipConfiguration {
      var chip = VirtualChipConfiguration(dialect: dialect)
      chip.startLead = .milliseconds(100)
      return chip
    }
  }

  /// An event for the server's owner.
  package enum Event: Equatable, Sendable {
    case connected(chip: Int, place: Int)
    case left(chip: Int)
    /// The client was dropped because its link failed.
    case dropped(chip: Int, LinkError)
    /// The client was dropped because no complete command arrived within this time.
    case silent(chip: Int, Duration)
    /// A connection was refused because the server's limit is reached or every place in the world is taken.
    case refused(limit: Int)
    /// A connection was refused because its machine has reached its own limit.
    case refusedMachine(limit: Int)
    /// Accepting connections is paused briefly because the system lacks resources.
    case acceptFailed(LinkError)
  }

  private struct Connection: Sendable {
    let link: DescriptorLink
    let machine: PeerHost
    let since = ContinuousClock.now
    /// Whether its chip has responded to a command.
    var hasAnswer = false
  }

  private struct State: Sendable {
    var air: ServedAir
    var connections: [Int: Connection] = [:]
    var clock = SlippingClock()
    var port: UInt16 = 0
    var isStopped = false
  }

  /// `@unchecked Sendable`: set up before the server runs, then used on its queue only.
  private final class Sources: @unchecked Sendable {
    var accepts: [any DispatchSourceRead] = []
    var timer: (any DispatchSourceTimer)?
    var armed: Duration?
    /// Whether a check for silent connections is scheduled.
    var awaitsSilence = false
  }

  /// Why a connection ended.
  private enum End {
    case link(LinkError?)
    case silent
  }

  private static let acceptPause = DispatchTimeInterval.milliseconds(200)
  /// The number of connections accepted at once, so that a flood of them does not block existing
  /// connections.
  private static let turnAccepts = 32

  private let configuration: Configuration
  private let report: @Sendable (Event) -> Void
  private let queue = DispatchQueue(label: "nearby.chips")
  private let state: Mutex<State>
  private let sources = Sources()

  /// Creates a server that is not running yet.
  ///
  /// - Parameters:
  ///   - configuration: The server's settings.
  ///   - report: Called on the server's queue with each event.
  package init(_ configuration: Configuration, report: @escaping @Sendable (Event) -> Void) {
    self.configuration = configuration
    self.report = report
    state = Mutex(State(air: ServedAir(configuration)))
  }

  /// Starts the server. Each connection receives the first free place.
  ///
  /// - Returns: The port, which the system chose if the configuration's port is 0.
  /// - Throws: An error if the server cannot listen there.
  package func start() throws(LinkError) -> UInt16 {
    let (listener, port) = try TCPSockets.listen(host: configuration.host, port: configuration.port)
    begin([(listener, nil)])
    return port
  }

  /// Starts the server with a separate port for each place. A new connection takes the place over from the
  /// one that holds it.
  ///
  /// - Returns: The ports, in the order of the radios in the configuration; empty if the places are on a
  ///   line.
  /// - Throws: An error if the server cannot listen on as many ports.
  package func startPortPerPlace() throws(LinkError) -> [UInt16] {
    guard case .radios(let radios) = configuration.places else { return [] }
    var listeners: [(descriptor: Int32, place: Int?)] = []
    var ports: [UInt16] = []
    do throws(LinkError) {
      for place in radios.indices {
        let (listener, port) = try TCPSockets.listen(host: configuration.host, port: 0)
        listeners.append((listener, place))
        ports.append(port)
      }
    } catch {
      for listener in listeners { close(listener.descriptor) }
      throw error
    }
    begin(listeners)
    return ports
  }

  private func begin(_ listeners: [(descriptor: Int32, place: Int?)]) {
    queue.sync {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in self?.timerFired() }
      timer.resume()
      sources.timer = timer
      for (listener, place) in listeners { listen(on: listener, for: place) }
    }
  }

  private func listen(on listener: Int32, for place: Int?) {
    let index = sources.accepts.count
    let accept = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
    accept.setEventHandler { [weak self] in self?.acceptWaiting(listener, index, for: place) }
    accept.setCancelHandler { close(listener) }
    accept.resume()
    sources.accepts.append(accept)
  }

  /// Closes all connections and listeners before it returns. Must not be called from `report`.
  package func stop() {
    queue.sync {
      for accept in sources.accepts { accept.cancel() }
      sources.timer?.cancel()
      let connections = state.withLock { state in
        state.isStopped = true
        defer { state.connections = [:] }
        return state.connections
      }
      for connection in connections.values { connection.link.close() }
    }
  }

  // MARK: Connections

  private func acceptWaiting(_ listener: Int32, _ index: Int, for place: Int?) {
    do throws(LinkError) {
      // Connections that are still waiting make the listener readable again.
      for _ in 0..<Self.turnAccepts {
        guard let descriptor = try TCPSockets.accept(from: listener) else { return }
        welcome(descriptor, at: place)
      }
    } catch {
      // The listener stays readable, so an immediate retry would spin.
      report(.acceptFailed(error))
      sources.accepts[index].suspend()
      queue.asyncAfter(deadline: .now() + Self.acceptPause) { [sources] in sources.accepts[index].resume() }
    }
  }

  /// Admits a new connection and gives it a chip, or closes it and reports why.
  private func welcome(_ descriptor: Int32, at place: Int?) {
    // A connection that was reset before it was accepted no longer has an address, and needs no place.
    guard let machine = TCPSockets.peer(of: descriptor) else {
      close(descriptor)
      return
    }
    if let place, let former = state.withLock({ $0.air.holder(of: place) }) {
      drop(former, .link(.closedByPeer))
    }
    let link = DescriptorLink(
      descriptor: descriptor, queue: queue, queueLimit: configuration.queueLimit)
    if let refusal = state.withLock({ refusal(of: machine, $0) }) {
      link.close()
      return report(refusal)
    }
    var joined: (connection: Int, place: Int)?
    let sends = change { state, now in
      joined = state.air.join(place, at: now)
      if let joined {
        state.connections[joined.connection] = Connection(link: link, machine: machine)
      }
    }
    guard let joined else {
      link.close()
      return report(.refused(limit: configuration.limit))
    }
    link.start(
      onReceive: { [weak self] in self?.received($0, from: joined.connection) },
      onClose: { [weak self] in self?.closed(joined.connection, .link($0)) })
    report(.connected(chip: joined.connection, place: joined.place))
    deliver(sends)
    awaitSilence(for: configuration.commandLimit)
  }

  /// Why a new connection from a machine is refused; `nil` if it is admitted.
  private func refusal(of machine: PeerHost, _ state: State) -> Event? {
    guard !state.isStopped, state.connections.count < configuration.limit else {
      return .refused(limit: configuration.limit)
    }
    let limit = configuration.limit(for: machine)
    let count = state.connections.values.count { $0.machine == machine }
    return count < limit ? nil : .refusedMachine(limit: limit)
  }

  private func received(_ octets: [UInt8], from connection: Int) {
    let sends = change { state, now in
      guard state.connections[connection] != nil else { return }
      state.air.received(octets, from: connection, at: now)
    }
    if sends.contains(where: { $0.connection == connection }) {
      state.withLock { $0.connections[connection]?.hasAnswer = true }
    }
    deliver(sends)
  }

  /// Removes a connection that has ended and powers its chip off.
  private func closed(_ connection: Int, _ end: End) {
    let wasHere = state.withLock { $0.connections[connection] != nil }
    guard wasHere else { return }
    let sends = change { state, now in
      state.connections[connection] = nil
      state.air.leave(connection, at: now)
    }
    switch end {
    case .link(nil), .link(.closedByPeer): report(.left(chip: connection))
    case .link(.some(let error)): report(.dropped(chip: connection, error))
    case .silent: report(.silent(chip: connection, configuration.commandLimit))
    }
    deliver(sends)
  }

  /// Closes a connection from the server's side.
  private func drop(_ connection: Int, _ end: End) {
    let link = state.withLock { $0.connections[connection]?.link }
    closed(connection, end)
    link?.close()
  }

  // MARK: Silence

  /// Schedules one check for all connections, so that a flood of them does not create a timer each.
  private func awaitSilence(for wait: Duration) {
    guard !sources.awaitsSilence else { return }
    sources.awaitsSilence = true
    queue.asyncAfter(deadline: .now() + wait / .seconds(1)) { [weak self] in self?.dropSilent() }
  }

  /// Drops the connections that have been silent for too long, and schedules the next check.
  private func dropSilent() {
    sources.awaitsSilence = false
    let latest = ContinuousClock.now - configuration.commandLimit
    let silent = state.withLock { $0.connections.filter { !$0.value.hasAnswer } }
    for (connection, it) in silent.sorted(by: { $0.key < $1.key }) where it.since <= latest {
      drop(connection, .silent)
    }
    let next = silent.values.map(\.since).filter { $0 > latest }.min()
    if let next { awaitSilence(for: next - latest) }
  }

  // MARK: Time

  private func timerFired() {
    sources.armed = nil
    deliver(change { _, _ in })
  }

  /// Advances the air to the present, changes it, and returns the packets to be delivered as a result.
  private func change(_ body: (inout State, Duration) -> Void) -> [Send] {
    let (sends, next, now) = state.withLock { state in
      let now = state.clock.now()
      state.air.advance(to: now)
      body(&state, now)
      state.air.advance(to: now)
      let sends = state.air.takeSends().compactMap { connection, octets in
        state.connections[connection].map { Send(link: $0.link, connection: connection, octets: octets) }
      }
      return (sends, state.air.nextEventTime, now)
    }
    arm(next, now: now)
    return sends
  }

  private struct Send {
    let link: DescriptorLink
    let connection: Int
    let octets: [UInt8]
  }

  private func deliver(_ sends: [Send]) {
    var failed: [(connection: Int, error: LinkError)] = []
    for send in sends {
      do throws(LinkError) {
        try send.link.send(send.octets)
      } catch {
        if !failed.contains(where: { $0.connection == send.connection }) {
          failed.append((send.connection, error))
        }
      }
    }
    for (connection, error) in failed { drop(connection, .link(error)) }
  }

  /// Sets the timer for the air's next event.
  private func arm(_ next: Duration?, now: Duration) {
    guard sources.armed != next, let timer = sources.timer else { return }
    sources.armed = next
    guard let next else { return timer.schedule(deadline: .distantFuture) }
    let wait = max(0, (next - now) / .nanoseconds(1))
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(min(wait, 3.6e12))), leeway: .microseconds(200))
  }
}

/// A clock of real time that skips long pauses.
///
/// After the process was stopped or the machine slept, the chips' world continues where it was instead of
/// running every missed round at once.
struct SlippingClock: Sendable {
  /// The longest step of the clock. A longer gap counts as this much.
  static let longestStep = Duration.seconds(1)
  private var latest = SuspendingClock.now
  private var elapsed = Duration.zero

  mutating func now() -> Duration {
    let instant = SuspendingClock.now
    elapsed += min(max(instant - latest, .zero), Self.longestStep)
    latest = instant
    return elapsed
  }
}
