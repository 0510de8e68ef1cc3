/// Drives one controller: bring-up, sessions, data, recovery.
///
/// A pure machine: octets, requests and the time go in, actions come out.
package struct UCIHost: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Write these octets (one whole packet) to the link.
    case send([UInt8])
    /// Tell the owner.
    case report(Event)
    /// Call `timePassed(at:)` at this time, or later; replaces any wake asked for before.
    case wake(at: Duration)
  }

  /// What the owner hears. Sessions are named by the owner's session id, never by a handle.
  package enum Event: Equatable, Sendable {
    /// Reset, information and capabilities are done.
    case ready(UCIDeviceInfo, [UCITLV])
    /// Bring-up ended without an answer or with a refusal; `start` may be called again.
    case bringUpFailed(UCIHostFailure)
    case deviceState(UCIDeviceState)
    /// The controller said ERROR: every session is gone, bring-up begins again by itself.
    case recovering
    case sessionOpened(UInt32)
    case sessionFailed(UInt32, UCIHostFailure)
    case sessionState(UInt32, UCISessionState, UCIReason)
    case sessionClosed(UInt32)
    case measured(UInt32, UCISessionInfo)
    case controleesUpdated(UInt32, [UCIControleeStatus])
    case dataReceived(UInt32, source: UInt64, [UInt8])
    case dataSent(UInt32, sequence: UInt16, UCITransferStatus)
    /// Octets that no message fits; they were dropped, the stream goes on.
    case undecodable(UCIError)
    /// Anything else a controller said, vendors' messages among it.
    case other(UCIMessage)
  }

  package init() {}
}

/// Why something the host tried did not come about.
package enum UCIHostFailure: Error, Equatable, Sendable {
  /// Nothing came within 2 s, or the third send was answered by COMMAND_RETRY.
  case timedOut(group: UInt8, opcode: UInt8)
  case refused(group: UInt8, opcode: UInt8, UCIStatus, [UCIParameterStatus])
  /// The link closed, or the controller reset under the request.
  case lost
}
