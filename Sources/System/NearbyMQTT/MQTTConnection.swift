import CNearbyMQTT
import Foundation
import Synchronization

/// A message of MQTT.
package struct MQTTMessage: Equatable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// Whether the broker keeps it for later subscribers.
  package var isRetained: Bool
  /// Quality of service, 0 to 2.
  package var quality: UInt8

  package init(topic: String, payload: [UInt8], isRetained: Bool = false, quality: UInt8 = 0) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.quality = quality
  }
}

/// What happened on a connection.
package enum MQTTEvent: Sendable {
  /// The broker accepted the connection; subscriptions must be made again.
  case connected
  /// The broker refused the connection; the client tries again.
  case refused(MQTTFailure)
  /// The connection ended; the client tries again unless it was ended by this program.
  case disconnected(MQTTFailure?)
  case message(MQTTMessage)
  /// The broker has the published message with this number.
  case acknowledged(Int32)
}

/// A connection to an MQTT broker, by the client of the mosquitto project.
///
/// A thread of its own runs the client and reports events. It connects again forever, also after failures that the
/// client's own loop takes for final, such as a name that is unknown for a while: after half a second to a second at
/// first, then each time after twice as long, up to a minute, with a random part, so that many clients do not come back
/// at once. While an event is handled, nothing more is read from the broker. Any thread may call.
///
/// `@unchecked Sendable`: the client locks itself; `thread` is set once by `begin`; the rest is immutable or locks itself.
package final class MQTTConnection: @unchecked Sendable {
  /// Where and as whom to connect.
  package struct Options: Equatable, Sendable {
    package var host: String
    package var port: UInt16
    /// Unique among the broker's clients; a second client with the same one ends the first one's connection.
    package var client: String
    package var user: String?
    package var password: String?
    package var usesTLS = false
    /// PEM files: authorities to trust instead of the system's, and this client's certificate and key.
    package var authorities: String?
    package var certificate: String?
    package var key: String?
    /// MQTT 5 instead of 3.1.1.
    package var usesVersion5 = false
    /// What the broker publishes when this client is gone.
    package var will: MQTTMessage?

    package init(host: String, port: UInt16, client: String) {
      self.host = host
      self.port = port
      self.client = client
    }
  }

  /// Largest message that is sent, octets.
  package static let largestMessage = 1 << 20
  /// Seconds of silence after which the client asks whether the broker is still there.
  private static let keepAlive: Int32 = 15
  /// Seconds.
  private static let longestPause = 60.0
  /// Milliseconds for which the client waits for octets before it looks whether it shall end.
  private static let look: Int32 = 500

  private final class Receiver: Sendable {
    let report: @Sendable (MQTTEvent) -> Void
    let isVersion5: Bool
    let isConnected = Atomic(false)
    let isEnded = Atomic(false)
    init(isVersion5: Bool, report: @escaping @Sendable (MQTTEvent) -> Void) {
      self.isVersion5 = isVersion5
      self.report = report
    }
  }

  private static let library: Void = { mosquitto_lib_init() }()

  private let handle: OpaquePointer
  private let receiver: Receiver
  private let options: Options
  /// Whether `begin` was called.
  private let isBegun = Atomic(false)
  private let wakeUp = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// Prepares a connection; `begin` makes it.
  ///
  /// - Parameter report: Called on the connection's thread.
  package init(
    _ options: Options, report: @escaping @Sendable (MQTTEvent) -> Void
  ) throws(MQTTFailure) {
    _ = Self.library
    self.options = options
    receiver = Receiver(isVersion5: options.usesVersion5, report: report)
    let context = Unmanaged.passUnretained(receiver).toOpaque()
    guard let handle = mosquitto_new(options.client, true, context) else {
      throw MQTTFailure("connect", status: MOSQ_ERR_NOMEM.rawValue)
    }
    self.handle = handle
    do throws(MQTTFailure) {
      try Self.configure(handle, options)
    } catch {
      mosquitto_destroy(handle)
      throw error
    }
  }

  private static func configure(_ handle: OpaquePointer, _ options: Options) throws(MQTTFailure) {
    let version = options.usesVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version), "connect")
    // Else the system holds small messages back until earlier ones are acknowledged, for up to 40 ms.
    try check(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1), "connect")
    // The thread below runs the client; any thread may publish.
    try check(mosquitto_threaded_set(handle, true), "connect")
    if let user = options.user {
      try check(mosquitto_username_pw_set(handle, user, options.password), "connect as \(user)")
    }
    if options.usesTLS { try secure(handle, options) }
    if let will = options.will {
      try check(
        mosquitto_will_set(
          handle, will.topic, Int32(clamping: will.payload.count), will.payload, Int32(will.quality),
          will.isRetained), "set the last will")
    }
    mosquitto_connect_callback_set(handle) { _, context, code in
      guard let receiver = MQTTConnection.receiver(context) else { return }
      guard code == 0 else {
        return receiver.report(.refused(MQTTFailure(refusal: code, isVersion5: receiver.isVersion5)))
      }
      receiver.isConnected.store(true, ordering: .sequentiallyConsistent)
      receiver.report(.connected)
    }
    mosquitto_disconnect_callback_set(handle) { _, context, code in
      guard let receiver = MQTTConnection.receiver(context) else { return }
      receiver.isConnected.store(false, ordering: .sequentiallyConsistent)
      receiver.report(.disconnected(code == 0 ? nil : MQTTFailure("stay connected", status: code)))
    }
    mosquitto_publish_callback_set(handle) { _, context, number in
      MQTTConnection.receiver(context)?.report(.acknowledged(number))
    }
    mosquitto_message_callback_set(handle) { _, context, message in
      guard let receiver = MQTTConnection.receiver(context), let message = message?.pointee,
        let topic = message.topic
      else { return }
      let octets = UnsafeRawBufferPointer(
        start: message.payload, count: message.payload == nil ? 0 : Int(max(0, message.payloadlen)))
      receiver.report(
        .message(
          MQTTMessage(
            topic: String(cString: topic), payload: [UInt8](octets), isRetained: message.retain,
            quality: UInt8(clamping: message.qos))))
    }
  }

  private static func secure(_ handle: OpaquePointer, _ options: Options) throws(MQTTFailure) {
    for file in [options.authorities, options.certificate, options.key].compactMap({ $0 })
    where !FileManager.default.isReadableFile(atPath: file) {
      throw MQTTFailure(.security, "read \(file)", "no such file, or not readable")
    }
    let authorities = options.authorities
    let status = mosquitto_tls_set(
      handle, authorities, authorities == nil ? "/etc/ssl/certs" : nil, options.certificate, options.key, nil)
    guard status == MOSQ_ERR_SUCCESS.rawValue else {
      throw MQTTFailure(.security, "use the certificates", MQTTFailure("", status: status).reason)
    }
    try check(mosquitto_tls_opts_set(handle, 1, nil, nil), "use TLS")
  }

  private static func receiver(_ context: UnsafeMutableRawPointer?) -> Receiver? {
    context.map { Unmanaged<Receiver>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func check(_ status: Int32, _ call: String) throws(MQTTFailure) {
    guard status == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTFailure(call, status: status) }
  }

  deinit {
    end()
    mosquitto_destroy(handle)
  }

  /// Starts the thread, which connects. Call it once.
  package func begin() {
    guard !isBegun.exchange(true, ordering: .sequentiallyConsistent) else { return }
    let run = Run(
      handle: handle, options: options, receiver: receiver, wakeUp: wakeUp, done: done)
    Thread { run.loop() }.start()
  }

  /// Disconnects and waits for the thread to end. Must not be called from `report`.
  package func end() {
    guard !receiver.isEnded.exchange(true, ordering: .sequentiallyConsistent) else { return }
    mosquitto_disconnect(handle)
    wakeUp.signal()
    if isBegun.load(ordering: .sequentiallyConsistent) { done.wait() }
  }

  /// The thread's work.
  ///
  /// `@unchecked Sendable`: only the thread uses it; the client behind the handle outlives the thread, because `deinit`
  /// waits for it.
  private struct Run: @unchecked Sendable {
    let handle: OpaquePointer
    let options: Options
    let receiver: Receiver
    let wakeUp: DispatchSemaphore
    let done: DispatchSemaphore

    private var isEnded: Bool { receiver.isEnded.load(ordering: .sequentiallyConsistent) }

    func loop() {
      var pause = 1.0
      var status = mosquitto_connect_async(handle, options.host, Int32(options.port), keepAlive)
      while !isEnded {
        if status == MOSQ_ERR_SUCCESS.rawValue { status = serve(&pause) }
        if isEnded { break }
        let failure = MQTTFailure("connect to \(options.host):\(options.port)", status: status)
        if failure.cause == .security { receiver.report(.refused(failure)) }
        _ = wakeUp.wait(timeout: .now() + pause * .random(in: 0.5...1))
        pause = min(2 * pause, longestPause)
        if !isEnded { status = mosquitto_reconnect_async(handle) }
      }
      done.signal()
    }

    /// Runs the client until the connection ends.
    private func serve(_ pause: inout Double) -> Int32 {
      while true {
        let status = mosquitto_loop(handle, look, 1)
        if receiver.isConnected.load(ordering: .sequentiallyConsistent) { pause = 1 }
        guard status == MOSQ_ERR_SUCCESS.rawValue else { return status }
      }
    }
  }

  package var isConnected: Bool { receiver.isConnected.load(ordering: .sequentiallyConsistent) }

  /// Subscribes to a pattern of topics. A connection that was lost needs it again.
  package func subscribe(_ pattern: String, quality: UInt8) throws(MQTTFailure) {
    try Self.check(mosquitto_subscribe(handle, nil, pattern, Int32(quality)), "subscribe to \(pattern)")
  }

  /// Sends a message. Without a connection it fails: the client would keep any number of messages in memory.
  ///
  /// - Returns: The number by which the message is acknowledged; also messages of quality 0, once they are sent.
  @discardableResult
  package func publish(_ message: MQTTMessage) throws(MQTTFailure) -> Int32 {
    guard isConnected else { throw MQTTFailure("publish", status: MOSQ_ERR_NO_CONN.rawValue) }
    guard message.payload.count <= Self.largestMessage else {
      throw MQTTFailure("publish", status: MOSQ_ERR_PAYLOAD_SIZE.rawValue)
    }
    var number: Int32 = 0
    let status = mosquitto_publish(
      handle, &number, message.topic, Int32(clamping: message.payload.count), message.payload,
      Int32(message.quality), message.isRetained)
    try Self.check(status, "publish to \(message.topic)")
    return number
  }
}
