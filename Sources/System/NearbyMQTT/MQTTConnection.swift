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
/// The client has a thread of its own, on which events are reported. It connects again by itself, forever: at first
/// after 1 or 2 s, then more and more slowly up to a minute, so that many clients do not come back at once. While an
/// event is handled, nothing more is read from the broker. Any thread may call.
///
/// `@unchecked Sendable`: the client locks itself, and the receiver of events does not change.
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
  private static let longestPause: UInt32 = 60

  private final class Receiver: Sendable {
    let report: @Sendable (MQTTEvent) -> Void
    let isVersion5: Bool
    let isConnected = Atomic(false)
    init(isVersion5: Bool, report: @escaping @Sendable (MQTTEvent) -> Void) {
      self.isVersion5 = isVersion5
      self.report = report
    }
  }

  private static let library: Void = { mosquitto_lib_init() }()

  private let handle: OpaquePointer
  private let receiver: Receiver
  private let isEnded = Atomic(false)

  /// Prepares a connection; `begin` makes it.
  ///
  /// - Parameter report: Called on the client's thread.
  package init(
    _ options: Options, report: @escaping @Sendable (MQTTEvent) -> Void
  ) throws(MQTTFailure) {
    _ = Self.library
    receiver = Receiver(isVersion5: options.usesVersion5, report: report)
    let context = Unmanaged.passUnretained(receiver).toOpaque()
    guard let handle = mosquitto_new(options.client, true, context) else {
      throw MQTTFailure("connect", status: MOSQ_ERR_NOMEM.rawValue)
    }
    self.handle = handle
    do throws(MQTTFailure) {
      try Self.configure(handle, options)
      let status = mosquitto_connect_async(handle, options.host, Int32(options.port), Self.keepAlive)
      // A broker that is not there yet is tried again.
      if status != MOSQ_ERR_SUCCESS.rawValue {
        let failure = MQTTFailure("connect to \(options.host):\(options.port)", status: status)
        guard failure.cause == .unreachable else { throw failure }
      }
    } catch {
      mosquitto_destroy(handle)
      throw error
    }
  }

  private static func configure(_ handle: OpaquePointer, _ options: Options) throws(MQTTFailure) {
    let version = options.usesVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version), "connect")
    try check(mosquitto_reconnect_delay_set(handle, .random(in: 1...2), longestPause, true), "connect")
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

  /// Starts the client's thread, which connects.
  package func begin() throws(MQTTFailure) { try Self.check(mosquitto_loop_start(handle), "connect") }

  /// Disconnects and waits for the client's thread to end. Must not be called from `report`.
  package func end() {
    guard isEnded.exchange(true, ordering: .sequentiallyConsistent) == false else { return }
    mosquitto_disconnect(handle)
    mosquitto_loop_stop(handle, false)
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
