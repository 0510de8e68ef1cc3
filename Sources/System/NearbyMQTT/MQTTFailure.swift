import CNearbyMQTT
import Foundation

/// Why a call of the MQTT client failed, or why the broker ended or refused a connection.
package struct MQTTFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Cause: Equatable, Sendable {
    /// There is no connection; the client tries again by itself.
    case unreachable
    /// The broker refuses the user, the client's name or the protocol version.
    case refused
    /// A certificate or key is wrong, or a file of them cannot be read.
    case security
    /// The text is no topic, or the message is too large.
    case badMessage
    case other
  }

  package let cause: Cause
  /// What was tried, such as `publish`.
  package let call: String
  /// The client's words.
  package let reason: String

  package init(_ cause: Cause, _ call: String, _ reason: String) {
    self.cause = cause
    self.call = call
    self.reason = reason
  }

  init(_ call: String, status: Int32, errno code: Int32 = errno) {
    self.call = call
    let status = mosq_err_t(status)
    cause =
      switch status {
      case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_EAI, MOSQ_ERR_KEEPALIVE, MOSQ_ERR_ERRNO:
        .unreachable
      case MOSQ_ERR_CONN_REFUSED, MOSQ_ERR_AUTH, MOSQ_ERR_ACL_DENIED: .refused
      case MOSQ_ERR_TLS: .security
      case MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_OVERSIZE_PACKET,
        MOSQ_ERR_QOS_NOT_SUPPORTED:
        .badMessage
      default: .other
      }
    reason =
      status == MOSQ_ERR_ERRNO
      ? String(cString: strerror(code))
      : mosquitto_strerror(status.rawValue).map { String(cString: $0) } ?? ""
  }

  /// The broker answered the connection with a code other than 0 (MQTT 3.1.1, table 3.1; MQTT 5, 3.2.2.2).
  init(refusal code: Int32, isVersion5: Bool) {
    call = "connect"
    let text = isVersion5 ? mosquitto_reason_string(code) : mosquitto_connack_string(code)
    reason = text.map { String(cString: $0) } ?? "code \(code)"
    // 3.1.1: 3 is "server unavailable"; MQTT 5: 0x88 unavailable, 0x89 busy, 0x97 quota.
    cause = [3, 0x88, 0x89, 0x97].contains(code) ? .unreachable : .refused
  }

  package var description: String {
    switch cause {
    case .unreachable: "can't \(call): no connection to the MQTT broker (\(reason))"
    case .refused: "can't \(call): the MQTT broker refuses it (\(reason))"
    case .security: "can't \(call): TLS failed (\(reason)); check the certificates and the broker's name"
    case .badMessage, .other: "can't \(call): \(reason)"
    }
  }
}
