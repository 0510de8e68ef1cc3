/// What an owner wants of a session.
package struct UCISessionRequest: Hashable, Sendable {
  /// The owner's own name for the session, and the session id on the wire.
  package var sessionID: UInt32
  package var type: UCISessionType
  /// In any order; the host sends them in the order chips need.
  package var parameters: [UCIAppParameter]
  /// Whether ranging starts as soon as the session is configured.
  package var startsRanging: Bool

  package init(
    sessionID: UInt32, type: UCISessionType = .ranging, parameters: [UCIAppParameter],
    startsRanging: Bool = true
  ) {
    self.sessionID = sessionID
    self.type = type
    self.parameters = parameters
    self.startsRanging = startsRanging
  }

  /// The parameters in SET_APP_CONFIG commands of one packet each.
  ///
  /// Chips that read in order need the address mode and the number of controlees before the addresses.
  /// DEVICE_ROLE is mandatory and goes last, so that no chip turns IDLE, and refuses, before the last part.
  static func configuration(of parameters: [UCIAppParameter]) -> [[UCITLV]] {
    func rank(_ parameter: UCIAppParameter) -> Int {
      switch parameter {
      case .macAddressMode: 0
      case .numberOfControlees: 1
      case .deviceRole: 3
      default: 2
      }
    }
    let ordered = parameters.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    var parts: [[UCITLV]] = [[]]
    // The token and the count come first.
    let head = 5
    var size = head
    for (_, parameter) in ordered {
      let tlv = parameter.tlv
      // Id, length, value.
      let length = 2 + tlv.value.count
      if size + length > UCISegmenter.controlPayload, parts[parts.count - 1].isEmpty == false {
        parts.append([])
        size = head
      }
      parts[parts.count - 1].append(tlv)
      size += length
    }
    return parts
  }
}
