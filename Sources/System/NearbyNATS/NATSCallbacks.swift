import CNearbyNATS

/// Receives the C client's calls about a connection.
final class NATSObserver: Sendable {
  private let observe: @Sendable (NATSBus.Event) -> Void

  init(_ observe: @escaping @Sendable (NATSBus.Event) -> Void) { self.observe = observe }

  /// Sets the calls.
  func attach(to settings: OpaquePointer?) throws(NATSFailure) {
    // Retained for as long as the program runs: there are few connections, and the client's threads may outlast them.
    let own = Unmanaged.passRetained(self).toOpaque()
    let connected: natsConnectionHandler = { _, own in NATSObserver.of(own)?.observe(.connected) }
    let disconnected: natsConnectionHandler = { connection, own in
      NATSObserver.of(own)?.observe(.disconnected(NATSObserver.reason(connection)))
    }
    let closed: natsConnectionHandler = { connection, own in
      NATSObserver.of(own)?.observe(.closed(NATSObserver.reason(connection)))
    }
    let failed: natsErrHandler = { _, _, status, own in
      if status == NATS_SLOW_CONSUMER { NATSObserver.of(own)?.observe(.dropped) }
    }
    try NATSConnection.check(
      natsOptions_SetRetryOnFailedConnect(settings, true, connected, own), "connect")
    try NATSConnection.check(natsOptions_SetReconnectedCB(settings, connected, own), "connect")
    try NATSConnection.check(natsOptions_SetDisconnectedCB(settings, disconnected, own), "connect")
    try NATSConnection.check(natsOptions_SetClosedCB(settings, closed, own), "connect")
    try NATSConnection.check(natsOptions_SetErrorHandler(settings, failed, own), "connect")
  }

  private static func of(_ own: UnsafeMutableRawPointer?) -> NATSObserver? {
    own.map { Unmanaged<NATSObserver>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func reason(_ connection: OpaquePointer?) -> String {
    var text: UnsafePointer<CChar>?
    let status = natsConnection_GetLastError(connection, &text)
    if let text, text.pointee != 0 { return String(cString: text) }
    guard status != NATS_OK, let words = natsStatus_GetText(status) else { return "connection lost" }
    return String(cString: words)
  }
}

/// Receives a subscription's messages from the C client, which releases it when the subscription has ended.
final class NATSReceiver: Sendable {
  private let receive: @Sendable (borrowing NATSBus.Message) -> Void

  init(_ receive: @escaping @Sendable (borrowing NATSBus.Message) -> Void) { self.receive = receive }

  func subscribe(
    _ subscription: inout OpaquePointer?, _ connection: OpaquePointer, _ subject: String, _ group: String?
  ) -> natsStatus {
    let own = Unmanaged.passRetained(self)
    let handler: natsMsgHandler = { _, _, message, own in
      defer { natsMsg_Destroy(message) }
      guard let own, let message else { return }
      Unmanaged<NATSReceiver>.fromOpaque(own).takeUnretainedValue().receive(NATSBus.Message(message))
    }
    let status =
      if let group {
        natsConnection_QueueSubscribe(
          &subscription, connection, subject, group, handler, own.toOpaque())
      } else {
        natsConnection_Subscribe(&subscription, connection, subject, handler, own.toOpaque())
      }
    guard status == NATS_OK else {
      own.release()
      return status
    }
    natsSubscription_SetOnCompleteCB(
      subscription, { own in if let own { Unmanaged<NATSReceiver>.fromOpaque(own).release() } },
      own.toOpaque())
    return status
  }
}

extension NATSBus.Message {
  init(_ message: OpaquePointer) {
    subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
    reply = natsMsg_GetReply(message).map { String(cString: $0) }
    hasNoResponders = natsMsg_IsNoResponders(message)
    handle = message
  }

  /// Calls with the octets where the client has them.
  package func withOctets<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let count = max(0, Int(natsMsg_GetDataLength(handle)))
    return body(UnsafeRawBufferPointer(start: natsMsg_GetData(handle), count: count))
  }

  package var octets: [UInt8] { withOctets { Array($0) } }
}
