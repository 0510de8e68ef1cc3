/// The pieces that several messages share, each with its writer (sections 2 and 3).
extension Span where Element == UInt8 {
  mutating func takeToken() throws(UCIError) -> UCISessionToken {
    UCISessionToken(try takeUInt32(.token))
  }

  mutating func takeStatus() throws(UCIError) -> UCIStatus {
    UCIStatus(rawValue: try takeUInt8(.status))
  }

  mutating func takeVersion() throws(UCIError) -> UCIVersion {
    let value = try takeUInt16(.version)
    let second = UInt8(truncatingIfNeeded: value >> 8)
    return UCIVersion(
      major: UInt8(truncatingIfNeeded: value), minor: second >> 4, maintenance: second & 0x0F)
  }

  /// count u8, count octets.
  mutating func takeCountedOctets(_ field: UCIField) throws(UCIError) -> [UInt8] {
    try takeOctets(Int(try takeUInt8(.count)), field)
  }

  /// count u8, count × (id u8, length u8, value).
  package mutating func takeTLVs() throws(UCIError) -> [UCITLV] {
    let count = Int(try takeUInt8(.count))
    try require(2 * count, .parameterID)
    var result: [UCITLV] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      let id = try takeUInt8(.parameterID)
      let length = Int(try takeUInt8(.parameterLength))
      result.append(UCITLV(id: id, value: try takeOctets(length, .parameterValue)))
    }
    return result
  }

  /// count u8, count × (id u8, status u8).
  mutating func takeParameterStatuses() throws(UCIError) -> [UCIParameterStatus] {
    let count = Int(try takeUInt8(.count))
    try require(2 * count, .parameterStatus)
    var result: [UCIParameterStatus] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      let id = try takeUInt8(.parameterID)
      result.append(UCIParameterStatus(id: id, status: UCIStatus(rawValue: try takeUInt8(.parameterStatus))))
    }
    return result
  }

  /// count u8, count × (address u16, in 1.x notifications sub-session id u32, status u8).
  mutating func takeControleeStatuses(withSubSessionID: Bool) throws(UCIError) -> [UCIControleeStatus] {
    let count = Int(try takeUInt8(.count))
    try require(count * (withSubSessionID ? 7 : 3), .controleeStatus)
    var result: [UCIControleeStatus] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      let address = try takeUInt16(.controleeAddress)
      let subSessionID = withSubSessionID ? try takeUInt32(.controleeSubSessionID) : nil
      let status = UCIMulticastStatus(rawValue: try takeUInt8(.controleeStatus))
      result.append(UCIControleeStatus(address: address, subSessionID: subSessionID, status: status))
    }
    return result
  }

  /// count u8, count × (address u16, sub-session id u32, key of the length the action says).
  mutating func takeControlees(_ action: UCIMulticastAction) throws(UCIError) -> [UCIControlee] {
    let count = Int(try takeUInt8(.count))
    try require(count * (6 + action.keyLength), .controleeAddress)
    var result: [UCIControlee] = []
    result.reserveCapacity(count)
    for _ in 0..<count {
      let address = try takeUInt16(.controleeAddress)
      let subSessionID = try takeUInt32(.controleeSubSessionID)
      let key = try takeOctets(action.keyLength, .controleeKey)
      result.append(UCIControlee(address: address, subSessionID: subSessionID, key: key))
    }
    return result
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

  /// Octets of the key in each entry: 0, 16 or 32.
  package var keyLength: Int {
    switch self {
    case .add, .delete, .unknown: 0
    case .addWithShortKey: 16
    case .addWithLongKey: 32
    }
  }
}

extension Array where Element == UInt8 {
  mutating func append(_ token: UCISessionToken) { append(littleEndian: token.rawValue) }

  mutating func append(_ version: UCIVersion) {
    append(version.major)
    append(version.minor << 4 | version.maintenance)
  }

  /// Appends a count and TLVs; more than 255 entries, and octets of a value past 255, are left out.
  package mutating func append(_ tlvs: [UCITLV]) {
    append(UInt8(clamping: tlvs.count))
    for tlv in tlvs.prefix(255) {
      append(tlv.id)
      append(counted: tlv.value)
    }
  }

  mutating func append(_ statuses: [UCIParameterStatus]) {
    append(UInt8(clamping: statuses.count))
    for entry in statuses.prefix(255) {
      append(entry.id)
      append(entry.status.rawValue)
    }
  }

  mutating func append(_ statuses: [UCIControleeStatus], withSubSessionID: Bool) {
    append(UInt8(clamping: statuses.count))
    for entry in statuses.prefix(255) {
      append(littleEndian: entry.address)
      if withSubSessionID { append(littleEndian: entry.subSessionID ?? 0) }
      append(entry.status.rawValue)
    }
  }

  /// Appends a count and controlees, each key cut or filled with zeros to the length the action says.
  mutating func append(_ controlees: [UCIControlee], _ action: UCIMulticastAction) {
    append(UInt8(clamping: controlees.count))
    for entry in controlees.prefix(255) {
      append(littleEndian: entry.address)
      append(littleEndian: entry.subSessionID)
      append(contentsOf: entry.key.prefix(action.keyLength))
      append(contentsOf: repeatElement(0, count: Swift.max(0, action.keyLength - entry.key.count)))
    }
  }
}
