import NearbyUCI

/// The properties of a virtual chip.
package struct VirtualChipConfiguration: Sendable {
  package var dialect: UCIDialect
  package var information: UCIDeviceInfo
  /// UWB channel numbers.
  package var channels: [UInt8]
  /// 1 to 255.
  package var maximumSessions: Int
  /// The largest number of controlees in one session, 1 to 8.
  package var maximumControlees: Int
  /// Whether the chip has the antennas to measure angles.
  package var measuresAngles: Bool
  /// The largest application data in one message, in octets.
  package var maximumDataSize: Int
  /// The largest payload of one data packet, in octets.
  package var maximumDataPacket: Int
  /// The largest payload of one command including all of its segments, in octets.
  package var maximumMessageSize: Int
  /// The shortest SLOT_DURATION, in RSTU.
  package var minimumSlotRSTU: UInt16
  /// An initiator's first block is delayed at random by up to this much after START.
  ///
  /// Real hosts never start in the same microsecond. Hosts in virtual time do, and chips that never hop
  /// would then collide in every block.
  package var startSpread: Duration
  /// An initiator's first block is delayed by this much after START, before `startSpread`.
  ///
  /// Meant for real time: if a host starts both sides at once, the responder is already listening in the
  /// first round.
  package var startLead = Duration.zero
  /// The most rounds in which a DL-TDoA anchor takes part, and to which a tag listens.
  package var maximumAnchorRounds = 15
  package var maximumTagRounds = 64
  /// Seeds the chip's random choices together with the air's seed; `nil` uses the chip's number on the air.
  /// A stable value, such as a hash of the name, preserves the choices when other chips are added before
  /// it.
  package var identity: UInt64?

  package init(
    dialect: UCIDialect = .v2,
    information: UCIDeviceInfo? = nil,
    channels: [UInt8] = [5, 6, 8, 9, 10, 12, 13, 14],
    maximumSessions: Int = 8,
    maximumControlees: Int = 8,
    measuresAngles: Bool = true,
    maximumDataSize: Int = 1024,
    maximumDataPacket: Int = 1040,
    maximumMessageSize: Int = 4096,
    minimumSlotRSTU: UInt16 = 1200,
    startSpread: Duration = .zero,
    identity: UInt64? = nil
  ) {
    self.dialect = dialect
    self.information = information ?? Self.defaultInformation(dialect)
    self.channels = channels
    self.maximumSessions = min(max(maximumSessions, 1), 255)
    self.maximumControlees = min(max(maximumControlees, 1), 8)
    self.measuresAngles = measuresAngles
    self.maximumDataSize = min(max(maximumDataSize, 1), 65_000)
    self.maximumDataPacket = min(max(maximumDataPacket, 32), 65_535)
    self.maximumMessageSize = min(max(maximumMessageSize, 255), 65_535)
    self.minimumSlotRSTU = minimumSlotRSTU
    self.startSpread = startSpread
    self.identity = identity
  }

  /// The versions that a typical 1.x or 2.0 controller reports.
  package static func defaultInformation(_ dialect: UCIDialect) -> UCIDeviceInfo {
    let isFirst = dialect.capabilities == .v1
    let version = isFirst ? UCIVersion(major: 1, minor: 1) : UCIVersion(major: 2, minor: 0)
    let layer = isFirst ? UCIVersion(major: 1, minor: 3) : UCIVersion(major: 2, minor: 0)
    return UCIDeviceInfo(uci: version, mac: layer, phy: layer, test: UCIVersion(major: 1, minor: 1))
  }

  /// The session types that the chip implements and SESSION_INIT therefore accepts.
  static let sessionTypes: [UCISessionType] = [.ranging, .rangingWithInBandData, .rangingWithDataPhase]

  /// Whether the chip can be an anchor or a tag of DL-TDoA, which versions before 2.0 do not know.
  var hasDownlinkTDoA: Bool { dialect.capabilities == .v2 }

  var rules: ParameterRules {
    ParameterRules(
      channels: channels, maximumControlees: maximumControlees, measuresAngles: measuresAngles,
      takesAngleUsage: dialect.dataTransfer == .pica, hasDownlinkTDoA: hasDownlinkTDoA)
  }
}
