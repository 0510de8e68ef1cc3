import CNearbySystemd
import Glibc
import NearbyConcurrency
import NearbyEventLoop

/// A connection to a message bus, used on the thread of one event loop.
///
/// sd-bus has no thread of its own: it says which descriptor to watch, for which events and until when, and
/// has to be called when one of these occurs. All three change with every message sent or processed, so
/// `processAndWatch` queries them at the end of each loop turn in which that happened. sd-bus writes with `sendmsg`
/// and `MSG_NOSIGNAL`.
///
/// Requests are sent with `sd_bus_send` only and replies are matched here, so that nothing blocks the loop's
/// thread, every request has a deadline of our own, and sd-bus's handling of pending calls is not involved.
/// Messages from the bus are untrusted: an unreadable one is dropped or, if it is a reply, fails its request.
///
/// `@unchecked Sendable`: used on the loop's thread only.
package final class BusConnection: @unchecked Sendable {
  /// The reply to a method call, to be sent once, immediately or later. A call that is never answered is
  /// refused.
  ///
  /// `@unchecked Sendable`: used on the loop's thread only.
  package final class Answer: @unchecked Sendable {
    private weak var connection: BusConnection?
    private let call: OpaquePointer
    private var isGiven = false

    fileprivate init(to call: OpaquePointer, of connection: BusConnection) {
      self.call = sd_bus_message_ref(call)
      self.connection = connection
    }

    deinit {
      refuse("org.freedesktop.DBus.Error.Failed", "no answer")
      sd_bus_message_unref(call)
    }

    package func give(_ values: [BusValue] = []) {
      guard !isGiven, let connection, connection.isOpen else { return }
      isGiven = true
      var reply: OpaquePointer?
      guard sd_bus_message_new_method_return(call, &reply) >= 0, let reply else { return }
      defer { sd_bus_message_unref(reply) }
      do throws(BusError) {
        for value in values { try BusCodec.append(value, to: reply) }
        sd_bus_send(nil, reply, nil)
        connection.queueSettling()
      } catch {
        isGiven = false
        refuse("org.freedesktop.DBus.Error.Failed", "unencodable")
      }
    }

    package func refuse(_ name: String, _ text: String = "") {
      guard !isGiven, let connection, connection.isOpen else { return }
      isGiven = true
      var error = sd_bus_error()
      defer { sd_bus_error_free(&error) }
      sd_bus_error_set(&error, name, text)
      var reply: OpaquePointer?
      guard sd_bus_message_new_method_error(call, &reply, &error) >= 0, let reply else { return }
      sd_bus_send(nil, reply, nil)
      connection.queueSettling()
      sd_bus_message_unref(reply)
    }
  }

  /// Retains a message until it is handled, or dropped with the loop.
  private final class HeldMessage {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }
    deinit { sd_bus_message_unref(pointer) }
  }

  private struct Pending {
    var alarm: UInt64
    var completion: (Result<[BusValue], BusError>) -> Void
  }

  /// Maximum number of messages processed per turn, so that a flood does not pile up in the loop's queue.
  private static let messagesInTurn = 64

  private let loop: EventLoop
  private var bus: OpaquePointer?
  private var pending: [UInt64: Pending] = [:]
  private var isProcessingQueued = false
  /// The connection is lost. This is reported after the messages that arrived before.
  private var isLost = false
  /// The descriptor the loop watches on behalf of sd-bus.
  private var watched: Int32?
  /// When to call sd-bus even if nothing arrives, in microseconds of the monotonic clock.
  private var wake: (due: UInt64, alarm: UInt64)?

  /// Called for every signal from any sender.
  package var onSignal: ((BusSignal) -> Void)?
  /// Called for every method call; if `nil`, all calls are refused.
  package var onCall: ((BusCall, Answer) -> Void)?
  /// Called once, when the connection is closed or lost.
  package var onClose: (() -> Void)?

  package var isOpen: Bool { bus != nil }

  /// Connects. The handshake completes in the background, and requests may be made at once.
  ///
  /// - Parameter address: In the format of `DBUS_SYSTEM_BUS_ADDRESS`.
  package init(address: String, on loop: EventLoop) throws(BusError) {
    self.loop = loop
    assert(loop.isCurrent)
    var bus: OpaquePointer?
    guard sd_bus_new(&bus) >= 0, let bus else { throw .system(call: "sd_bus_new", errno: ENOMEM) }
    var status = sd_bus_set_address(bus, address)
    if status >= 0 { status = sd_bus_set_bus_client(bus, 1) }
    if status >= 0 { status = sd_bus_negotiate_fds(bus, 1) }
    if status >= 0 { status = sd_bus_start(bus) }
    guard status >= 0 else {
      sd_bus_unref(bus)
      throw .system(call: "sd_bus_start", errno: -status)
    }
    self.bus = bus
    sd_bus_add_filter(
      bus, nil,
      { message, context, _ in
        guard let message, let context else { return 0 }
        return Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().received(message)
      }, Unmanaged.passUnretained(self).toOpaque())
    queueSettling()
  }

  deinit { if let bus { sd_bus_close_unref(bus) } }

  /// Closes the connection; pending requests fail with `.closed`.
  package func close() {
    guard let bus else { return }
    self.bus = nil
    loop.cancel(wake?.alarm)
    wake = nil
    sd_bus_flush(bus)
    if let watched { loop.unwatch(watched) }
    watched = nil
    sd_bus_close(bus)
    sd_bus_unref(bus)
    let waiting = pending.sorted { $0.key < $1.key }
    pending = [:]
    for (_, request) in waiting {
      loop.cancel(request.alarm)
      request.completion(.failure(.closed))
    }
    let onClose = onClose
    (self.onClose, onSignal, onCall) = (nil, nil, nil)
    onClose?()
  }

  // MARK: Sending

  /// Sends a method call; `completion` is called once, later, on the loop's thread.
  package func call(
    _ request: BusRequest, _ completion: @escaping (Result<[BusValue], BusError>) -> Void
  ) {
    assert(loop.isCurrent)
    do throws(BusError) {
      var message: OpaquePointer?
      let status = sd_bus_message_new_method_call(
        bus, &message, request.destination, request.path, request.interface, request.member)
      guard bus != nil else { throw .closed }
      guard status >= 0, let message else { throw .unencodable }
      let cookie = try send(message, request.body, wantsAnswer: true)
      let alarm = loop.schedule(after: request.limit) { [weak self] in
        self?.pending.removeValue(forKey: cookie)?.completion(.failure(.timedOut))
      }
      pending[cookie] = Pending(alarm: alarm, completion: completion)
    } catch {
      loop.schedule(after: .zero) { completion(.failure(error)) }
    }
  }

  package func emit(_ path: String, _ interface: String, _ member: String, _ body: [BusValue]) {
    assert(loop.isCurrent)
    var message: OpaquePointer?
    guard let bus, sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else {
      return
    }
    _ = try? send(message, body, wantsAnswer: false)
  }

  private func send(
    _ message: OpaquePointer, _ body: [BusValue], wantsAnswer: Bool
  ) throws(BusError) -> UInt64 {
    defer { sd_bus_message_unref(message) }
    for value in body { try BusCodec.append(value, to: message) }
    var cookie: UInt64 = 0
    let status = wantsAnswer ? sd_bus_send(bus, message, &cookie) : sd_bus_send(bus, message, nil)
    guard status >= 0 else { throw .system(call: "sd_bus_send", errno: -status) }
    queueSettling()
    return cookie
  }

  // MARK: Receiving

  /// Schedules `processAndWatch` for the end of the loop's turn. Call it after anything that may change what sd-bus
  /// waits for.
  private func queueSettling() {
    guard !isProcessingQueued else { return }
    isProcessingQueued = true
    loop.atTurnEnd { [weak self] in self?.processAndWatch() }
  }

  /// Processes messages, then updates what the loop watches on behalf of sd-bus.
  private func processAndWatch() {
    process()
    isProcessingQueued = false
    guard let bus, !isLost else { return }
    let events = sd_bus_get_events(bus)
    var due = UInt64.max
    guard events >= 0, sd_bus_get_timeout(bus, &due) >= 0,
      watch(sd_bus_get_fd(bus), events)
    else { return lose() }
    setWake(due)
  }

  /// - Returns: Whether the loop watches the descriptor, which may differ from the previous one.
  private func watch(_ descriptor: Int32, _ events: Int32) -> Bool {
    var readiness: EventLoop.Readiness = []
    if events & POLLIN != 0 { readiness.insert(.readable) }
    if events & POLLOUT != 0 { readiness.insert(.writable) }
    if descriptor == watched {
      loop.change(descriptor, to: readiness)
      return true
    }
    if let watched { loop.unwatch(watched) }
    watched = nil
    let ready: (EventLoop.Readiness) -> Void = { [weak self] _ in self?.queueSettling() }
    guard (try? loop.watch(descriptor, for: readiness, ready)) != nil else { return false }
    watched = descriptor
    return true
  }

  private func setWake(_ due: UInt64) {
    guard due != wake?.due else { return }
    loop.cancel(wake?.alarm)
    wake = nil
    guard due != .max else { return }
    let delay = Duration.microseconds(Int64(clamping: due) - Int64(clamping: Self.now))
    let alarm = loop.schedule(after: max(.zero, delay)) { [weak self] in
      self?.wake = nil
      self?.queueSettling()
    }
    wake = (due, alarm)
  }

  /// The monotonic clock, which sd-bus uses too, in microseconds.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000 &+ UInt64(time.tv_nsec) / 1000
  }

  /// Sends and receives up to `messagesInTurn` messages. If more are waiting, sd-bus reports a timeout in the
  /// past, so that `processAndWatch` schedules the next round.
  private func process() {
    for _ in 0..<Self.messagesInTurn {
      guard let bus, !isLost else { return }
      let status = sd_bus_process(bus, nil)
      if status == 0 { return }
      // A malformed message closes the connection, as the bus itself would do.
      if status < 0 { return lose() }
    }
  }

  /// Gives up the connection. Closing is queued behind the messages already received.
  private func lose() {
    isLost = true
    if let watched { loop.unwatch(watched) }
    watched = nil
    loop.perform { [weak self] in self?.close() }
  }

  /// Queues a message behind the work submitted to the loop before it arrived, so that an app's changes take
  /// effect before a later call of the daemon.
  ///
  /// - Returns: 1 if the message is handled here, 0 if sd-bus should process it.
  private func received(_ message: OpaquePointer) -> Int32 {
    var type: UInt8 = 0
    guard sd_bus_message_get_type(message, &type) >= 0 else { return 0 }
    let interface = Self.text(sd_bus_message_get_interface(message))
    // sd-bus answers calls of this interface itself.
    if Int(type) == SD_BUS_MESSAGE_METHOD_CALL, interface == "org.freedesktop.DBus.Peer" { return 0 }
    // Unchecked because the message is created and used on the loop's thread.
    let held = UncheckedSendable(HeldMessage(message))
    loop.perform { [weak self, type] in
      guard let self, isOpen else { return }
      handle(held.value.pointer, type: Int(type))
    }
    return interface == "org.freedesktop.DBus.Local" ? 0 : 1
  }

  private func handle(_ message: OpaquePointer, type: Int) {
    switch type {
    case SD_BUS_MESSAGE_METHOD_RETURN, SD_BUS_MESSAGE_METHOD_ERROR: receivedAnswer(message)
    case SD_BUS_MESSAGE_METHOD_CALL: receivedCall(message)
    case SD_BUS_MESSAGE_SIGNAL:
      if let onSignal, let body = try? BusCodec.readAll(message) {
        onSignal(
          BusSignal(
            sender: Self.text(sd_bus_message_get_sender(message)),
            path: Self.text(sd_bus_message_get_path(message)),
            interface: Self.text(sd_bus_message_get_interface(message)),
            member: Self.text(sd_bus_message_get_member(message)), body: body))
      }
    default: break
    }
  }

  private func receivedAnswer(_ message: OpaquePointer) {
    var cookie: UInt64 = 0
    guard sd_bus_message_get_reply_cookie(message, &cookie) >= 0,
      let request = pending.removeValue(forKey: cookie)
    else { return }
    loop.cancel(request.alarm)
    if let error = sd_bus_message_get_error(message) {
      let name = Self.text(error.pointee.name)
      request.completion(.failure(.refused(name: name, text: Self.text(error.pointee.message))))
    } else {
      do throws(BusError) {
        request.completion(.success(try BusCodec.readAll(message)))
      } catch {
        request.completion(.failure(error))
      }
    }
  }

  private func receivedCall(_ message: OpaquePointer) {
    let answer = Answer(to: message, of: self)
    guard let onCall, let body = try? BusCodec.readAll(message) else {
      answer.refuse("org.freedesktop.DBus.Error.InvalidArgs")
      return
    }
    let call = BusCall(
      sender: Self.text(sd_bus_message_get_sender(message)),
      path: Self.text(sd_bus_message_get_path(message)),
      interface: Self.text(sd_bus_message_get_interface(message)),
      member: Self.text(sd_bus_message_get_member(message)), body: body)
    onCall(call, answer)
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
