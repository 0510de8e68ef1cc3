/// A controller's capabilities, from its answer to GET_CAPS_INFO.
package struct UCICapabilities: Hashable, Sendable {
  /// All capabilities in the controller's order. Values that do not fit their id are `.unknown`.
  package private(set) var list: [UCICapability] = []
  /// The numbering with which the ids were interpreted.
  package let numbering: UCIDialect.Version

  package init(tlvs: [UCITLV], dialect: UCIDialect) {
    numbering = dialect.capabilities
    list = tlvs.map { tlv in
      (try? UCICapability(tlv, dialect: dialect)) ?? .unknown(id: tlv.id, tlv.value)
    }
  }

  /// Guesses the numbering of a list of capabilities, because some chips announce one version and use the
  /// other's numbering.
  ///
  /// Among the first ids only the version ranges have values of 4 octets: ids 0 and 1 in 1.x, ids 2 and 3
  /// in 2.0.
  ///
  /// - Returns: `nil` if these lengths do not decide.
  package static func numbering(of tlvs: [UCITLV]) -> UCIDialect.Version? {
    func length(_ id: UInt8) -> Int? { tlvs.first { $0.id == id }?.value.count }
    let looksFirst = length(0) == 4 && length(1) == 4
    let looksSecond = length(2) == 4 && length(3) == 4
    return looksFirst == looksSecond ? nil : looksFirst ? .v1 : .v2
  }

  /// The value of a numeric capability, or `nil` if it is missing. If a controller lists it twice, the last
  /// value counts.
  package subscript(kind: UCICapabilityKind) -> UInt64? {
    for case .number(kind, let number, _) in list.reversed() { return number }
    return nil
  }

  package var phyVersions: UCIVersionRange? { versions(.phyVersions) }
  package var macVersions: UCIVersionRange? { versions(.macVersions) }

  private func versions(_ kind: UCICapabilityKind) -> UCIVersionRange? {
    for case .versions(kind, let range) in list.reversed() { return range }
    return nil
  }

  /// Capabilities with an unknown id, and those whose value does not fit their id.
  package var unknown: [UCITLV] {
    list.compactMap { if case .unknown(let id, let value) = $0 { UCITLV(id: id, value: value) } else { nil } }
  }

  /// The supported channels in ascending order; empty if the controller does not list any.
  package var channels: [UCIChannel] {
    let all: [UCIChannel] = [.five, .six, .eight, .nine, .ten, .twelve, .thirteen, .fourteen]
    let mask = self[.channels] ?? 0
    return all.enumerated().filter { mask & 1 << UInt64($0.offset) != 0 }.map(\.element)
  }

  /// Whether the controller measures azimuth, up to 90° or 180° to each side.
  package var measuresAzimuth: Bool { angleMask & 0x03 != 0 }
  package var measuresElevation: Bool { angleMask & 0x04 != 0 }
  private var angleMask: UInt64 { self[.angleOfArrival] ?? 0 }

  package var supportsExtendedAddresses: Bool { (self[.extendedAddresses] ?? 0) != 0 }
  package var reportsRSSI: Bool { (self[.rssiReporting] ?? 0) != 0 }
  /// The longest message, in octets.
  package var maxMessageSize: Int? { size(.maxMessageSize) }
  /// The longest payload of a data packet, in octets.
  package var maxDataPayloadSize: Int? { size(.maxDataPayloadSize) }
  package var minRangingIntervalMilliseconds: UInt32? {
    self[.minRangingIntervalMilliseconds].map { UInt32(clamping: $0) }
  }
  package var minSlotRSTU: UInt32? { self[.minSlotRSTU].map { UInt32(clamping: $0) } }
  package var maxRangingSessions: Int? { size(.maxRangingSessions) }

  private func size(_ kind: UCICapabilityKind) -> Int? { self[kind].map { Int(clamping: $0) } }
}
