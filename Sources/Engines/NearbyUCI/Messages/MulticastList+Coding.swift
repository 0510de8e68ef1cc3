import NearbyOctets

/// Parsers for the lists in a multicast list update, its response and its notification.
extension UCICursor {
  /// Layout: count u8, then `count` × (address u16, status u8). In the 1.x notification a sub-session id
  /// (u32) precedes the status.
  mutating func takeControleeStatuses(withSubSessionID: Bool) throws(UCIError) -> [UCIControleeStatus] {
    try takeList(atLeast: withSubSessionID ? 7 : 3, .controleeStatus) { (input) throws(UCIError) in
      UCIControleeStatus(
        address: try input.takeUInt16(.controleeAddress),
        subSessionID: withSubSessionID ? try input.takeUInt32(.controleeSubSessionID) : nil,
        status: UCIMulticastStatus(rawValue: try input.takeUInt8(.controleeStatus)))
    }
  }

  /// Layout: count u8, then `count` × (address u16, sub-session id u32, key). The action determines the
  /// key's length.
  mutating func takeControlees(_ action: UCIMulticastAction) throws(UCIError) -> [UCIControlee] {
    try takeList(atLeast: 6 + action.keyLength, .controleeAddress) { (input) throws(UCIError) in
      UCIControlee(
        address: try input.takeUInt16(.controleeAddress),
        subSessionID: try input.takeUInt32(.controleeSubSessionID),
        key: try input.takeOctets(action.keyLength, .controleeKey))
    }
  }
}

extension UCIMulticastAction {
  package init(rawValue: UInt8) {
    switch rawValue {
    case 0: self = .add
    case 1: self = .delete
    case 2: self = .addWithShortKey
    case 3: self = .addWithLongKey
    default: self = .unknown(rawValue)
    }
  }

  package var rawValue: UInt8 {
    switch self {
    case .add: 0
    case .delete: 1
    case .addWithShortKey: 2
    case .addWithLongKey: 3
    case .unknown(let value): value
    }
  }

  /// The length of the key in each entry: 0, 16 or 32 octets.
  package var keyLength: Int {
    switch self {
    case .add, .delete, .unknown: 0
    case .addWithShortKey: 16
    case .addWithLongKey: 32
    }
  }
}

extension Array where Element == UInt8 {
  mutating func append(_ statuses: [UCIControleeStatus], withSubSessionID: Bool) {
    append(list: statuses) {
      $0.append(littleEndian: $1.address)
      if withSubSessionID { $0.append(littleEndian: $1.subSessionID ?? 0) }
      $0.append($1.status.rawValue)
    }
  }

  /// Appends a count and the controlees. Keys are truncated or zero-padded to the action's key length.
  mutating func append(_ controlees: [UCIControlee], _ action: UCIMulticastAction) {
    append(list: controlees) {
      $0.append(littleEndian: $1.address)
      $0.append(littleEndian: $1.subSessionID)
      $0.append($1.key, filledTo: action.keyLength)
    }
  }
}
