import NearbyOctets

/// Parses and writes the sub-elements of an advertisement.
///
/// ```
/// size   field
/// 1      type in the high 4 bits, length in the low 4; a low half of F adds the next octet, and FF there the one after
/// n      type 5, UWB configuration: profile 02, configuration 00, then parameters (id, length, value);
///        parameter 9F is the session id and mandatory
///        type B, time synchronisation: see `AnchorTimeSync`
/// ```
///
/// Other types are skipped.
extension AnchorNetworkAdvertisement {
  private static let configurationType: UInt8 = 5
  private static let timeSyncType: UInt8 = 11
  private static let sessionID: UInt8 = 0x9F
  private static let configurationHead: [UInt8] = [2, 0]

  /// Parses a whole advertisement: the service data of one part, two parts joined, or a vendor element's octets behind
  /// its organization identifier.
  ///
  /// - Throws: `truncated`; `wrongLength` for a session id that does not have 4 octets; `unsupported` for another
  ///   profile; `leftover` if no session id was found.
  package init(octets: [UInt8]) throws(UCIError) {
    var input = UCICursor(octets.span)
    var session: UInt32?
    var parameters: [UCITLV] = []
    var timeSync: AnchorTimeSync?
    while !input.isEmpty {
      let head = try input.takeUInt8(.parameterID)
      let body = try input.takeOctets(try Self.takeLength(head & 0x0F, &input), .parameterValue)
      var element = UCICursor(body.span)
      switch head >> 4 {
      case Self.configurationType:
        let profile = try element.takeUInt8(.version)
        guard profile == 2 else { throw .unsupported(.version, value: profile) }
        _ = try element.takeUInt8(.version)
        let tlvs = try element.takeAllTLVs()
        for tlv in tlvs where tlv.id == Self.sessionID {
          guard tlv.value.count == 4 else { throw .wrongLength(parameter: tlv.id, found: tlv.value.count) }
          session = UInt32(UInt64(littleEndianOctets: tlv.value))
        }
        parameters += tlvs.filter { $0.id != Self.sessionID }
      case Self.timeSyncType: timeSync = try AnchorTimeSync(parsing: &element)
      default: break
      }
    }
    guard let session else { throw .leftover(.sessionID, count: octets.count) }
    self.init(networkIdentifier: session, encoded: parameters, timeSync: timeSync)
  }

  /// The sub-elements.
  package var octets: [UInt8] {
    var body = Self.configurationHead
    for tlv in parameters { body.append(tlv: tlv) }
    body.append(tlv: UCITLV(id: Self.sessionID, value: networkIdentifier.littleEndianOctets))
    return Self.element(Self.configurationType, body)
      + (timeSync.map { Self.element(Self.timeSyncType, $0.octets) } ?? [])
  }

  /// The Bluetooth service data: one part, or two if the octets don't fit one.
  ///
  /// - Parameter capacity: Room for service data behind its UUID, octets; 27 in an advertisement of 31. A part holds at
  ///   least 1 octet.
  package func parts(capacity: Int) -> [AnchorAdvertisementPart] {
    let octets = octets
    guard octets.count > capacity else { return [.whole(octets)] }
    let size = max(capacity - 1, 1)
    return [.first(Array(octets.prefix(size))), .second(Array(octets.dropFirst(size)))]
  }

  private static func element(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    let long = body.count - 15
    let size: [UInt8] = long < 0 ? [] : long < 255 ? [UInt8(long)] : [255, UInt8(clamping: long - 255)]
    return [type << 4 | UInt8(min(body.count, 15))] + size + body
  }

  private static func takeLength(_ low: UInt8, _ input: inout UCICursor) throws(UCIError) -> Int {
    guard low == 0x0F else { return Int(low) }
    let more = try input.takeUInt8(.parameterLength)
    guard more == 0xFF else { return 15 + Int(more) }
    return 15 + 255 + Int(try input.takeUInt8(.parameterLength))
  }
}

/// ```
/// size     field
/// 1        profile
/// 1        control: bit 0 time offset present, bit 1 list of initiators present, bits 4–7 address mode, 0 is short
/// 2 or 8   address of the anchor
/// 0 or 6   time offset u32, uncertainty u16
/// 1        round of the anchor
/// 0 or 1   number of initiators, each an address and a round
/// ```
extension AnchorTimeSync {
  init(parsing input: inout UCICursor) throws(UCIError) {
    profile = try input.takeUInt8(.version)
    let control = try input.takeUInt8(.control)
    let isExtended = control >> 4 != 0
    address = try input.takeAddress(isExtended: isExtended, .address)
    offset =
      control & 1 == 0
      ? nil : Offset(time: try input.takeUInt32(.timestamp), uncertainty: try input.takeUInt16(.timestamp))
    round = try input.takeUInt8(.roundIndex)
    initiators =
      control & 2 == 0
      ? []
      : try input.takeList(atLeast: isExtended ? 9 : 3, .responders) { input throws(UCIError) in
        Initiator(
          address: try input.takeAddress(isExtended: isExtended, .responders),
          round: try input.takeUInt8(.responders))
      }
    try input.requireEnd()
  }

  var octets: [UInt8] {
    let isExtended = if case .extended = address { true } else { false }
    let control: UInt8 = (offset == nil ? 0 : 1) | (initiators.isEmpty ? 0 : 2) | (isExtended ? 0x10 : 0)
    var octets = [profile, control]
    octets.append(address, isExtended: isExtended)
    if let offset {
      octets.append(littleEndian: offset.time)
      octets.append(littleEndian: offset.uncertainty)
    }
    octets.append(round)
    guard !initiators.isEmpty else { return octets }
    octets.append(list: initiators) { octets, initiator in
      octets.append(initiator.address, isExtended: isExtended)
      octets.append(initiator.round)
    }
    return octets
  }
}
