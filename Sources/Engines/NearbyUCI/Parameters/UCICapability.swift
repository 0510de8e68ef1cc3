import NearbyOctets

/// The capabilities in GET_CAPS_INFO, independent of their ids in 1.x and 2.0.
package enum UCICapabilityKind: String, Hashable, Sendable, CaseIterable {
  case phyVersions, macVersions, deviceTypes, deviceRoles, rangingMethods, stsConfigurations
  case multiNodeModes, rangingTimeStructures, scheduleModes, hopping, blockStriding, initiationTime
  case channels, rframeConfigurations, convolutionalConstraintLengths, bprfSets, hprfSets, angleOfArrival
  case extendedAddresses, maxMessageSize, maxDataPayloadSize, suspendRanging, sessionKeyLength
  case maxAnchorRounds, maxTagRounds, tagBlockSkipping, psduLength
  // Android's, which have the same id in both versions.
  case powerStatistics, angleInterleaving, minRangingIntervalMilliseconds, notificationConfigurations
  case rssiReporting, diagnostics, minSlotRSTU, maxRangingSessions

  private static let first: [UCICapabilityKind] = [
    .phyVersions, .macVersions, .deviceRoles, .rangingMethods, .stsConfigurations, .multiNodeModes,
    .rangingTimeStructures, .scheduleModes, .hopping, .blockStriding, .initiationTime, .channels,
    .rframeConfigurations, .convolutionalConstraintLengths, .bprfSets, .hprfSets, .angleOfArrival,
    .extendedAddresses, .maxMessageSize, .maxDataPayloadSize,
  ]
  private static let second: [UCICapabilityKind] = [
    .maxMessageSize, .maxDataPayloadSize, .phyVersions, .macVersions, .deviceTypes, .deviceRoles,
    .rangingMethods, .stsConfigurations, .multiNodeModes, .rangingTimeStructures, .scheduleModes,
    .hopping, .blockStriding, .initiationTime, .channels, .rframeConfigurations,
    .convolutionalConstraintLengths, .bprfSets, .hprfSets, .angleOfArrival, .extendedAddresses,
    .suspendRanging, .sessionKeyLength, .maxAnchorRounds, .maxTagRounds, .tagBlockSkipping, .psduLength,
  ]
  private static let android: [(UInt8, UCICapabilityKind)] = [
    (0xC0, .powerStatistics), (0xE3, .angleInterleaving), (0xE4, .minRangingIntervalMilliseconds),
    (0xE5, .notificationConfigurations), (0xE6, .rssiReporting), (0xE7, .diagnostics),
    (0xE8, .minSlotRSTU), (0xE9, .maxRangingSessions),
  ]

  /// The capability with the given id; `nil` for vendors' and reserved ids.
  package init?(id: UInt8, version: UCIDialect.Version) {
    let table = version == .v1 ? Self.first : Self.second
    if Int(id) < table.count {
      self = table[Int(id)]
    } else if let entry = Self.android.first(where: { $0.0 == id }) {
      self = entry.1
    } else {
      return nil
    }
  }

  /// The capability's id on the wire; `nil` if the version has none.
  package func id(version: UCIDialect.Version) -> UInt8? {
    let table = version == .v1 ? Self.first : Self.second
    if let index = table.firstIndex(of: self) { return UInt8(index) }
    return Self.android.first { $0.1 == self }?.0
  }
}

/// A range of protocol versions.
///
/// Capabilities give each version as a major and a minor octet, as AOSP, google/pica and Qorvo's host
/// interpret them. (In GET_DEVICE_INFO the second octet holds minor and maintenance in 4 bits each.) Some
/// controllers use the 4-bit fields here too, which a second octet above 15 reveals, because no FiRa
/// version has such a minor.
package struct UCIVersionRange: Hashable, Sendable {
  package var lowest: UCIVersion
  package var highest: UCIVersion
  /// Whether the second octets hold minor and maintenance in 4 bits each.
  package var hasNibbles: Bool

  package init(lowest: UCIVersion, highest: UCIVersion, hasNibbles: Bool = false) {
    self.lowest = lowest
    self.highest = highest
    self.hasNibbles = hasNibbles
  }

  /// Layout: lowest version (2 octets), highest version (2 octets). The caller has checked that there are
  /// exactly 4.
  init(parsing input: inout UCICursor) throws(UCIError) {
    try input.require(4, .version)
    hasNibbles = input.rest[1] > 0x0F || input.rest[3] > 0x0F
    if hasNibbles {
      lowest = try input.takeVersion()
      highest = try input.takeVersion()
    } else {
      lowest = UCIVersion(major: try input.takeUInt8(.version), minor: try input.takeUInt8(.version))
      highest = UCIVersion(major: try input.takeUInt8(.version), minor: try input.takeUInt8(.version))
    }
  }

  var octets: [UInt8] {
    [lowest, highest].flatMap { version in
      [version.major, hasNibbles ? version.minor << 4 | version.maintenance : version.minor]
    }
  }
}

/// One capability and its value.
package enum UCICapability: Hashable, Sendable {
  case versions(UCICapabilityKind, UCIVersionRange)
  /// A number, or a bit mask with one bit for each supported value. `size` is its length on the wire, 1 to
  /// 8 octets.
  case number(UCICapabilityKind, UInt64, size: Int)
  /// An id that the dialect does not define, or a value that does not fit its id.
  case unknown(id: UInt8, [UInt8])

  /// Parses one capability. An id that the dialect does not define results in `.unknown`.
  ///
  /// - Throws: `wrongLength` if the value's length does not fit the id.
  package init(_ tlv: UCITLV, dialect: UCIDialect) throws(UCIError) {
    guard let kind = UCICapabilityKind(id: tlv.id, version: dialect.capabilities) else {
      self = .unknown(id: tlv.id, tlv.value)
      return
    }
    if kind == .phyVersions || kind == .macVersions {
      var input = UCICursor(tlv.value.span)
      guard input.left == 4 else { throw .wrongLength(parameter: tlv.id, found: tlv.value.count) }
      self = .versions(kind, try UCIVersionRange(parsing: &input))
      return
    }
    guard (1...8).contains(tlv.value.count) else {
      throw .wrongLength(parameter: tlv.id, found: tlv.value.count)
    }
    self = .number(kind, UInt64(littleEndianOctets: tlv.value), size: tlv.value.count)
  }

  /// The encoded capability; `nil` if the dialect has no id for it.
  package func tlv(dialect: UCIDialect) -> UCITLV? {
    switch self {
    case .versions(let kind, let range):
      guard let id = kind.id(version: dialect.capabilities) else { return nil }
      return UCITLV(id: id, value: range.octets)
    case .number(let kind, let number, let size):
      guard let id = kind.id(version: dialect.capabilities) else { return nil }
      var value: [UInt8] = []
      value.append(number, octets: Swift.min(Swift.max(size, 1), 8))
      return UCITLV(id: id, value: value)
    case .unknown(let id, let value): return UCITLV(id: id, value: value)
    }
  }
}
