import NearbyOctets

/// hello, with sizes in octets: `PLNK` (4) | version (2) | name (text) | contact (octets).
extension Hello {
  init(_ reader: inout PeerCursor) throws(PeerLinkError) {
    for expected in Self.magic { _ = try reader.takeUInt8(.magic, in: expected...expected) }
    let start = reader.offset
    let version = try reader.takeUInt16(.version)
    guard version == Self.version else {
      let known = UInt64(Self.version)
      throw .octets(.version, at: start, .outOfRange(found: UInt64(version), expected: known...known))
    }
    displayName = try reader.takeDisplayName()
    contact = try reader.takeCounted(.contact, maximum: Self.maximumContact)
  }

  func write(to octets: inout [UInt8]) {
    octets.append(contentsOf: Self.magic)
    octets.append(littleEndian: Self.version)
    octets.append(counted: displayName.text.utf8)
    octets.append(counted: contact)
  }
}

/// invite, with sizes in octets:
///
///     number (8) | session (16) | preference (1) | timeout in ms (4) | service type (text)
///     0 or 1 (1) | context to the end, if 1
extension Invite {
  init(_ reader: inout PeerCursor) throws(PeerLinkError) {
    number = try reader.takeUInt64(.invitation)
    session = try reader.takeSessionID()
    preference = try reader.takePreference()
    timeoutMilliseconds = try reader.takeUInt32(.timeout)
    serviceType = try ServiceType(reader.takeText(.serviceType, maximum: ServiceType.maximumOctets))
    let hasContext = try reader.takeUInt8(.context, in: 0...1)
    context = hasContext == 1 ? reader.takeRest() : nil
  }

  func write(to octets: inout [UInt8]) {
    octets.append(littleEndian: number)
    octets.append(session)
    octets.append(preference.rawValue)
    octets.append(littleEndian: timeoutMilliseconds)
    octets.append(counted: serviceType.text.utf8)
    octets.append(context == nil ? 0 : 1)
    octets.append(contentsOf: context ?? [])
  }
}

/// join, with sizes in octets:
///
///     session asked (16) | session asking (16) | preference (1) | connection or 0 (8)
extension Join {
  init(_ reader: inout PeerCursor) throws(PeerLinkError) {
    target = try reader.takeSessionID()
    session = try reader.takeSessionID()
    preference = try reader.takePreference()
    connection = try reader.takeUInt64(.connection)
  }

  func write(to octets: inout [UInt8]) {
    octets.append(target)
    octets.append(session)
    octets.append(preference.rawValue)
    octets.append(littleEndian: connection)
  }
}

/// use, with sizes in octets: connection (8) | generation (4) | resumes at (8) | received (8).
extension LinkChoice {
  init(_ reader: inout PeerCursor) throws(PeerLinkError) {
    connection = try reader.takeUInt64(.connection)
    generation = try reader.takeUInt32(.generation)
    resumesAt = try reader.takeUInt64(.offset)
    received = try reader.takeUInt64(.offset)
  }

  func write(to octets: inout [UInt8]) {
    octets.append(littleEndian: connection)
    octets.append(littleEndian: generation)
    octets.append(littleEndian: resumesAt)
    octets.append(littleEndian: received)
  }
}

extension PeerCursor {
  mutating func takePreference() throws(PeerLinkError) -> EncryptionPreference {
    let start = offset
    let value = try takeUInt8(.preference)
    guard let preference = EncryptionPreference(rawValue: value) else {
      throw .octets(.preference, at: start, .outOfRange(found: UInt64(value), expected: 0...2))
    }
    return preference
  }

  mutating func takeReason() throws(PeerLinkError) -> PeerReason {
    let start = offset
    let value = try takeUInt8(.reason)
    guard let reason = PeerReason(rawValue: value) else {
      let known = UInt64(1)...UInt64(PeerReason.allCases.count)
      throw .octets(.reason, at: start, .outOfRange(found: UInt64(value), expected: known))
    }
    return reason
  }

  /// Reads a size of a resource. All ones mean that it is unknown; other values must fit `Int`.
  mutating func takeSize() throws(PeerLinkError) -> UInt64? {
    let start = offset
    let value = try takeUInt64(.size)
    if value == .max { return nil }
    guard value <= UInt64(Int.max) else {
      throw .octets(.size, at: start, .outOfRange(found: value, expected: 0...UInt64(Int.max)))
    }
    return value
  }

  /// Reads members, with sizes in octets:
  ///
  ///     count (2), then each: identity (32) | session (16) | name (text) | contact (octets)
  mutating func takeMembers() throws(PeerLinkError) -> [IntroducedMember] {
    let count = try takeUInt16(.count)
    var members: [IntroducedMember] = []
    for _ in 0..<count {
      let identity = try takeIdentity()
      let session = try takeSessionID()
      let name = try takeDisplayName()
      let contact = try takeCounted(.contact, maximum: Hello.maximumContact)
      members.append(
        IntroducedMember(
          peer: PeerID(identity: identity, displayName: name), session: session, contact: contact))
    }
    return members
  }
}

extension Array where Element == UInt8 {
  /// Appends at most 65 535 members, more than any session has.
  mutating func append(_ members: [IntroducedMember]) {
    let told = members.prefix(Int(UInt16.max))
    append(littleEndian: UInt16(told.count))
    for member in told {
      append(contentsOf: member.peer.identity.octets)
      append(member.session)
      append(counted: member.peer.displayName.text.utf8)
      append(counted: member.contact)
    }
  }
}
