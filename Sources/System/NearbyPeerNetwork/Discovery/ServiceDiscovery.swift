import CNearbyAvahi
import Dispatch
import Foundation

/// Registers and finds services by DNS-SD, through the machine's Avahi daemon or, without one, with Avahi in
/// this process.
///
/// `@unchecked Sendable`: all mutable state is protected by the lock of Avahi's poll, whose thread holds it
/// during callbacks.
package final class ServiceDiscovery: @unchecked Sendable {
  /// Identifies one registration.
  package struct Registration: Hashable, Sendable { let id: UInt64 }

  /// Which implementations to try.
  package enum Preference: Sendable { case automatic, only(DiscoveryWay) }

  private struct Registered {
    var service: Service
    var text: ServiceText
    var port: UInt16
  }

  private static let retryDelay = Duration.seconds(5)

  private let poll: OpaquePointer
  private let preference: Preference
  private let queue = DispatchQueue(label: "nearby.discovery")
  private let report: @Sendable (DiscoveryEvent) -> Void

  // Under the poll's lock:
  private var stack: (any AvahiStack)?
  private var table = ServiceTable()
  private var registrations: [UInt64: Registered] = [:]
  private var types: [String] = []
  private var lastID: UInt64 = 0
  private var timeout: OpaquePointer?
  private var isStopped = false

  /// Starts. The first event says which implementation is used, or that none is available.
  ///
  /// - Parameter report: Called in order, on a queue of its own.
  package init(
    _ preference: Preference = .automatic, report: @escaping @Sendable (DiscoveryEvent) -> Void
  ) throws(NetworkError) {
    guard let poll = avahi_threaded_poll_new() else {
      throw .discovery(call: "avahi_threaded_poll_new", reason: Avahi.reason(-1))
    }
    self.poll = poll
    self.preference = preference
    self.report = report
    openStack()
    guard avahi_threaded_poll_start(poll) >= 0 else {
      throw .discovery(call: "avahi_threaded_poll_start", reason: "no thread")
    }
  }

  deinit {
    if !isStopped { end() }
    avahi_threaded_poll_free(poll)
  }

  /// Withdraws everything from the network and ends; nothing that happens later is reported.
  package func stop() {
    let isFirst = locked {
      defer { isStopped = true }
      return !isStopped
    }
    if isFirst { end() }
  }

  // MARK: Requests

  /// Publishes a service on every interface.
  ///
  /// - Throws: `.badService`.
  package func register(_ service: Service, text: ServiceText, port: UInt16) throws(NetworkError)
    -> Registration
  {
    try service.check()
    return locked {
      lastID += 1
      registrations[lastID] = Registered(service: service, text: text, port: port)
      publish(lastID)
      return Registration(id: lastID)
    }
  }

  /// Replaces a service's text.
  package func update(_ registration: Registration, text: ServiceText) {
    locked {
      guard var registered = registrations[registration.id] else { return }
      registered.text = text
      registrations[registration.id] = registered
      guard let stack, stack.isRunning else { return }
      let code = stack.updateText(registration.id, registered.service, text)
      if code < 0 { fail(registration.id, code) }
    }
  }

  package func unregister(_ registration: Registration) {
    locked {
      guard registrations.removeValue(forKey: registration.id) != nil else { return }
      stack?.removeService(registration.id)
    }
  }

  /// Searches for services of a type.
  ///
  /// - Throws: `.badService`.
  package func browse(_ type: String) throws(NetworkError) {
    try Service.checkType(type)
    locked {
      guard !types.contains(type) else { return }
      types.append(type)
      startBrowsing(type)
    }
  }

  /// Ends a search; its services are forgotten without being reported lost.
  package func stopBrowsing(_ type: String) {
    locked {
      types.removeAll { $0 == type }
      stack?.stopBrowsing(type)
      _ = table.forget(type: type)
    }
  }

  // MARK: Callbacks of the stack, under the lock

  func stackRuns(_ stack: any AvahiStack) {
    for id in registrations.keys.sorted() { publish(id, by: stack) }
  }

  func stackFailed(_ stack: any AvahiStack, _ error: NetworkError) {
    // A stack that fails while it is being created is not in use yet.
    guard stack === self.stack else { return }
    // Not now, because a stack must not be closed inside its own callback.
    replaceStack(after: .zero)
  }

  func groupChanged(_ id: UInt64, _ state: AvahiEntryGroupState) {
    guard let registered = registrations[id] else { return }
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: enqueue(.registered(Registration(id: id), registered.service))
    case AVAHI_ENTRY_GROUP_COLLISION: rename(id)
    case AVAHI_ENTRY_GROUP_FAILURE: fail(id, -1)
    default: break
    }
  }

  func browsed(_ event: AvahiBrowserEvent, _ sighting: ServiceSighting) {
    switch event {
    case AVAHI_BROWSER_NEW:
      guard !table.isSighted(sighting.service, at: sighting.place) else { return }
      table.sighted(sighting.service, at: sighting.place)
      _ = stack?.resolve(sighting)
    case AVAHI_BROWSER_REMOVE:
      stack?.stopResolving(sighting)
      for event in table.vanished(sighting.service, from: sighting.place) { enqueue(event) }
    case AVAHI_BROWSER_FAILURE:
      enqueue(
        .browsingFailed(
          type: sighting.service.type, .discovery(call: "browser", reason: "the search came to an end")))
    default: break
    }
  }

  func resolved(_ sighting: ServiceSighting, _ resolution: ServiceTable.Resolution) {
    for event in table.resolved(sighting.service, at: sighting.place, resolution) { enqueue(event) }
  }

  // MARK: Internal, under the lock

  /// Publishes a registration if the stack is running; otherwise `stackRuns` does so later.
  private func publish(_ id: UInt64, by given: (any AvahiStack)? = nil) {
    guard let stack = given ?? stack, stack.isRunning, let registered = registrations[id] else { return }
    let code = stack.addService(id, registered.service, registered.text, port: registered.port)
    if code == AVAHI_ERR_COLLISION { rename(id, by: stack) } else if code < 0 { fail(id, code) }
  }

  /// Tries the next name after a collision.
  private func rename(_ id: UInt64, by given: (any AvahiStack)? = nil) {
    guard let name = registrations[id]?.service.name else { return }
    registrations[id]?.service.name = Avahi.alternative(to: name)
    publish(id, by: given)
  }

  private func fail(_ id: UInt64, _ code: Int32) {
    enqueue(
      .registrationFailed(
        Registration(id: id), .discovery(call: "register", reason: Avahi.reason(code))))
  }

  private func startBrowsing(_ type: String) {
    guard let stack else { return }
    let code = stack.browse(type)
    if code < 0 {
      enqueue(.browsingFailed(type: type, .discovery(call: "browse", reason: Avahi.reason(code))))
    }
  }

  /// Opens a stack and repeats all searches on it, or tries again later.
  private func openStack() {
    let api = avahi_threaded_poll_get(poll)
    do throws(NetworkError) {
      let opened = try makeStack(api)
      stack = opened
      enqueue(.serving(opened.way))
      for type in types { startBrowsing(type) }
    } catch {
      enqueue(.unavailable(error))
      replaceStack(after: Self.retryDelay)
    }
  }

  private func makeStack(_ api: UnsafePointer<AvahiPoll>?) throws(NetworkError) -> any AvahiStack {
    switch preference {
    case .only(.daemon): return try DaemonStack(self, poll: api)
    case .only(.embedded): return try EmbeddedStack(self, poll: api)
    case .automatic:
      if let daemon = try? DaemonStack(self, poll: api) { return daemon }
      return try EmbeddedStack(self, poll: api)
    }
  }

  /// Schedules `reopen` on the poll's thread, unless that is scheduled already.
  private func replaceStack(after delay: Duration) {
    guard timeout == nil, !isStopped else { return }
    let context = Unmanaged.passUnretained(self).toOpaque()
    timeout = Avahi.after(delay, on: avahi_threaded_poll_get(poll), context) { _, context in
      guard let context else { return }
      Unmanaged<ServiceDiscovery>.fromOpaque(context).takeUnretainedValue().reopen()
    }
  }

  /// Closes the stack, reports everything found as lost, and opens a stack again.
  private func reopen() {
    freeTimeout()
    stack?.close()
    stack = nil
    for type in types { for event in table.forget(type: type) { enqueue(event) } }
    openStack()
  }

  private func freeTimeout() {
    guard let timeout else { return }
    avahi_threaded_poll_get(poll)?.pointee.timeout_free?(timeout)
    self.timeout = nil
  }

  private func enqueue(_ event: DiscoveryEvent) {
    queue.async { [report] in report(event) }
  }

  private func end() {
    // Stop the thread before freeing what it uses.
    avahi_threaded_poll_stop(poll)
    freeTimeout()
    stack?.close()
    stack = nil
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    avahi_threaded_poll_lock(poll)
    defer { avahi_threaded_poll_unlock(poll) }
    return body()
  }
}
