import CNearbyLinux
import CNearbyMicroHTTPD
import Foundation
import NearbyRadioLinks

/// The thread of a page's server: accepts connections, lets libmicrohttpd serve their requests, and reads and
/// writes those that have become WebSockets.
///
/// Once the thread runs, it owns all members except `wake`. A connection occupies a slot from when it is
/// accepted until libmicrohttpd closes its descriptor, so there are never more descriptors than slots.
final class WebLoop: HTTPDaemonOwner, @unchecked Sendable {
  // `@unchecked Sendable`: mutable state is touched only on the thread, or before it starts.

  /// One connection.
  private final class Slot {
    enum Stage {
      case requests(RequestDeadline)
      /// A WebSocket was admitted, and the answer that opens it is being written.
      case upgrading(RequestDeadline)
      /// The pointer is libmicrohttpd's handle for the upgraded connection.
      case socket(WebSocket, OpaquePointer)
      /// The descriptor will be closed when libmicrohttpd next runs.
      case ended
    }

    let descriptor: Int32
    let accepted: Duration
    var stage: Stage
    /// The path at which a WebSocket was asked for.
    var path = ""
    /// Set while the connection is an open WebSocket.
    var client: WebClient?
    /// Whether the socket accepted no more octets, or its write limit for the turn was reached.
    var isBlocked = false
    var isShutDown = false

    init(descriptor: Int32, at time: Duration) {
      self.descriptor = descriptor
      accepted = time
      stage = .requests(RequestDeadline(at: time))
    }

    var socket: WebSocket? { if case .socket(let socket, _) = stage { socket } else { nil } }
    var isEnded: Bool { if case .ended = stage { true } else { false } }
    /// Whether the connection counts as a viewer.
    var isViewer: Bool {
      switch stage {
      case .upgrading, .socket: true
      case .requests, .ended: false
      }
    }
    /// Whether the server is waiting for a request on this connection.
    var isIdle: Bool { if case .requests(let deadline) = stage { deadline.isOwed } else { false } }
  }

  /// `POLLRDHUP`, which Glibc's module lacks; `EPOLLRDHUP` has the same value.
  private static let closedByPeer = Int16(truncatingIfNeeded: EPOLLRDHUP.rawValue)
  private static let stackSize = 1 << 20
  private static let readSize = 16_384
  /// Maximum number of octets written to one connection per turn.
  private static let writeLimit = 1 << 20
  /// Kernel send buffer per connection, octets. A larger one would make slow browsers see older data.
  private static let socketBuffer: Int32 = 256 * 1024
  /// Interval at which deadlines are checked.
  private static let tick = Duration.milliseconds(500)
  /// Age at which an idle connection may be closed to make room for a new one.
  private static let graceOfIdle = Duration.seconds(1)
  private static let acceptPause = Duration.seconds(1)
  /// Minimum interval between two reports of the same condition.
  private static let reportInterval = Duration.seconds(60)

  /// Set to `nil` when the thread ends, to break the reference cycle.
  private var server: WebServer?
  private let site: WebSite
  private let limit: Int
  private let descriptorLimit: Int
  private let listener: Int32
  private let bell: Int32
  private let started = ContinuousClock.now
  /// Set to `nil` when the thread ends.
  private var daemon: HTTPDaemon?
  private var slots: [Int32: Slot] = [:]
  /// Connections upgraded while libmicrohttpd ran, with the octets received after their requests.
  private var upgraded: [(slot: Slot, handle: OpaquePointer, octets: [UInt8])] = []
  private var clientsMade = 0
  private var nextTick = Duration.zero
  private var resumesAccepting = Duration.zero
  private var lastCrowdedReport: Duration?
  private var lastFailureReport: Duration?

  private var now: Duration { ContinuousClock.now - started }

  /// - Parameter listener: The loop takes ownership, even if this throws.
  init(
    _ server: WebServer, listener: Int32, site: WebSite, limit: Int, descriptorLimit: Int
  ) throws(LinkError) {
    let bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard bell >= 0 else {
      let number = errno
      close(listener)
      throw .system(call: "eventfd", errno: number)
    }
    do throws(LinkError) {
      daemon = try HTTPDaemon(site.files, limit: limit)
    } catch {
      close(listener)
      close(bell)
      throw error
    }
    self.server = server
    self.site = site
    self.limit = limit
    self.descriptorLimit = descriptorLimit
    self.listener = listener
    self.bell = bell
    daemon?.setOwner(self)
  }

  deinit {
    close(listener)
    close(bell)
  }

  /// Starts the thread, which runs until the server is stopped.
  func start() throws(LinkError) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let held = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { pointer in
        if let pointer { Unmanaged<WebLoop>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, held.toOpaque())
    guard result == 0 else {
      held.release()
      throw .system(call: "pthread_create", errno: result)
    }
    return thread
  }

  /// Interrupts the thread's wait. Callable from any thread.
  func wake() {
    var one: UInt64 = 1
    _ = write(bell, &one, 8)
  }

  // MARK: Turns

  private func run() {
    Thread.current.name = "nearby.web"
    blockPipeSignal()
    while true {
      awaitWork()
      guard let work = server?.work(), !work.isStopped else { break }
      let now = now
      for slot in Array(slots.values) {
        guard let client = slot.client else { continue }
        if work.dropped.contains(client) {
          end(slot)
        } else if work.waiting.contains(client), !slot.isBlocked {
          flush(slot, at: now)
        }
      }
      if now >= nextTick {
        nextTick = now + Self.tick
        for slot in Array(slots.values) { passTime(slot, at: now) }
      }
    }
    for slot in Array(slots.values) { end(slot) }
    runDaemon(at: now)
    daemon = nil
    server = nil
  }

  /// Blocks SIGPIPE on this thread, because libmicrohttpd may raise it when writing to a browser that is
  /// gone. The write then fails with EPIPE. No app code runs on this thread.
  private func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for events on all sockets and handles them.
  private func awaitWork() {
    let start = now
    let isAccepting = slots.count < limit || hasIdle(at: start)
    var waiting = [
      pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      pollfd(fd: daemon?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    if isAccepting, start >= resumesAccepting {
      waiting.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    }
    for slot in slots.values where !slot.isEnded {
      guard let events = Self.interest(in: slot) else { continue }
      waiting.append(pollfd(fd: slot.descriptor, events: events, revents: 0))
    }
    let count = poll(&waiting, nfds_t(waiting.count), longestWait(at: start))
    // Out of memory in the kernel: retrying at once would spin.
    if count < 0, errno != EINTR { usleep(100_000) }
    let now = now
    var left: [Slot] = []
    for entry in waiting where count > 0 && entry.revents != 0 {
      switch entry.fd {
      case bell: silenceBell()
      case listener: acceptWaiting(at: now)
      default:
        guard let slot = slots[entry.fd] else { continue }
        if let socket = slot.socket { serve(slot, socket, entry.revents, at: now) }
        if slot.isIdle { left.append(slot) }
      }
    }
    runDaemon(at: now)
    for slot in left { endIfLeft(slot) }
    if !isAccepting { reportCrowd(at: now) }
  }

  /// Events to poll for in addition to those libmicrohttpd polls for; `nil` for none.
  private static func interest(in slot: Slot) -> Int16? {
    if slot.socket != nil { return Int16(POLLIN) | (slot.isBlocked ? Int16(POLLOUT) : 0) }
    return slot.isIdle ? closedByPeer : nil
  }

  /// Timeout for `poll` in milliseconds; -1 for no timeout.
  private func longestWait(at now: Duration) -> Int32 {
    let asked = daemon?.longestWait.map { Int32(clamping: $0) }
    if slots.isEmpty, now >= resumesAccepting { return asked ?? -1 }
    if slots.values.contains(where: \.isEnded) { return 0 }
    return min(asked ?? .max, Int32(Self.tick / .milliseconds(1)))
  }

  /// Lets libmicrohttpd serve requests and close ended connections, then starts the WebSockets that were
  /// upgraded.
  private func runDaemon(at now: Duration) {
    daemon?.run()
    let upgraded = upgraded
    self.upgraded = []
    for entry in upgraded { begin(entry.slot, entry.handle, entry.octets, at: now) }
  }

  private func silenceBell() {
    var count: UInt64 = 0
    _ = read(bell, &count, 8)
  }

  // MARK: New connections

  /// Accepts connections until none are waiting or no slot is free.
  private func acceptWaiting(at now: Duration) {
    do throws(LinkError) {
      while slots.count < limit || endOldestIdle(at: now) {
        guard let descriptor = try TCPSockets.accept(from: listener) else { return }
        guard Int(descriptor) < descriptorLimit else {
          close(descriptor)
          throw .system(call: "accept", errno: EMFILE)
        }
        var size = Self.socketBuffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        try daemon?.add(descriptor)
        slots[descriptor] = Slot(descriptor: descriptor, at: now)
      }
      reportCrowd(at: now)
    } catch {
      // The listener stays readable, so retrying at once would spin.
      resumesAccepting = now + Self.acceptPause
      if Self.isDue(&lastFailureReport, at: now) { server?.report(.acceptFailed(error)) }
    }
  }

  private func idleSlots(at now: Duration) -> some Sequence<Slot> {
    slots.values.lazy.filter { $0.isIdle && now - $0.accepted >= Self.graceOfIdle }
  }

  private func hasIdle(at now: Duration) -> Bool { idleSlots(at: now).contains { _ in true } }

  /// Makes room by closing the oldest connection that has no request in progress.
  private func endOldestIdle(at now: Duration) -> Bool {
    let oldest = idleSlots(at: now).min { ($0.accepted, $0.descriptor) < ($1.accepted, $1.descriptor) }
    guard let oldest else { return false }
    end(oldest)
    runDaemon(at: now)
    return slots.count < limit
  }

  private func reportCrowd(at now: Duration) {
    if Self.isDue(&lastCrowdedReport, at: now) { server?.report(.crowded(limit: limit)) }
  }

  private static func isDue(_ last: inout Duration?, at now: Duration) -> Bool {
    if let last, now - last < reportInterval { return false }
    last = now
    return true
  }

  // MARK: Requests

  func answer(_ request: HTTPRequest, on descriptor: Int32) throws(HTTPRequest.Refusal) -> HTTPAnswer {
    let now = now
    guard let slot = slots[descriptor], case .requests(var deadline) = slot.stage else {
      throw .init(status: MHD_HTTP_SERVICE_UNAVAILABLE, reason: "the connection is closed")
    }
    deadline.requested(at: now)
    slot.stage = .requests(deadline)
    let answer = try site.answer(request)
    if case .socket = answer {
      guard slots.values.count(where: \.isViewer) < WebServer.viewerLimit else {
        throw .init(status: MHD_HTTP_SERVICE_UNAVAILABLE, reason: "too many viewers; try again later")
      }
      slot.stage = .upgrading(deadline)
      slot.path = request.path
    }
    return answer
  }

  func completed(on descriptor: Int32) {
    guard let slot = slots[descriptor], case .requests(var deadline) = slot.stage else { return }
    deadline.answered(at: now)
    slot.stage = .requests(deadline)
  }

  func upgraded(_ descriptor: Int32, _ handle: OpaquePointer, _ octets: [UInt8]) {
    guard let slot = slots[descriptor] else { return }
    upgraded.append((slot, handle, octets))
  }

  func closed(_ descriptor: Int32) { slots.removeValue(forKey: descriptor)?.stage = .ended }

  // MARK: WebSockets

  /// Starts a WebSocket on an upgraded connection.
  private func begin(_ slot: Slot, _ handle: OpaquePointer, _ octets: [UInt8], at now: Duration) {
    guard let socket = WebSocket(at: now) else {
      slot.stage = .ended
      daemon?.close(handle)
      return
    }
    slot.stage = .socket(socket, handle)
    clientsMade += 1
    let client = WebClient(number: clientsMade)
    slot.client = client
    server?.admit(client, at: slot.path)
    handleEvents(socket.received(octets, at: now), of: slot)
    flush(slot, at: now)
  }

  /// Reads and writes a WebSocket whose descriptor is ready.
  private func serve(_ slot: Slot, _ socket: WebSocket, _ events: Int16, at now: Duration) {
    if events & Int16(POLLOUT) != 0 {
      slot.isBlocked = false
      flush(slot, at: now)
    }
    guard !slot.isEnded, events & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return }
    var octets = [UInt8](repeating: 0, count: Self.readSize)
    let count = recv(slot.descriptor, &octets, octets.count, 0)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { end(slot) }
      return
    }
    handleEvents(socket.received(octets[..<count], at: now), of: slot)
    flush(slot, at: now)
  }

  private func handleEvents(_ events: [WebSocket.Event], of slot: Slot) {
    for event in events {
      switch event {
      case .received(let text): if let client = slot.client { server?.report(.received(client, text)) }
      case .closed: dismiss(slot)
      }
    }
  }

  private func dismiss(_ slot: Slot) {
    guard let client = slot.client else { return }
    slot.client = nil
    server?.dismiss(client)
  }

  /// Writes as much as the socket accepts, up to the limit per turn.
  private func flush(_ slot: Slot, at now: Duration) {
    guard let socket = slot.socket else { return }
    var left = Self.writeLimit
    while true {
      if socket.output.isEmpty {
        guard let client = slot.client, let message = server?.nextMessage(for: client) else { break }
        socket.send(message)
      }
      guard left > 0 else {
        slot.isBlocked = true
        return
      }
      let count = socket.output.write { octets in
        send(slot.descriptor, octets.baseAddress, min(octets.count, left), Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        guard errno == EAGAIN || errno == EINTR else { return end(slot) }
        slot.isBlocked = true
        return
      }
      left -= count
      socket.progressed(at: now)
    }
    if socket.isDone, !slot.isShutDown {
      // Closing with unread input would reset the connection and lose the final frame.
      slot.isShutDown = true
      shutdown(slot.descriptor, Int32(SHUT_WR))
    }
  }

  // MARK: Ends

  private func passTime(_ slot: Slot, at now: Duration) {
    switch slot.stage {
    case .requests(let deadline), .upgrading(let deadline): if deadline.isOver(at: now) { end(slot) }
    case .socket(let socket, _):
      guard socket.timePassed(at: now) else { return end(slot) }
      if !socket.output.isEmpty, !slot.isBlocked { flush(slot, at: now) }
    case .ended: break
    }
  }

  /// Closes an idle connection whose client has closed it. libmicrohttpd 0.9 misses an end that arrives
  /// together with octets.
  private func endIfLeft(_ slot: Slot) {
    guard slot.isIdle else { return }
    var octet: UInt8 = 0
    let unread = recv(slot.descriptor, &octet, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    if unread <= 0 || daemon?.longestWait != 0 { end(slot) }
  }

  /// Ends a connection. Its slot is freed when libmicrohttpd next runs.
  private func end(_ slot: Slot) {
    dismiss(slot)
    switch slot.stage {
    case .requests, .upgrading: shutdown(slot.descriptor, Int32(SHUT_RDWR))
    case .socket(_, let handle): daemon?.close(handle)
    case .ended: return
    }
    slot.stage = .ended
  }
}
