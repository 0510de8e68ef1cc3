import Foundation
import NearbyPeerNetwork
import Synchronization
import Testing

/// A list of events that a test can wait for.
final class Journal<Entry: Sendable>: Sendable {
  private typealias Waiter = (
    id: UInt64, isMet: @Sendable ([Entry]) -> Bool, resume: CheckedContinuation<[Entry]?, Never>
  )
  private struct State {
    var entries: [Entry] = []
    var waiters: [Waiter] = []
    var lastID: UInt64 = 0
    /// Waits that were cancelled before they began.
    var givenUp: Set<UInt64> = []
  }
  private let state = Mutex(State())

  func add(_ entry: Entry) {
    let resumed = state.withLock { state -> [(CheckedContinuation<[Entry]?, Never>, [Entry])] in
      state.entries.append(entry)
      let met = state.waiters.filter { $0.isMet(state.entries) }
      state.waiters.removeAll { waiter in met.contains { $0.id == waiter.id } }
      return met.map { ($0.resume, state.entries) }
    }
    for (continuation, entries) in resumed { continuation.resume(returning: entries) }
  }

  var entries: [Entry] { state.withLock { $0.entries } }

  /// The expected entries did not appear.
  struct NeverCame: Error { var entries: [Entry] }

  /// Waits until the entries meet a condition. The limit of `.ownThreads` ends a wait that never succeeds.
  @discardableResult
  func until(_ isMet: @escaping @Sendable ([Entry]) -> Bool) async throws -> [Entry] {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let met = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: [Entry]?? = state.withLock { state in
          if isMet(state.entries) { return .some(state.entries) }
          if state.givenUp.remove(id) != nil { return .some(nil) }
          state.waiters.append((id, isMet, continuation))
          return .none
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      giveUp(id)
    }
    guard let met else {
      // The test is already cancelled, so the error that it throws would not be shown.
      Issue.record("timed out; last entries: \(entries.suffix(30))")
      throw NeverCame(entries: entries)
    }
    return met
  }

  /// Repeats an action every 5 ms until the entries meet a condition: for datagrams, which may be lost, and are
  /// lost until the association is up.
  @discardableResult
  func until(
    _ isMet: @escaping @Sendable ([Entry]) -> Bool, repeating action: @escaping @Sendable () -> Void
  ) async throws -> [Entry] {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler(handler: action)
    timer.schedule(deadline: .now(), repeating: .milliseconds(5))
    timer.activate()
    defer { timer.cancel() }
    return try await until(isMet)
  }

  private func giveUp(_ id: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
        state.givenUp.insert(id)
        return nil
      }
      return state.waiters.remove(at: index)
    }
    waiter?.resume.resume(returning: nil)
  }

  /// Waits for the first entry that `pick` accepts.
  func first<Result: Sendable>(_ pick: @escaping @Sendable (Entry) -> Result?) async throws -> Result {
    let entries = try await until { $0.contains { pick($0) != nil } }
    for entry in entries { if let found = pick(entry) { return found } }
    throw NeverCame(entries: entries)
  }
}

/// An event of a channel.
enum Told: Equatable, Sendable {
  case octets([UInt8])
  case datagram([UInt8])
  case drained
  case closed(NetworkError?)
}

extension Array where Element == Told {
  /// All octets that were received, joined.
  var octets: [UInt8] {
    flatMap { entry -> [UInt8] in if case .octets(let octets) = entry { octets } else { [] } }
  }
  var octetCount: Int {
    reduce(0) { sum, entry in if case .octets(let octets) = entry { sum + octets.count } else { sum } }
  }
  var datagrams: [[UInt8]] {
    compactMap { entry -> [UInt8]? in if case .datagram(let octets) = entry { octets } else { nil } }
  }
  var end: NetworkError?? {
    for entry in self { if case .closed(let error) = entry { return .some(error) } }
    return nil
  }
}

extension Span<UInt8> {
  var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

extension PeerChannel {
  /// Starts the channel and records its events.
  func record() -> Journal<Told> {
    let journal = Journal<Told>()
    start(
      Handlers(
        onReceive: { journal.add(.octets($0.array)) },
        onDatagram: { journal.add(.datagram($0.array)) },
        onDrained: { journal.add(.drained) }, onClose: { journal.add(.closed($0)) }))
    return journal
  }
}

extension PeerChannel {
  /// Sends to a peer that echoes, and waits for the echo.
  func expectEcho() async throws {
    let told = record()
    try send([1, 2, 3])
    try await told.until { $0.octets == [1, 2, 3] }
  }
}

extension PeerChannel {
  /// Sends a datagram until the other side has received it.
  func sendDatagram(_ octets: [UInt8], until journal: Journal<Told>) async throws {
    try await journal.until({ $0.datagrams.contains(octets) }, repeating: { self.sendDatagram(octets) })
  }
}

/// An endpoint that records its events.
final class End: Sendable {
  let endpoint: PeerEndpoint
  let identity: PeerKey
  let events = Journal<PeerEndpoint.Event>()
  let port: UInt16

  init(listens: Bool = true, _ change: (inout PeerEndpoint.Configuration) -> Void = { _ in }) throws {
    identity = try PeerKey.generate()
    var configuration = PeerEndpoint.Configuration(identity: identity)
    change(&configuration)
    endpoint = try PeerEndpoint(configuration) { [events] in events.add($0) }
    port = listens ? try endpoint.listen() : 0
  }

  deinit { endpoint.stop() }

  var address: SocketAddress { .loopback(port: port) }

  func arrival() async throws -> PeerChannel {
    try await events.first { if case .arrived(let channel) = $0 { channel } else { nil } }
  }

  /// The error with which a connection failed.
  func refusal() async throws -> NetworkError {
    try await events.first { if case .refused(_, let error) = $0 { error } else { nil } }
  }
}

/// Both ends of one channel.
struct Pair {
  let left: End
  let right: End
  let initiator: PeerChannel
  let acceptor: PeerChannel

  init(
    security: PeerEndpoint.Security = .encrypted,
    _ change: (inout PeerEndpoint.Configuration) -> Void = { _ in }
  ) async throws {
    left = try End(listens: false, change)
    right = try End { configuration in
      configuration.rules.acceptsPlain = security == .plain
      change(&configuration)
    }
    initiator = try await left.endpoint.connect(to: [right.address], security: security)
    acceptor = try await right.arrival()
  }
}
