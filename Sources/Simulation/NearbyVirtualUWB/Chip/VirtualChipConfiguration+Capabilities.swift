import NearbyUCI

extension VirtualChipConfiguration {
  /// The answer to GET_CAPS_INFO, numbered according to the dialect.
  var capabilities: [UCITLV] {
    let versions = UCIVersionRange(lowest: UCIVersion(major: 1, minor: 1), highest: information.phy)
    let list: [UCICapability] = [
      .number(.maxMessageSize, UInt64(maximumMessageSize), size: 2),
      .number(.maxDataPayloadSize, UInt64(maximumDataPacket), size: 2),
      .versions(.phyVersions, versions),
      .versions(.macVersions, versions),
      .number(.deviceTypes, 0x03, size: 1),
      .number(
        .deviceRoles, ChipAbilities.deviceRoles | (hasDownlinkTDoA ? ChipAbilities.downlinkRoles : 0),
        size: dialect.capabilities == .v1 ? 1 : 2),
      .number(
        .rangingMethods, ChipAbilities.rangingMethods | (hasDownlinkTDoA ? ChipAbilities.downlinkMethods : 0),
        size: dialect.capabilities == .v1 ? 1 : 2),
      .number(.stsConfigurations, ChipAbilities.stsConfigurations, size: 1),
      .number(.multiNodeModes, ChipAbilities.multiNodeModes, size: 1),
      .number(.rangingTimeStructures, ChipAbilities.timeStructures, size: 1),
      .number(.scheduleModes, ChipAbilities.scheduleModes, size: 1),
      // Hopping in each block, and as our extension in bit 1, hopping when rounds are lost (HOPPING_MODE
      // 2).
      .number(.hopping, 0x03, size: 1),
      .number(.blockStriding, 1, size: 1),
      .number(.initiationTime, 1, size: 1),
      .number(.channels, channelMask, size: 1),
      .number(.rframeConfigurations, ChipAbilities.rframes, size: 1),
      .number(.convolutionalConstraintLengths, 0x03, size: 1),
      .number(.bprfSets, 0x3F, size: 1),
      .number(.hprfSets, 0x0F_FFFF_FFFF, size: 5),
      // Azimuth up to 180°, elevation, and figure of merit.
      .number(.angleOfArrival, measuresAngles ? 0x0D : 0, size: 1),
      .number(.extendedAddresses, 1, size: 1),
      .number(.suspendRanging, 1, size: 1),
      .number(.sessionKeyLength, 0x03, size: 1),
      .number(.maxAnchorRounds, UInt64(maximumAnchorRounds), size: 1),
      .number(.maxTagRounds, UInt64(maximumTagRounds), size: 1),
      .number(.tagBlockSkipping, 1, size: 1),
      .number(.powerStatistics, 1, size: 1),
      // AOA_RESULT_REQ 0xF0: azimuth and elevation in each round.
      .number(.angleInterleaving, measuresAngles ? 1 : 0, size: 1),
      .number(.notificationConfigurations, 0xFF, size: 4),
      .number(.rssiReporting, 1, size: 1),
      .number(.diagnostics, 1, size: 1),
      .number(.minSlotRSTU, UInt64(minimumSlotRSTU), size: 4),
      .number(.maxRangingSessions, UInt64(maximumSessions), size: 4),
    ]
    return list.compactMap { $0.tlv(dialect: dialect) }.sorted { $0.id < $1.id }
  }

  /// Bit 0 is channel 5, then 6, 8, 9, 10, 12, 13, 14.
  private var channelMask: UInt64 {
    let order: [UInt8] = [5, 6, 8, 9, 10, 12, 13, 14]
    return order.enumerated().reduce(0) { mask, entry in
      channels.contains(entry.element) ? mask | 1 << UInt64(entry.offset) : mask
    }
  }
}
