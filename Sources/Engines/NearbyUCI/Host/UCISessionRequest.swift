/// A request to open a session.
package struct UCISessionRequest: Hashable, Sendable {
  /// Identifies the session to its owner; also the session id on the wire.
  package var sessionID: UInt32
  package var type: UCISessionType
  /// The parameters in any order. The host sends them in the order that chips need.
  package var parameters: [UCIAppParameter]
  /// Whether ranging starts as soon as the session is configured.
  package var startsRanging: Bool
  /// The rounds that a DL-TDoA tag listens to, sent before ranging starts; empty for other sessions.
  package var tagRounds: [UInt8] = []
  /// The rounds of a DL-TDoA anchor, likewise.
  package var anchorRounds: [UCIAnchorRound] = []

  package init(
    sessionID: UInt32, type: UCISessionType = .ranging, parameters: [UCIAppParameter],
    startsRanging: Bool = true
  ) {
    self.sessionID = sessionID
    self.type = type
    self.parameters = parameters
    self.startsRanging = startsRanging
  }

  /// Divides the parameters into SET_APP_CONFIG commands of one packet each.
  ///
  /// Chips that process parameters in order need the address mode and the number of controlees before the
  /// addresses. DEVICE_ROLE is mandatory and goes last: a chip that becomes IDLE as soon as the mandatory
  /// parameters are set might otherwise reject the remaining parts.
  package static func configuration(of parameters: [UCIAppParameter]) -> [[UCITLV]] {
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
    // The token (4 octets) and the count (1 octet) precede the parameters.
    let head = 5
    var size = head
    for (_, parameter) in ordered {
      let tlv = parameter.tlv
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
