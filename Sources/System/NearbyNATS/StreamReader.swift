import CNearbyNATS
import NearbySchedule

/// Reads a stream from a place on, in its order, each message once, without acknowledging: the reader remembers how far
/// it is. Used by one thread.
package final class StreamReader {
  /// A message with its place in the stream.
  package struct Message: Sendable {
    package let subject: String
    package let octets: [UInt8]
    /// Counts the stream's messages from 1.
    package let sequence: UInt64
    /// When the server stored it, Unix seconds.
    package let time: Double
  }

  /// Silence after which the server's end is taken for lost: it speaks at least twice as often.
  private static let heartbeat = Duration.milliseconds(500)
  /// Time after which a gap is believed: somebody has removed messages by hand.
  private static let longestGap = Duration.seconds(30)

  private let connection: NATSConnection
  private let stream: String
  private let subject: String
  private var subscription: OpaquePointer?
  private let replicas: Int
  private var reconnects: UInt64 = 0
  /// Since when messages do not follow the one before.
  private var gap: ContinuousClock.Instant?
  /// The first sequence that `next` has not returned.
  package private(set) var position: UInt64

  /// - Parameters:
  ///   - subject: Which messages; may have wildcards.
  ///   - position: The first sequence.
  ///   - replicas: Servers of a cluster that know what the reader has received, so that one of them goes on if another
  ///     dies.
  package init(
    _ connection: NATSConnection, stream: String, subject: String = ">", from position: UInt64,
    replicas: Int = 1
  ) {
    self.replicas = replicas
    self.connection = connection
    self.stream = stream
    self.subject = subject
    self.position = max(1, position)
  }

  deinit { close() }

  private func close() {
    if let subscription {
      natsSubscription_Unsubscribe(subscription)
      natsSubscription_Destroy(subscription)
    }
    subscription = nil
  }

  private func open() throws(NATSFailure) -> OpaquePointer {
    if reconnects != connection.reconnects { close() }
    if let subscription { return subscription }
    reconnects = connection.reconnects
    var found: OpaquePointer?
    var code = jsErrCode(0)
    let status = stream.withCString { stream in
      var options = jsSubOptions()
      jsSubOptions_Init(&options)
      options.Stream = stream
      options.Config.AckPolicy = js_AckNone
      options.Config.DeliverPolicy = js_DeliverByStartSequence
      options.Config.OptStartSeq = position
      options.Config.FlowControl = true
      options.Config.Heartbeat = Self.heartbeat.inNanoseconds
      options.Config.MemoryStorage = true
      options.Config.Replicas = Int64(replicas)
      return js_SubscribeSync(&found, connection.stream, subject, nil, &options, &code)
    }
    try NATSConnection.check(status, "read the stream \(stream)", code)
    guard let found else { throw NATSFailure("read the stream \(stream)", NATS_ERR) }
    natsSubscription_SetPendingLimits(found, 1 << 16, 256 << 20)
    subscription = found
    return found
  }

  /// Whether a message follows the one before. A server of a cluster that has just come back may not have all messages
  /// yet; those that were removed because of their age are missing for good.
  private func isNext(_ sequence: UInt64) throws(NATSFailure) -> Bool {
    guard sequence > position else { return true }
    let since = gap ?? .now
    gap = since
    guard ContinuousClock.now - since < Self.longestGap else { return true }
    return try connection.extent(of: stream).first > position
  }

  /// Waits for the next message.
  ///
  /// - Returns: `nil` after `patience`.
  /// - Throws: If the server can't be asked; the next call tries again from the same place.
  package func next(within patience: Duration) throws(NATSFailure) -> Message? {
    let subscription = try open()
    var message: OpaquePointer?
    let status = natsSubscription_NextMsg(&message, subscription, patience.inMillisecondsRoundedUp)
    if status == NATS_TIMEOUT { return nil }
    guard status == NATS_OK, let message else {
      close()
      throw NATSFailure("read the stream \(stream)", status)
    }
    defer { natsMsg_Destroy(message) }
    var facts: UnsafeMutablePointer<jsMsgMetaData>?
    guard natsMsg_GetMetaData(&facts, message) == NATS_OK, let facts else { return nil }
    defer { jsMsgMetaData_Destroy(facts) }
    let sequence = facts.pointee.Sequence.Stream
    // Another server that goes on may repeat some.
    guard sequence >= position else { return nil }
    guard try isNext(sequence) else {
      // Some were dropped on the way: they are read again.
      close()
      return nil
    }
    gap = nil
    position = sequence + 1
    let count = max(0, Int(natsMsg_GetDataLength(message)))
    return Message(
      subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
      octets: Array(UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: count)),
      sequence: sequence, time: Double(facts.pointee.Timestamp) / 1e9)
  }
}
