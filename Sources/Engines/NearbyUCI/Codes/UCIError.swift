/// Why octets could not be parsed as UCI.
///
/// `status` is the status code with which a controller answers a command that fails this way.
package enum UCIError: Error, Equatable, Sendable {
  /// A field needs more octets than remain.
  case truncated(UCIField, needed: Int, left: Int)
  /// Octets remain after the last field of a message.
  case leftover(UCIField, count: Int)
  /// The value's length is not one of those that the parameter's id allows.
  case wrongLength(parameter: UInt8, found: Int)
  /// The value is outside the range that the parameter's id allows.
  case outOfRange(parameter: UInt8)
  /// The field's value announces octets whose layout is unknown, so parsing cannot continue.
  case unsupported(UCIField, value: UInt8)
  /// UCI defines no such message type. The reassembler skips ahead to the next octet that can start a
  /// packet.
  case implausible(octet: UInt8)
  /// A segment of another message arrived before this message's last segment. This message is dropped.
  case interrupted(UCIMessageID)
  /// A segmented message exceeded the size limit. All of its segments are dropped.
  case tooLarge(UCIMessageID, maximum: Int)

  /// The status with which a controller answers a command that could not be parsed.
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

/// The fields that errors refer to.
package enum UCIField: String, Equatable, Sendable {
  case header, payload
  case status, state, reason, count, token, sessionID, sessionType, handle, version, vendor
  case resetConfiguration, timestamp, maximum, sequence, transmissions, credit, repetition, control
  case listSize, action, remaining, destination, source, component, length, data
  case rcrIndicator, interval, rangingType, reserved, addressKind, primarySessionID, measurement
  case address, messageType, messageControl, location, countryCode, statistics
  // Elements of counted lists. If one of these is truncated, the count and the octets disagree.
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
