import CNearbyLinux
import Foundation
import NearbyRadioLinks

/// The thread of a page's server: accepts, reads and writes.
///
/// All members but `wake` belong to the thread once it runs.
final class WebLoop: @unchecked Sendable {
  // `@unchecked Sendable`: what changes is touched on the thread only, and before it begins.

  /// One connection and its socket.
  private final class Slot {
    let descriptor: Int32
    let accepted: Duration
    var connection: WebConnection
    /// Once it is a WebSocket, until that is closed.
    var client: WebClient?
    /// The socket took no more octets, or its turn was over.
    var isBlocked = false
    var isShutDown = false

    init(descriptor: Int32, at time: Duration) {
      self.descriptor = descriptor
      accepted = time
      connection = WebConnection(at: time)
    }
  }

  private static let stackSize = 1 << 20
  private static let readSize = 16_384
  /// Octets written to one connection in one turn.
  private static let writeLimit = 1 << 20
  /// Octets that the kernel keeps for one connection: what a browser reads late is old by that much.
  private static let socketBuffer: Int32 = 256 * 1024
  /// How often deadlines are looked at.
  private static let tick = Duration.milliseconds(500)
  /// Time after which an idle connection may be closed to make room for a new one.
  private static let graceOfIdle = Duration.seconds(1)
  private static let acceptPause = Duration.seconds(1)
  /// Between two reports that there is no room.
  private static let reportInterval = Duration.seconds(60)

  /// `nil` once the thread has ended, so that the two let go of each other.
  private var server: WebServer?
  private let site: WebSite
  private let limit: Int
  private let listener: Int32
  private let bell: Int32
  private let started = ContinuousClock.now
  private var slots: [Int32: Slot] = [:]
  private var viewers = 0
  private var clientsMade = 0
  private var nextTick = Duration.zero
  private var resumesAccepting = Duration.zero
  private var lastCrowdedReport: Duration?
  private var lastFailureReport: Duration?

  private var now: Duration { ContinuousClock.now - started }

  /// - Parameter listener: Owned from now on, also where this throws.
  init(_ server: WebServer, listener: Int32, site: WebSite, limit: Int) throws(LinkError) {
    let bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard bell >= 0 else {
      let number = errno
      close(listener)
      throw .system(call: "eventfd", errno: number)
    }
    self.server = server
    self.site = site
    self.limit = limit
    self.listener = listener
    self.bell = bell
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

  /// Ends the wait of the thread; from any thread.
  func wake() {
    var one: UInt64 = 1
    _ = write(bell, &one, 8)
  }

  // MARK: Turns

  private func run() {
    Thread.current.name = "nearby.web"
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
    server = nil
  }

  /// Waits for sockets and does what they are ready for.
  private func awaitWork() {
    let start = now
    let isAccepting = slots.count < limit || hasIdle(at: start)
    var waiting = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
    if isAccepting, start >= resumesAccepting {
      waiting.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    }
    for slot in slots.values {
      let reads = slot.connection.wantsInput ? Int16(POLLIN) : 0
      let writes = slot.isBlocked ? Int16(POLLOUT) : 0
      waiting.append(pollfd(fd: slot.descriptor, events: reads | writes, revents: 0))
    }
    let isQuiet = slots.isEmpty && start >= resumesAccepting
    let wait = isQuiet ? -1 : Int32(Self.tick / .milliseconds(1))
    let count = poll(&waiting, nfds_t(waiting.count), wait)
    guard count > 0 else {
      // The kernel has no memory: trying again at once would spin.
      if count < 0, errno != EINTR { usleep(100_000) }
      return
    }
    let now = now
    for entry in waiting where entry.revents != 0 {
      switch entry.fd {
      case bell: silenceBell()
      case listener: acceptWaiting(at: now)
      default: if let slot = slots[entry.fd] { serve(slot, entry.revents, at: now) }
      }
    }
    if !isAccepting { reportCrowd(at: now) }
  }

  private func silenceBell() {
    var count: UInt64 = 0
    _ = read(bell, &count, 8)
  }

  // MARK: New connections

  private func acceptWaiting(at now: Duration) {
    do throws(LinkError) {
      while slots.count < limit || endOldestIdle(at: now) {
        guard let descriptor = try TCPSockets.accept(from: listener) else { return }
        guard Int(descriptor) < Descriptors.limit - Descriptors.reserve else {
          close(descriptor)
          throw .system(call: "accept", errno: EMFILE)
        }
        var size = Self.socketBuffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        slots[descriptor] = Slot(descriptor: descriptor, at: now)
      }
      reportCrowd(at: now)
    } catch {
      // The listener stays readable, so that trying again at once would spin.
      resumesAccepting = now + Self.acceptPause
      if Self.isDue(&lastFailureReport, at: now) { server?.report(.acceptFailed(error)) }
    }
  }

  private func idleSlots(at now: Duration) -> some Sequence<Slot> {
    slots.values.lazy.filter { $0.connection.isIdle && now - $0.accepted >= Self.graceOfIdle }
  }

  private func hasIdle(at now: Duration) -> Bool { idleSlots(at: now).contains { _ in true } }

  /// Makes room: of the connections that owe a request the oldest goes.
  private func endOldestIdle(at now: Duration) -> Bool {
    let oldest = idleSlots(at: now).min { ($0.accepted, $0.descriptor) < ($1.accepted, $1.descriptor) }
    guard let oldest else { return false }
    end(oldest)
    return true
  }

  private func reportCrowd(at now: Duration) {
    if Self.isDue(&lastCrowdedReport, at: now) { server?.report(.crowded(limit: limit)) }
  }

  private static func isDue(_ last: inout Duration?, at now: Duration) -> Bool {
    if let last, now - last < reportInterval { return false }
    last = now
    return true
  }

  // MARK: One connection

  private func serve(_ slot: Slot, _ events: Int16, at now: Duration) {
    if events & Int16(POLLOUT) != 0 {
      slot.isBlocked = false
      flush(slot, at: now)
    }
    guard slots[slot.descriptor] === slot, events & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return }
    var octets = [UInt8](repeating: 0, count: Self.readSize)
    let count = recv(slot.descriptor, &octets, octets.count, 0)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { end(slot) }
      return
    }
    let events = slot.connection.received(
      octets[..<count], at: now, site, hasRoom: hasRoom)
    follow(events, of: slot)
    flush(slot, at: now)
  }

  private var hasRoom: Bool { viewers < WebServer.viewerLimit }

  private func follow(_ events: [WebConnection.Event], of slot: Slot) {
    for event in events {
      switch event {
      case .opened:
        clientsMade += 1
        viewers += 1
        let client = WebClient(number: clientsMade)
        slot.client = client
        server?.admit(client)
      case .received(let text): if let client = slot.client { server?.report(.received(client, text)) }
      case .closed: dismiss(slot)
      }
    }
  }

  private func dismiss(_ slot: Slot) {
    guard let client = slot.client else { return }
    slot.client = nil
    viewers -= 1
    server?.dismiss(client)
  }

  /// Writes as much as the socket takes, within the limit of a turn.
  private func flush(_ slot: Slot, at now: Duration) {
    var left = Self.writeLimit
    while true {
      if slot.connection.output.isEmpty {
        if let client = slot.client, let message = server?.nextMessage(for: client) {
          slot.connection.output.append(message.frame)
        } else {
          follow(slot.connection.drained(at: now, site, hasRoom: hasRoom), of: slot)
          if slot.connection.output.isEmpty { break }
        }
      }
      guard left > 0 else {
        slot.isBlocked = true
        return
      }
      let count = slot.connection.output.write { octets in
        send(slot.descriptor, octets.baseAddress, min(octets.count, left), Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        guard errno == EAGAIN || errno == EINTR else { return end(slot) }
        slot.isBlocked = true
        return
      }
      left -= count
      slot.connection.progressed(at: now)
    }
    if slot.connection.isDone, !slot.isShutDown {
      // Closing with unread input would reset the connection, and the last word would be lost.
      slot.isShutDown = true
      shutdown(slot.descriptor, Int32(SHUT_WR))
    }
  }

  private func passTime(_ slot: Slot, at now: Duration) {
    guard slot.connection.timePassed(at: now) else { return end(slot) }
    if !slot.connection.output.isEmpty, !slot.isBlocked { flush(slot, at: now) }
  }

  private func end(_ slot: Slot) {
    guard slots[slot.descriptor] === slot else { return }
    slots[slot.descriptor] = nil
    dismiss(slot)
    close(slot.descriptor)
  }
}
