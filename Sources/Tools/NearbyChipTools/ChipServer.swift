import Dispatch
import Foundation
import NearbyRadioLinks
import NearbyScenarios
import NearbySchedule
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB
import Synchronization

/// Serves virtual UWB chips over TCP: one chip a connection, all on one air, in real time.
///
/// Bare UCI packets in both directions, as on a chip's own serial line. All work is done on one serial queue; nothing
/// a client does or fails to do can hold the others up for longer than its own octets take. Connections are limited
/// in all and for each machine, and one that sends no command is closed after a while.
package final class ChipServer: Sendable {
  /// Where the chips stand.
  package enum Places: Equatable, Sendable {
    /// On a line to the north, this many metres apart, in order of connection.
    case line(spacing: Double)
    /// On these radios of the world, in order of connection.
    case radios([Int])
  }

  /// What there is to serve.
  package struct Configuration: Sendable {
    package var host = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 7000
    package var world = SimulatedWorld(seed: 1)
    package var places = Places.line(spacing: 2)
    /// What happens to the world, in order of time; the devices' own part of it (suspend, deny) is left out.
    package var events: [Scenario.Event] = []
    package var chip = Configuration.chip(.v2)
    package var seed: UInt64 = 1
    /// Connections at once, > 0.
    package var limit = 64
    /// Connections of one machine at once, > 0; `nil` for all of `limit` to this machine and a quarter to another.
    package var limitPerMachine: Int?
    /// Time that a connection has for its first complete command.
    package var commandLimit = Duration.seconds(30)
    /// Octets that may wait for one client before it is dropped.
    package var queueLimit = 1 << 20
    package init() {}

    /// The generation of UCI that the chips speak.
    package var dialect: UCIDialect {
      get { chip.dialect }
      set { chip = Configuration.chip(newValue) }
    }

    /// Connections that a machine may have at once.
    package func limit(for machine: PeerHost) -> Int {
      min(limit, limitPerMachine ?? (machine.isLoopback ? limit : max(1, limit / 4)))
    }

    private static func chip(_ dialect: UCIDialect) -> VirtualChipConfiguration {
      var chip = VirtualChipConfiguration(dialect: dialect)
      chip.startLead = .milliseconds(100)
      return chip
    }
  }

  /// What the server's owner may want to know.
  package enum Event: Equatable, Sendable {
    case connected(chip: Int, place: Int)
    case left(chip: Int)
    /// The client was dropped because of what its link said.
    case dropped(chip: Int, LinkError)
    /// The client was dropped because no complete command came within this time.
    case silent(chip: Int, Duration)
    /// A connection was closed at once: the limit, or no place left in the world.
    case refused(limit: Int)
    /// A connection was closed at once: its machine has as many as it may have.
    case refusedMachine(limit: Int)
    /// New connections wait a moment: the system has no room for them.
    case acceptFailed(LinkError)
  }

  private struct Connection: Sendable {
    let link: DescriptorLink
    let machine: PeerHost
    let since = ContinuousClock.now
    /// Its chip has answered something.
    var hasAnswer = false
  }

  private struct State: Sendable {
    var air: ServedAir
    var connections: [Int: Connection] = [:]
    var clock = SlippingClock()
    var isStopped = false
  }

  /// `@unchecked Sendable`: set up before the server runs, then used on its queue only.
  private final class Sources: @unchecked Sendable {
    var accepts: [any DispatchSourceRead] = []
    var timer: (any DispatchSourceTimer)?
    var armed: Duration?
    /// Whether it is arranged that silent connections are looked for.
    var awaitsSilence = false
  }

  /// Why a connection is over.
  private enum End {
    case link(LinkError?)
    case silent
  }

  private static let acceptPause = DispatchTimeInterval.milliseconds(200)
  /// Connections accepted in one turn, so that a flood of them leaves the queue to those that are here.
  private static let turnAccepts = 32

  private let configuration: Configuration
  private let report: @Sendable (Event) -> Void
  private let queue = DispatchQueue(label: "nearby.chips")
  private let state: Mutex<State>
  private let sources = Sources()

  /// - Parameter report: Called on the server's queue.
  package init(_ configuration: Configuration, report: @escaping @Sendable (Event) -> Void) {
    self.configuration = configuration
    self.report = report
    state = Mutex(State(air: ServedAir(configuration)))
  }

  /// Begins to serve: each connection gets the first place that is free.
  ///
  /// - Returns: The port, chosen by the system where 0 was asked for.
  package func start() throws(LinkError) -> UInt16 {
    let (listener, port) = try TCPSockets.listen(host: configuration.host, port: configuration.port)
    begin([(listener, nil)])
    return port
  }

  /// Begins to serve the places one by one: each has a port of its own, and whoever connects there takes it
  /// over from who has it.
  ///
  /// - Returns: Free ports in the order of the world's radios that the configuration names.
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

  /// Closes every connection and the listener; returns when that is done. Not to be called from `report`.
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
      // What still waits after that makes the listener readable again.
      for _ in 0..<Self.turnAccepts {
        guard let descriptor = try TCPSockets.accept(from: listener) else { return }
        welcome(descriptor, at: place)
      }
    } catch {
      // The listener stays readable, so that trying again at once would spin.
      report(.acceptFailed(error))
      sources.accepts[index].suspend()
      queue.asyncAfter(deadline: .now() + Self.acceptPause) { [sources] in sources.accepts[index].resume() }
    }
  }

  private func welcome(_ descriptor: Int32, at place: Int?) {
    // One that was reset before it was accepted has no address any more, and needs no place.
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

  /// Ends a connection from this side.
  private func drop(_ connection: Int, _ end: End) {
    let link = state.withLock { $0.connections[connection]?.link }
    closed(connection, end)
    link?.close()
  }

  // MARK: Silence

  /// One look for all: a flood of connections must not leave a timer each behind.
  private func awaitSilence(for wait: Duration) {
    guard !sources.awaitsSilence else { return }
    sources.awaitsSilence = true
    queue.asyncAfter(deadline: .now() + wait / .seconds(1)) { [weak self] in self?.dropSilent() }
  }

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

  /// Brings the air to the present, then makes a change in it; what came of both is to be delivered.
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

  private func arm(_ next: Duration?, now: Duration) {
    guard sources.armed != next, let timer = sources.timer else { return }
    sources.armed = next
    guard let next else { return timer.schedule(deadline: .distantFuture) }
    let wait = min(max(next - now, .zero), .seconds(3600))
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: wait.inNanoseconds)), leeway: .microseconds(200))
  }
}

/// Real time that leaves out what nobody was there for.
///
/// After the process was stopped or the machine slept, the chips' world goes on where it was, instead of
/// carrying out every missed round at once.
struct SlippingClock: Sendable {
  /// A longer gap than this counts as this.
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
