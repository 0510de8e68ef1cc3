import CNearbyNATS
import NearbySchedule

/// A consumer from which messages are fetched, on a connection. Several processes that use one consumer share its
/// messages; one that is not acknowledged in time is delivered again, to any of them.
///
/// `@unchecked Sendable`: the client's subscription locks itself, and lives as long as this.
package final class PullQueue: @unchecked Sendable {
  private let subscription: OpaquePointer
  /// Must outlive the subscription.
  private let connection: NATSConnection

  /// Makes the consumer unless it exists.
  ///
  /// - Parameters:
  ///   - patience: Time after which a message that was not acknowledged is delivered again.
  ///   - most: Messages that may be unacknowledged at a time, of all processes together.
  package init(
    _ connection: NATSConnection, stream: String, consumer: String, subject: String, patience: Duration,
    most: Int = 100_000
  ) throws(NATSFailure) {
    var found: OpaquePointer?
    var code = jsErrCode(0)
    let status = stream.withCString { stream in
      var options = jsSubOptions()
      jsSubOptions_Init(&options)
      options.Stream = stream
      options.Config.AckPolicy = js_AckExplicit
      options.Config.AckWait = patience.inNanoseconds
      options.Config.MaxAckPending = Int64(most)
      return js_PullSubscribe(&found, connection.stream, subject, consumer, nil, &options, &code)
    }
    try NATSConnection.check(status, "use the queue", code)
    guard let found else { throw NATSFailure("use the queue", NATS_ERR) }
    subscription = found
    self.connection = connection
  }

  deinit { natsSubscription_Destroy(subscription) }

  /// Waits for messages.
  ///
  /// - Returns: As many as there are, at most `most`; none after `patience`.
  package func fetch(_ most: Int, within patience: Duration) throws(NATSFailure) -> [NATSMessage] {
    var list = natsMsgList(Msgs: nil, Count: 0)
    var code = jsErrCode(0)
    let milliseconds = max(1, patience.inMillisecondsRoundedUp)
    let status = natsSubscription_Fetch(&list, subscription, Int32(clamping: most), milliseconds, &code)
    if status == NATS_TIMEOUT { return [] }
    try NATSConnection.check(status, "fetch", code)
    defer { natsMsgList_Destroy(&list) }
    var messages: [NATSMessage] = []
    for index in 0..<Int(list.Count) {
      guard let message = list.Msgs[index] else { continue }
      // Taken from the list, which must not destroy it.
      list.Msgs[index] = nil
      messages.append(NATSMessage(message, connection))
    }
    return messages
  }
}

/// A message of a queue. Used by one thread at a time.
package final class NATSMessage {
  private let message: OpaquePointer
  private let connection: NATSConnection

  init(_ message: OpaquePointer, _ connection: NATSConnection) {
    self.message = message
    self.connection = connection
  }

  deinit { natsMsg_Destroy(message) }

  package var octets: [UInt8] {
    guard let data = natsMsg_GetData(message) else { return [] }
    let count = Int(natsMsg_GetDataLength(message))
    return data.withMemoryRebound(to: UInt8.self, capacity: count) {
      Array(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// The work is done: the message is not delivered again.
  package func acknowledge() throws(NATSFailure) {
    try NATSConnection.check(natsMsg_Ack(message, nil), "acknowledge")
  }

  /// The work takes longer: the time until the message is delivered again starts anew.
  package func extend() throws(NATSFailure) {
    try NATSConnection.check(natsMsg_InProgress(message, nil), "acknowledge")
  }

  /// Somebody else shall have the message, after a while.
  package func giveBack(after delay: Duration) throws(NATSFailure) {
    let milliseconds = delay.inMillisecondsRoundedUp
    try NATSConnection.check(natsMsg_NakWithDelay(message, milliseconds, nil), "give a job back")
  }
}
