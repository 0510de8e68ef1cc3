import NearbyUCI

/// What a virtual chip is and can do.
package struct VirtualChipConfiguration: Sendable {
  package var dialect: UCIDialect
  package var information: UCIDeviceInfo
  /// UWB channel numbers.
  package var channels: [UInt8]
  /// 1 to 255.
  package var maximumSessions: Int
  /// Controlees of one session, 1 to 8.
  package var maximumControlees: Int
  /// Whether the chip has the antennas to measure angles.
  package var measuresAngles: Bool
  /// Octets of application data in one DATA_MESSAGE.
  package var maximumDataSize: Int
  /// Payload octets of one data packet.
  package var maximumDataPacket: Int
  /// Payload octets of one command, all its segments together.
  package var maximumMessageSize: Int
  /// The shortest SLOT_DURATION.
  package var minimumSlotRSTU: UInt16
  /// An initiator's first block begins up to this much after START, at random.
  ///
  /// Real hosts never start at the same microsecond; hosts in virtual time do, and chips that never hop
  /// would then collide for ever.
  package var startSpread: Duration
  /// An initiator's first block begins this long after START, before `startSpread`.
  ///
  /// In real time: a host that starts both sides at once finds the other one listening in the first round.
  package var startLead = Duration.zero
  /// What the chip's random choices are drawn from beside the seed; `nil` takes its number on the air. A stable
  /// one (a hash of the name) keeps a chip's choices when others come before it.
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

  /// Versions of the consistent 1.x and 2.0 controllers.
  package static func defaultInformation(_ dialect: UCIDialect) -> UCIDeviceInfo {
    let isFirst = dialect.capabilities == .v1
    let version = isFirst ? UCIVersion(major: 1, minor: 1) : UCIVersion(major: 2, minor: 0)
    let layer = isFirst ? UCIVersion(major: 1, minor: 3) : UCIVersion(major: 2, minor: 0)
    return UCIDeviceInfo(uci: version, mac: layer, phy: layer, test: UCIVersion(major: 1, minor: 1))
  }

  /// The session types that run, and therefore the only ones that SESSION_INIT accepts.
  static let sessionTypes: [UCISessionType] = [.ranging, .rangingWithInBandData, .rangingWithDataPhase]

  var rules: ParameterRules {
    ParameterRules(
      channels: channels, maximumControlees: maximumControlees, measuresAngles: measuresAngles,
      takesAngleUsage: dialect.dataTransfer == .pica)
  }
}
