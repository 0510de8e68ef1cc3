import NearbyOctets

/// The parts of frames, each in the order of its table in `Docs/peer-protocol.md`.
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

  /// All ones say that the size is not known; Int.max bounds the others.
  mutating func takeSize() throws(PeerLinkError) -> UInt64? {
    let start = offset
    let value = try takeUInt64(.size)
    if value == .max { return nil }
    guard value <= UInt64(Int.max) else {
      throw .octets(.size, at: start, .outOfRange(found: value, expected: 0...UInt64(Int.max)))
    }
    return value
  }

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
  /// Members past 65 535 are left out; no session has them.
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
