import CNearbyWSlay

/// One WebSocket of a browser, behind its upgrade.
///
/// A machine without a socket and without a clock: octets and the time go in; events and octets to be written come out.
/// wslay reads and writes the frames. They must be masked, text in UTF-8, at most `longestMessage` octets a message and
/// `framesPerSecond` a second. Anything else, or a closing frame, closes the WebSocket: from then on it only waits for
/// its output to be written. Invariants: at most one `.closed`, and nothing after it; no more is kept of the input than one
/// message and one frame; whatever a browser does or fails to do, there is a deadline.
package final class WebSocket {
  package enum Event: Equatable, Sendable {
    case received(String)
    /// It is closed or about to be; nothing more may be sent to it.
    case closed
  }

  /// Octets of the longest message from a browser. This and the next three: `Docs/world-page.md`, "Who is admitted".
  static let longestMessage: UInt64 = 16_384
  /// Frames a browser may send in a second.
  static let framesPerSecond = 200
  /// Silence after which a browser is asked whether it is there.
  static let pingInterval = Duration.seconds(20)
  /// Silence after which a browser counts as gone.
  static let silenceLimit = Duration.seconds(60)
  /// Time in which a browser with something to read reads nothing, after which it counts as gone.
  static let stallLimit = Duration.seconds(30)
  /// Time between the last word and the end.
  static let endLimit = Duration.seconds(2)

  var output = WebOutput()
  private let context: wslay_event_context_ptr
  private let exchange = WebFrames()
  private var isOpen = true
  private var deadline: Duration
  private var lastReceived: Duration
  private var lastPing: Duration
  private var second: Int64 = 0

  /// - Parameter time: Since any fixed moment; never less later on.
  /// - Returns: `nil` if there is no memory.
  package init?(at time: Duration) {
    var context: wslay_event_context_ptr?
    var callbacks = WebFrames.callbacks
    let exchange = Unmanaged.passUnretained(exchange).toOpaque()
    guard wslay_event_context_server_init(&context, &callbacks, exchange) == 0, let context else {
      return nil
    }
    self.context = context
    deadline = time + Self.stallLimit
    (lastReceived, lastPing) = (time, time)
    wslay_event_config_set_max_recv_msg_length(context, Self.longestMessage)
  }

  deinit { wslay_event_context_free(context) }

  /// Whether all is said and written.
  var isDone: Bool { !isOpen && output.isEmpty }

  // MARK: Input

  package func received(_ octets: some Sequence<UInt8>, at time: Duration) -> [Event] {
    guard isOpen else { return [] }
    lastReceived = time
    if second != time.components.seconds {
      second = time.components.seconds
      exchange.framesInSecond = 0
    }
    exchange.input = Array(octets)[...]
    let result = wslay_event_recv(context)
    var events = exchange.messages.map { Event.received($0) }
    exchange.messages = []
    if result != 0 || wslay_event_get_read_enabled(context) == 0 {
      end(at: time)
      events.append(.closed)
    }
    takeFrames()
    return events
  }

  /// Ends it by the server's own will. The caller knows that it is closed.
  func close(code: UInt16, at time: Duration) {
    guard isOpen else { return }
    wslay_event_queue_close(context, code, nil, 0)
    end(at: time)
    takeFrames()
  }

  private func end(at time: Duration) {
    isOpen = false
    deadline = time + Self.endLimit
  }

  // MARK: Output

  func send(_ message: WebMessage) {
    if isOpen { output.append(message.frame) }
  }

  /// Some of what waited was written.
  func progressed(at time: Duration) {
    if isOpen { deadline = time + Self.stallLimit }
  }

  /// Drops what waits to be written.
  package func discardOutput() { output.removeAll() }

  /// Takes what wslay has to say itself: answers to pings, pings, the closing frame.
  private func takeFrames() {
    wslay_event_send(context)
    output.append(exchange.written)
    exchange.written = []
  }

  // MARK: Time

  /// Lets time pass.
  ///
  /// - Returns: Whether the connection may stay; if not, it is to be closed at once.
  package func timePassed(at time: Duration) -> Bool {
    guard isOpen else { return time < deadline }
    if output.isEmpty { deadline = time + Self.stallLimit }
    let isThere = time < deadline && time - lastReceived < Self.silenceLimit
    if isThere, time - max(lastReceived, lastPing) >= Self.pingInterval, output.isEmpty {
      lastPing = time
      var ping = wslay_event_msg()
      ping.opcode = UInt8(WSLAY_PING.rawValue)
      wslay_event_queue_msg(context, &ping)
      takeFrames()
    }
    return isThere
  }
}

/// What wslay's callbacks read and write.
private final class WebFrames {
  var input: ArraySlice<UInt8> = []
  var messages: [String] = []
  var written: [UInt8] = []
  var framesInSecond = 0
  /// Whether a frame was refused here: wslay still ends that frame before it stops.
  private var isRefused = false

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> WebFrames? {
    pointer.map { Unmanaged<WebFrames>.fromOpaque($0).takeUnretainedValue() }
  }

  static var callbacks: wslay_event_callbacks {
    var callbacks = wslay_event_callbacks()
    callbacks.recv_callback = { context, buffer, count, _, pointer in
      guard let exchange = WebFrames.of(pointer), let buffer, !exchange.input.isEmpty else {
        wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue)
        return -1
      }
      let piece = exchange.input.prefix(count)
      exchange.input.removeFirst(piece.count)
      _ = UnsafeMutableBufferPointer(start: buffer, count: piece.count).update(fromContentsOf: piece)
      return piece.count
    }
    callbacks.send_callback = { _, octets, count, _, pointer in
      WebFrames.of(pointer)?.written.append(contentsOf: UnsafeBufferPointer(start: octets, count: count))
      return count
    }
    callbacks.on_frame_recv_start_callback = { context, frame, pointer in
      guard let frame else { return }
      WebFrames.of(pointer)?.begin(frame.pointee, context)
    }
    callbacks.on_msg_recv_callback = { _, message, pointer in
      guard let message else { return }
      WebFrames.of(pointer)?.receive(message.pointee)
    }
    return callbacks
  }

  private func begin(_ frame: wslay_event_on_frame_recv_start_arg, _ context: wslay_event_context_ptr?) {
    framesInSecond += 1
    if UInt32(frame.opcode) == WSLAY_BINARY_FRAME.rawValue {
      refuse(WSLAY_CODE_UNSUPPORTED_DATA, context)
    } else if framesInSecond > WebSocket.framesPerSecond {
      refuse(WSLAY_CODE_POLICY_VIOLATION, context)
    }
  }

  private func refuse(_ code: wslay_status_code, _ context: wslay_event_context_ptr?) {
    isRefused = true
    wslay_event_shutdown_read(context)
    wslay_event_queue_close(context, UInt16(clamping: code.rawValue), nil, 0)
  }

  private func receive(_ message: wslay_event_on_msg_recv_arg) {
    guard UInt32(message.opcode) == WSLAY_TEXT_FRAME.rawValue, !isRefused else { return }
    messages.append(
      String(
        decoding: UnsafeBufferPointer(start: message.msg, count: message.msg_length), as: UTF8.self))
  }
}
