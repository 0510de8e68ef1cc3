import CNearbyWSlay

/// One WebSocket of a browser, after its upgrade.
///
/// A machine without a socket or a clock: octets and the time go in; events and octets to write come out.
/// wslay parses and writes the frames. Input must be masked text in UTF-8, with at most `longestMessage`
/// octets per message and `framesPerSecond` frames per second. Anything else, or a close frame, closes the
/// WebSocket, which then only waits for its output to be written.
///
/// Invariants: at most one `.closed`, and no event after it; at most one message and one frame of input are
/// buffered; there is always a deadline, whatever the browser does.
package final class WebSocket {
  package enum Event: Equatable, Sendable {
    case received(String)
    /// The WebSocket is closed or about to close; nothing more may be sent.
    case closed
  }

  /// Maximum length of a message from a browser, octets. This and the next four limits: `Docs/world-page.md`,
  /// "Who is admitted".
  static let longestMessage: UInt64 = 16_384
  /// Maximum number of frames from a browser per second.
  static let framesPerSecond = 200
  /// Silence after which a ping is sent.
  static let pingInterval = Duration.seconds(20)
  /// Silence after which a browser counts as gone.
  static let silenceLimit = Duration.seconds(60)
  /// Time after which a browser that reads none of its pending output counts as gone.
  static let stallLimit = Duration.seconds(30)
  /// Time between the close frame and the end of the connection.
  static let endLimit = Duration.seconds(2)

  var output = WebOutput()
  private let context: wslay_event_context_ptr
  private let exchange = WebFrames()
  private var isOpen = true
  private var deadline: Duration
  private var lastReceived: Duration
  private var lastPing: Duration
  private var second: Int64 = 0

  /// - Parameter time: Time since any fixed moment; must not decrease in later calls.
  /// - Returns: `nil` if out of memory.
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

  /// Whether the WebSocket is closed and all of its output has been written.
  var isDone: Bool { !isOpen && output.isEmpty }

  // MARK: Input

  /// Parses octets from the browser and returns the resulting events.
  ///
  /// - Parameter time: As in `init(at:)`.
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

  /// Closes the WebSocket from the server's side, without a `.closed` event.
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

  /// Part of the output was written.
  func progressed(at time: Duration) {
    if isOpen { deadline = time + Self.stallLimit }
  }

  /// Drops all pending output.
  package func discardOutput() { output.removeAll() }

  /// Collects the frames that wslay itself sends: pongs, pings and the close frame.
  private func takeFrames() {
    wslay_event_send(context)
    output.append(exchange.written)
    exchange.written = []
  }

  // MARK: Time

  /// Handles the passing of time.
  ///
  /// - Returns: `false` if the connection must be closed at once.
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

/// State shared with wslay's callbacks.
private final class WebFrames {
  var input: ArraySlice<UInt8> = []
  var messages: [String] = []
  var written: [UInt8] = []
  var framesInSecond = 0
  /// Set once a frame was rejected. wslay still delivers that frame before it stops reading.
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
