import Dispatch
import NearbyDevice
import NearbyNATS
import Synchronization

/// A device's connection to the NATS server through which its peers meet.
///
/// The first user opens it, on a queue, so that no app waits for the server.
final class RelayRoad: Sendable {
  private struct State {
    var bus: NATSBus?
    var users: [@Sendable (NATSBus) -> Void] = []
    var hasEnded = false
    var isRetrying = false
  }

  /// Before another connection is opened, seconds.
  private static let pause = 4.0..<8.0

  private let options: NATSConnection.Options
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "swift-nearby.relay")

  init(_ options: NATSConnection.Options) { self.options = options }

  /// Whether the server can be reached now.
  var isConnected: Bool { state.withLock { $0.bus?.isConnected ?? false } }

  /// Calls with the connection, in the order of the calls. It may not be established yet, or be lost.
  ///
  /// - Parameter body: Receives `nil` if the settings are unusable or the server refuses them.
  func perform(_ body: @escaping @Sendable (NATSBus?) -> Void) {
    queue.async { [self] in body(openBus()) }
  }

  /// Has `body` called whenever the connection has been lost and made again, on the queue. The connection may be
  /// another one.
  func onReconnect(_ body: @escaping @Sendable (NATSBus) -> Void) {
    state.withLock { $0.users.append(body) }
  }

  /// Waits until what was sent has left, and sends nothing more.
  func end() {
    let bus = state.withLock { state in
      state.hasEnded = true
      return state.bus
    }
    if bus?.isConnected == true { bus?.flush() }
  }

  private func openBus() -> NATSBus? {
    let (bus, hasEnded) = state.withLock { ($0.bus, $0.hasEnded) }
    if bus != nil || hasEnded { return bus }
    do throws(NATSFailure) {
      let made = try NATSBus(options) { [weak self] event in
        guard let self else { return }
        queue.async { self.note(event) }
      }
      if !made.isConnected { report("no server answers") }
      state.withLock { $0.bus = made }
      return made
    } catch {
      DeviceTrouble.set("\(error)", for: .peerNetwork)
      retryLater()
      return nil
    }
  }

  /// Opens another connection in a while: the client has given up this one.
  private func retryLater() {
    let isNew = state.withLock { state in
      defer { state.isRetrying = true }
      return !state.isRetrying
    }
    guard isNew else { return }
    queue.asyncAfter(deadline: .now() + .random(in: Self.pause)) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isRetrying = false }
      if let bus = openBus() { for user in state.withLock({ $0.users }) { user(bus) } }
    }
  }

  private func note(_ event: NATSBus.Event) {
    switch event {
    case .connected:
      DeviceTrouble.set(nil, for: .peerNetwork)
      let (bus, users) = state.withLock { ($0.bus, $0.users) }
      if let bus { for user in users { user(bus) } }
    case .disconnected(let reason): report(reason)
    case .closed(let reason):
      report(reason)
      state.withLock { $0.bus = nil }
      retryLater()
    case .dropped: break
    }
  }

  private func report(_ reason: String) {
    guard !state.withLock({ $0.hasEnded }) else { return }
    DeviceTrouble.set("no connection to \(options.printableURL): \(reason)", for: .peerNetwork)
  }
}
