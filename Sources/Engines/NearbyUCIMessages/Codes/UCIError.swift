/// What is wrong with octets that should have been UCI.
///
/// `status` gives what a controller answers to a command that fails this way.
package enum UCIError: Error, Equatable, Sendable {
  /// A field needs more octets than are left.
  case truncated(UCIField, needed: Int, left: Int)
  /// Octets are left after the last field of a message.
  case leftover(UCIField, count: Int)
  /// A parameter whose value does not have one of the lengths its id asks for.
  case wrongLength(parameter: UInt8, found: Int)
  /// A parameter whose value its id does not allow.
  case outOfRange(parameter: UInt8)
  /// A field whose value says that octets of an unknown form follow.
  case unsupported(UCIField, value: UInt8)
  /// A message type that UCI does not know; the stream is searched for the next plausible octet.
  case implausible(octet: UInt8)
  /// A segment of one message came before the last segment of another; the earlier one is dropped.
  case interrupted(UCIMessageID)
  /// A segmented message grew past the bound; the whole of it is dropped.
  case tooLarge(UCIMessageID, maximum: Int)

  /// The status a controller answers with.
  package var status: UCIStatus {
    switch self {
    case .truncated(let field, _, _): field.isInList ? .syntaxError : .invalidMessageSize
    case .leftover, .tooLarge: .invalidMessageSize
    case .wrongLength: .invalidParameter
    case .outOfRange: .invalidRange
    case .implausible, .interrupted, .unsupported: .syntaxError
    }
  }
}

/// The fields errors name.
package enum UCIField: String, Equatable, Sendable {
  case header, payload
  case status, state, reason, count, token, sessionID, sessionType, handle, version, vendor
  case resetConfiguration, timestamp, maximum, sequence, transmissions, credit, repetition, control
  case listSize, action, remaining, destination, source, component, length, data
  case rcrIndicator, interval, rangingType, reserved, addressKind, primarySessionID, measurement
  case address, messageType, messageControl, location, countryCode, statistics
  // What follows a count: an overrun means that the count and the octets disagree.
  case parameterID, parameterLength, parameterValue, parameterStatus, roundIndex
  case controleeAddress, controleeSubSessionID, controleeKey, controleeStatus
  case role, responders, phaseEntry, frameReport

  /// Whether the field is part of a counted list.
  var isInList: Bool {
    switch self {
    case .parameterID, .parameterLength, .parameterValue, .parameterStatus, .roundIndex,
      .controleeAddress, .controleeSubSessionID, .controleeKey, .controleeStatus, .measurement, .role,
      .responders, .phaseEntry, .frameReport:
      true
    case .header, .payload, .status, .state, .reason, .count, .token, .sessionID, .sessionType, .handle,
      .version, .vendor, .resetConfiguration, .timestamp, .maximum, .sequence, .transmissions, .credit,
      .repetition, .control, .listSize, .action, .remaining, .destination, .source, .component, .length,
      .data, .rcrIndicator, .interval, .rangingType, .reserved, .addressKind, .primarySessionID,
      .address, .messageType, .messageControl, .location, .countryCode, .statistics:
      false
    }
  }
}
