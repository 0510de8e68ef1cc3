import CNearbyNATS

/// Why a call of the NATS client failed.
package struct NATSFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Cause: Equatable, Sendable {
    /// The connection is lost or cannot be made, or the server does not answer.
    case unreachable
    /// The server refuses the user, or the call.
    case refused
    /// The server runs without JetStream.
    case noJetStream
    /// There is no such stream, consumer or value.
    case notFound
    case tooLarge
    case other
  }

  package let cause: Cause
  /// What was tried, such as `publish`.
  package let call: String
  /// The client's words.
  package let reason: String

  init(_ call: String, _ status: natsStatus, _ code: jsErrCode = jsErrCode(0)) {
    self.call = call
    cause = Self.cause(status, code)
    reason = natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
  }

  /// The server has lost the queue, which is made again.
  package static var lostQueue: NATSFailure { NATSFailure("use the queue", NATS_NO_SERVER) }

  private static func cause(_ status: natsStatus, _ code: jsErrCode) -> Cause {
    switch code {
    case JSNotEnabledErr, JSNotEnabledForAccountErr: return .noJetStream
    case JSStreamNotFoundErr, JSConsumerNotFoundErr, JSNoMessageFoundErr: return .notFound
    default: break
    }
    switch status {
    case NATS_IO_ERROR, NATS_CONNECTION_CLOSED, NATS_NO_SERVER, NATS_STALE_CONNECTION,
      NATS_CONNECTION_DISCONNECTED, NATS_TIMEOUT, NATS_NOT_YET_CONNECTED, NATS_INVALID_SUBSCRIPTION,
      NATS_MISSED_HEARTBEAT:
      return .unreachable
    case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED, NATS_SECURE_CONNECTION_WANTED,
      NATS_SECURE_CONNECTION_REQUIRED, NATS_SSL_ERROR:
      return .refused
    // A request to JetStream without anybody to answer it.
    case NATS_NO_RESPONDERS: return .noJetStream
    case NATS_NOT_FOUND: return .notFound
    case NATS_MAX_PAYLOAD: return .tooLarge
    default: return .other
    }
  }

  package var description: String {
    switch cause {
    case .unreachable: "can't \(call): no answer from the NATS server (\(reason))"
    case .refused: "can't \(call): the NATS server refuses it (\(reason))"
    case .noJetStream:
      "can't \(call): the NATS server has no JetStream; start it with 'nats-server --jetstream'"
    case .notFound, .tooLarge, .other: "can't \(call): \(reason)"
    }
  }
}
