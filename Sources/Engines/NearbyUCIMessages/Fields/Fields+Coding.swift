import NearbyOctets

/// Parsers for the fields that several messages share.
extension UCICursor {
  mutating func takeToken() throws(UCIError) -> UCISessionToken {
    UCISessionToken(try takeUInt32(.token))
  }

  mutating func takeStatus() throws(UCIError) -> UCIStatus {
    UCIStatus(rawValue: try takeUInt8(.status))
  }

  mutating func takeVersion() throws(UCIError) -> UCIVersion {
    try require(2, .version)
    let major = try takeUInt8(.version)
    let second = try takeUInt8(.version)
    return UCIVersion(major: major, minor: second >> 4, maintenance: second & 0x0F)
  }

  mutating func takeAddress(isExtended: Bool, _ field: UCIField) throws(UCIError) -> UCIAddress {
    isExtended ? .extended(try takeUInt64(field)) : .short(try takeUInt16(field))
  }

  /// Layout: count u8, then `count` octets.
  mutating func takeCountedOctets(_ field: UCIField) throws(UCIError) -> [UInt8] {
    try takeOctets(Int(try takeUInt8(.count)), field)
  }

  /// Layout: count u8, then `count` × (id u8, length u8, value).
  package mutating func takeTLVs() throws(UCIError) -> [UCITLV] {
    try takeList(atLeast: 2, .parameterID) { (input) throws(UCIError) in try input.takeTLV() }
  }

  /// Layout: (id u8, length u8, value) up to the end.
  mutating func takeAllTLVs() throws(UCIError) -> [UCITLV] {
    var tlvs: [UCITLV] = []
    while !isEmpty { tlvs.append(try takeTLV()) }
    return tlvs
  }

  private mutating func takeTLV() throws(UCIError) -> UCITLV {
    let id = try takeUInt8(.parameterID)
    let length = Int(try takeUInt8(.parameterLength))
    return UCITLV(id: id, value: try takeOctets(length, .parameterValue))
  }

  /// Layout: count u8, then `count` × (id u8, status u8).
  mutating func takeParameterStatuses() throws(UCIError) -> [UCIParameterStatus] {
    try takeList(atLeast: 2, .parameterStatus) { (input) throws(UCIError) in
      UCIParameterStatus(
        id: try input.takeUInt8(.parameterID),
        status: UCIStatus(rawValue: try input.takeUInt8(.parameterStatus)))
    }
  }
}

extension Array where Element == UInt8 {
  mutating func append(_ token: UCISessionToken) { append(littleEndian: token.rawValue) }

  mutating func append(_ version: UCIVersion) {
    append(version.major)
    append(version.minor << 4 | version.maintenance)
  }

  /// Appends an address in 2 or 8 octets, truncated or zero-extended if necessary.
  mutating func append(_ address: UCIAddress, isExtended: Bool) {
    append(address.zeroExtended, octets: isExtended ? 8 : 2)
  }

  /// Appends a count and the TLVs. Entries past 255 are left out, and so are a value's octets past 255.
  package mutating func append(_ tlvs: [UCITLV]) {
    append(list: tlvs) { $0.append(tlv: $1) }
  }

  mutating func append(tlv: UCITLV) {
    append(tlv.id)
    append(counted: tlv.value)
  }

  mutating func append(_ statuses: [UCIParameterStatus]) {
    append(list: statuses) {
      $0.append($1.id)
      $0.append($1.status.rawValue)
    }
  }
}
