import CNearbyNATS
import Synchronization

/// Messages by subject on a NATS server: whoever subscribes at that time receives them, and nobody keeps them.
///
/// The client connects in the background and again whenever the connection is lost, forever, with a random part in each
/// pause. Subscriptions last meanwhile. Any thread may call.
///
/// `@unchecked Sendable`: the client's connection locks itself, and lives as long as this.
package final class NATSBus: @unchecked Sendable {
  /// What happened to the connection.
  package enum Event: Equatable, Sendable {
    case connected
    /// With the client's words, if it has any.
    case disconnected(String)
    /// The server closed the connection for good; it is not made again.
    case closed(String)
    /// Messages of a subscription arrived faster than they were taken, and some were dropped.
    case dropped
  }

  /// A message as it arrived; belongs to the call that receives it.
  package struct Message: ~Copyable {
    package let subject: String
    package let reply: String?
    /// The message of the client; the octets are valid during the call that receives it.
    let handle: OpaquePointer
    /// Whether it is the server's notice, sent to the reply subject, that nobody subscribes to the subject.
    package let hasNoResponders: Bool
  }

  /// The longest time in which octets must leave, milliseconds.
  private static let writeMilliseconds: Int64 = 5000
  /// The octets that wait for a connection to come back.
  private static let waitingOctets: Int32 = 1 << 20

  private static let bufferOctets: Int32 = 256 << 10

  private let handle: OpaquePointer
  private let observer: NATSObserver

  /// Starts to connect.
  ///
  /// - Parameter observe: Called on a thread of the client.
  /// - Throws: A failure if the settings are invalid, such as a file that cannot be read; never because no server answers.
  package init(
    _ options: NATSConnection.Options, observe: @escaping @Sendable (Event) -> Void
  ) throws(NATSFailure) {
    let settings = try NATSConnection.makeSettings(options)
    defer { natsOptions_Destroy(settings) }
    let observer = NATSObserver(observe)
    try observer.attach(to: settings)
    try NATSConnection.check(natsOptions_SetWriteDeadline(settings, Self.writeMilliseconds), "connect")
    try NATSConnection.check(natsOptions_SetIOBufSize(settings, Self.bufferOctets), "connect")
    // Else a thread of the client sends a millisecond later.
    try NATSConnection.check(natsOptions_SetSendAsap(settings, true), "connect")
    try NATSConnection.check(natsOptions_SetReconnectBufSize(settings, Self.waitingOctets), "connect")
    var connection: OpaquePointer?
    let status = natsConnection_Connect(&connection, settings)
    if status != NATS_NOT_YET_CONNECTED {
      try NATSConnection.check(status, "connect to \(options.printableURL)")
      observe(.connected)
    }
    guard let connection else { throw NATSFailure("connect", NATS_ERR) }
    handle = connection
    self.observer = observer
  }

  deinit { natsConnection_Destroy(handle) }

  package var isConnected: Bool { natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED }

  /// Octets that one message may have; 0 before the first connection.
  package var largestMessage: Int { max(0, Int(natsConnection_GetMaxPayload(handle))) }

  /// Sends a message soon.
  ///
  /// - Parameter reply: The subject for answers, which also receives the notice that nobody subscribes to `subject`.
  /// - Throws: `.unreachable` if the connection is lost and too much waits for it, `.tooLarge`.
  package func publish(_ octets: [UInt8], to subject: String, reply: String? = nil) throws(NATSFailure) {
    let count = Int32(clamping: octets.count)
    let status =
      if let reply {
        natsConnection_PublishRequest(handle, subject, reply, octets, count)
      } else {
        natsConnection_Publish(handle, subject, octets, count)
      }
    try NATSConnection.check(status, "publish")
  }

  /// Sends a message soon that a stream keeps.
  ///
  /// - Parameters:
  ///   - id: The server drops a message whose identifier came in the last two minutes.
  ///   - reply: Receives the server's answer when the stream has the message; `nil` asks for none.
  package func publish(
    _ octets: [UInt8], to subject: String, id: String, reply: String?
  ) throws(NATSFailure) {
    var message: OpaquePointer?
    let data = octets.map { CChar(bitPattern: $0) }
    try NATSConnection.check(
      natsMsg_Create(&message, subject, reply, data, Int32(clamping: data.count)), "publish")
    defer { natsMsg_Destroy(message) }
    try NATSConnection.check(natsMsgHeader_Set(message, "Nats-Msg-Id", id), "publish")
    try NATSConnection.check(natsConnection_PublishMsg(handle, message), "publish")
  }

  /// Waits until everything that was published has left, at most for 5 s.
  package func flush() { natsConnection_FlushTimeout(handle, Self.writeMilliseconds) }

  /// Receives messages until the subscription is dropped.
  ///
  /// - Parameters:
  ///   - subject: May have wildcards (docs.nats.io, "Subject-Based Messaging").
  ///   - group: Each message goes to one subscriber of a group.
  ///   - waiting: Messages and octets that may wait for `receive`; further ones are dropped.
  ///   - receive: Called on a thread of the client, one message at a time.
  package func subscribe(
    _ subject: String, group: String? = nil, waiting: (messages: Int32, octets: Int32),
    _ receive: @escaping @Sendable (borrowing Message) -> Void
  ) throws(NATSFailure) -> NATSSubscription {
    let receiver = NATSReceiver(receive)
    var subscription: OpaquePointer?
    let status = receiver.subscribe(&subscription, handle, subject, group)
    try NATSConnection.check(status, "subscribe to \(subject)")
    guard let subscription else { throw NATSFailure("subscribe to \(subject)", NATS_ERR) }
    natsSubscription_SetPendingLimits(subscription, waiting.messages, waiting.octets)
    return NATSSubscription(subscription, self)
  }
}

/// A subscription; it ends with this.
///
/// `@unchecked Sendable`: the client's subscription locks itself, and lives as long as this.
package final class NATSSubscription: @unchecked Sendable {
  private let handle: OpaquePointer
  /// Must outlive the subscription.
  private let bus: NATSBus

  init(_ handle: OpaquePointer, _ bus: NATSBus) {
    self.handle = handle
    self.bus = bus
  }

  deinit {
    natsSubscription_Unsubscribe(handle)
    natsSubscription_Destroy(handle)
  }
}
