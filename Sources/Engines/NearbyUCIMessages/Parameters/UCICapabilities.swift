/// What a controller can do, from the answer to GET_CAPS_INFO.
package struct UCICapabilities: Hashable, Sendable {
  /// Everything the controller told, in its order; values that do not fit their id are `.unknown`.
  package private(set) var list: [UCICapability] = []
  /// The numbering the ids were read with.
  package let numbering: UCIDialect.Version

  package init(tlvs: [UCITLV], dialect: UCIDialect) {
    numbering = dialect.capabilities
    list = tlvs.map { tlv in
      (try? UCICapability(tlv, dialect: dialect)) ?? .unknown(id: tlv.id, tlv.value)
    }
  }

  /// Which numbering a list of capabilities has by its looks, for chips that say one and send the other.
  ///
  /// The version ranges are the only values of 4 octets among the first ids: 00 and 01 in 1.x, 02 and 03 in
  /// 2.0. `nil` when that does not decide.
  package static func numbering(of tlvs: [UCITLV]) -> UCIDialect.Version? {
    func length(_ id: UInt8) -> Int? { tlvs.first { $0.id == id }?.value.count }
    let looksFirst = length(0) == 4 && length(1) == 4
    let looksSecond = length(2) == 4 && length(3) == 4
    return looksFirst == looksSecond ? nil : looksFirst ? .v1 : .v2
  }

  /// A number or a mask as it came; the last one where a controller says it twice.
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

  /// Ids without a word, and values that do not fit their id.
  package var unknown: [UCITLV] {
    list.compactMap { if case .unknown(let id, let value) = $0 { UCITLV(id: id, value: value) } else { nil } }
  }

  /// Channels in rising order; empty when not told.
  package var channels: [UCIChannel] {
    let all: [UCIChannel] = [.five, .six, .eight, .nine, .ten, .twelve, .thirteen, .fourteen]
    let mask = self[.channels] ?? 0
    return all.enumerated().filter { mask & 1 << UInt64($0.offset) != 0 }.map(\.element)
  }

  /// Azimuth over 90° or 180° to each side.
  package var measuresAzimuth: Bool { angleMask & 0x03 != 0 }
  package var measuresElevation: Bool { angleMask & 0x04 != 0 }
  private var angleMask: UInt64 { self[.angleOfArrival] ?? 0 }

  package var supportsExtendedAddresses: Bool { (self[.extendedAddresses] ?? 0) != 0 }
  package var reportsRSSI: Bool { (self[.rssiReporting] ?? 0) != 0 }
  /// Octets.
  package var maxMessageSize: Int? { size(.maxMessageSize) }
  /// Octets of payload in one data packet.
  package var maxDataPayloadSize: Int? { size(.maxDataPayloadSize) }
  package var minRangingIntervalMilliseconds: UInt32? {
    self[.minRangingIntervalMilliseconds].map { UInt32(clamping: $0) }
  }
  package var minSlotRSTU: UInt32? { self[.minSlotRSTU].map { UInt32(clamping: $0) } }
  package var maxRangingSessions: Int? { size(.maxRangingSessions) }

  private func size(_ kind: UCICapabilityKind) -> Int? { self[kind].map { Int(clamping: $0) } }
}
