// A table file: how each application parameter is parsed and written, in the order of the ids.

import NearbyOctets

extension UCIAppParameter {
  /// Parses a parameter. Codes without a name are kept, and an unknown id results in `.unknown`.
  ///
  /// - Parameters:
  ///   - tlv: The encoded parameter.
  ///   - dialect: Determines the layout of UWB_INITIATION_TIME.
  ///   - addressMode: The session's MAC_ADDRESS_MODE, which determines the layout of DST_MAC_ADDRESS.
  /// - Throws: `wrongLength` if the id requires another length, `outOfRange` if it does not allow the
  ///   value.
  package init(
    _ tlv: UCITLV, dialect: UCIDialect, addressMode: UCIMACAddressMode = .short
  ) throws(UCIError) {
    let value = UCIParameterValue(tlv)
    switch Self.row(tlv.id)?.form {
    case .octet(let make): self = make(try value.uint8())
    case .uint16(let make): self = make(try value.uint16())
    case .uint32(let make): self = make(try value.uint32())
    case .octets(let lengths, let make): self = make(try lengths.map(value.octets) ?? tlv.value)
    case .numberOfControlees: self = .numberOfControlees(try value.controlees())
    case .deviceAddress: self = .deviceAddress(try value.address())
    case .destinationAddresses: self = .destinationAddresses(try value.addresses(addressMode))
    case .angleBounds: self = .angleBounds(try value.angleBounds())
    case .initiationTime: self = .initiationTime(try value.initiationTime(dialect))
    case .sessionTimeBase: self = .sessionTimeBase(try value.sessionTimeBase())
    case nil: self = .unknown(id: tlv.id, tlv.value)
    }
  }

  /// The specification's name for a parameter's id, for display.
  package static func name(of id: UInt8) -> String { row(id)?.name ?? "unknown(\(id))" }

  private static func row(_ id: UInt8) -> ParameterRow? { rows.first { $0.id == id } }

  /// A parameter's id, its name in the specification, and the layout of its value.
  private struct ParameterRow: Sendable {
    var id: UInt8
    var name: String
    var form: ValueForm

    init(_ id: UInt8, _ name: String, _ form: ValueForm) {
      self.id = id
      self.name = name
      self.form = form
    }
  }

  private enum ValueForm: Sendable {
    case octet(@Sendable (UInt8) -> UCIAppParameter)
    case uint16(@Sendable (UInt16) -> UCIAppParameter)
    case uint32(@Sendable (UInt32) -> UCIAppParameter)
    /// Raw octets of one of these lengths, or of any length if the list is `nil`.
    case octets([Int]?, @Sendable ([UInt8]) -> UCIAppParameter)
    case numberOfControlees, deviceAddress, destinationAddresses, angleBounds, initiationTime, sessionTimeBase

    static func code<Code: UCICode>(_ make: @escaping @Sendable (Code) -> UCIAppParameter) -> ValueForm {
      .octet { make(Code(rawValue: $0)) }
    }
  }

  private static let rows: [ParameterRow] = [
    ParameterRow(0x00, "DEVICE_TYPE", .code(deviceType)),
    ParameterRow(0x01, "RANGING_ROUND_USAGE", .code(rangingRoundUsage)),
    ParameterRow(0x02, "STS_CONFIG", .code(stsConfiguration)),
    ParameterRow(0x03, "MULTI_NODE_MODE", .code(multiNodeMode)),
    ParameterRow(0x04, "CHANNEL_NUMBER", .code(channel)),
    ParameterRow(0x05, "NUMBER_OF_CONTROLEES", .numberOfControlees),
    ParameterRow(0x06, "DEVICE_MAC_ADDRESS", .deviceAddress),
    ParameterRow(0x07, "DST_MAC_ADDRESS", .destinationAddresses),
    ParameterRow(0x08, "SLOT_DURATION", .uint16(slotDuration)),
    ParameterRow(0x09, "RANGING_DURATION", .uint32(rangingDuration)),
    ParameterRow(0x0A, "STS_INDEX", .uint32(stsIndex)),
    ParameterRow(0x0B, "MAC_FCS_TYPE", .code(macFCSType)),
    ParameterRow(0x0C, "RANGING_ROUND_CONTROL", .octet(rangingRoundControl)),
    ParameterRow(0x0D, "AOA_RESULT_REQ", .code(angleRequest)),
    ParameterRow(0x0E, "SESSION_INFO_NTF_CONFIG", .code(notificationConfiguration)),
    ParameterRow(0x0F, "NEAR_PROXIMITY_CONFIG", .uint16(nearProximity)),
    ParameterRow(0x10, "FAR_PROXIMITY_CONFIG", .uint16(farProximity)),
    ParameterRow(0x11, "DEVICE_ROLE", .code(deviceRole)),
    ParameterRow(0x12, "RFRAME_CONFIG", .code(rframeConfiguration)),
    ParameterRow(0x13, "RSSI_REPORTING", .octet(rssiReporting)),
    ParameterRow(0x14, "PREAMBLE_CODE_INDEX", .octet(preambleCodeIndex)),
    ParameterRow(0x15, "SFD_ID", .octet(sfdID)),
    ParameterRow(0x16, "PSDU_DATA_RATE", .code(psduDataRate)),
    ParameterRow(0x17, "PREAMBLE_DURATION", .code(preambleDuration)),
    ParameterRow(0x18, "LINK_LAYER_MODE", .octet(linkLayerMode)),
    ParameterRow(0x19, "DATA_REPETITION_COUNT", .octet(dataRepetitionCount)),
    ParameterRow(0x1A, "RANGING_TIME_STRUCT", .code(rangingTimeStructure)),
    ParameterRow(0x1B, "SLOTS_PER_RR", .octet(slotsPerRound)),
    ParameterRow(0x1C, "TX_ADAPTIVE_PAYLOAD_POWER", .octet(txAdaptivePayloadPower)),
    ParameterRow(0x1D, "AOA_BOUND_CONFIG", .angleBounds),
    ParameterRow(0x1E, "RESPONDER_SLOT_INDEX", .octet(responderSlotIndex)),
    ParameterRow(0x1F, "PRF_MODE", .code(prfMode)),
    ParameterRow(
      0x20, "CAP_SIZE_RANGE",
      .uint16 { .contentionSizeRange(maximum: UInt8($0 & 0xFF), minimum: UInt8($0 >> 8)) }),
    ParameterRow(0x21, "TX_JITTER_WINDOW_SIZE", .octet(txJitterWindowSize)),
    ParameterRow(0x22, "SCHEDULE_MODE", .code(scheduleMode)),
    ParameterRow(0x23, "KEY_ROTATION", .octet(keyRotation)),
    ParameterRow(0x24, "KEY_ROTATION_RATE", .octet(keyRotationRate)),
    ParameterRow(0x25, "SESSION_PRIORITY", .octet(sessionPriority)),
    ParameterRow(0x26, "MAC_ADDRESS_MODE", .code(macAddressMode)),
    ParameterRow(0x27, "VENDOR_ID", .uint16(vendorID)),
    ParameterRow(0x28, "STATIC_STS_IV", .octets([6], staticSTSIV)),
    ParameterRow(0x29, "NUMBER_OF_STS_SEGMENTS", .octet(numberOfSTSSegments)),
    ParameterRow(0x2A, "MAX_RR_RETRY", .uint16(maxRoundRetries)),
    ParameterRow(0x2B, "UWB_INITIATION_TIME", .initiationTime),
    ParameterRow(0x2C, "HOPPING_MODE", .octet(hoppingMode)),
    ParameterRow(0x2D, "BLOCK_STRIDE_LENGTH", .octet(blockStrideLength)),
    ParameterRow(0x2E, "RESULT_REPORT_CONFIG", .octet(resultReportConfiguration)),
    ParameterRow(0x2F, "IN_BAND_TERMINATION_ATTEMPT_COUNT", .octet(inBandTerminationAttemptCount)),
    ParameterRow(0x30, "SUB_SESSION_ID", .uint32(subSessionID)),
    ParameterRow(0x31, "BPRF_PHR_DATA_RATE", .code(bprfPHRDataRate)),
    ParameterRow(0x32, "MAX_NUMBER_OF_MEASUREMENTS", .uint16(maxNumberOfMeasurements)),
    ParameterRow(0x33, "UL_TDOA_TX_INTERVAL", .uint32(uplinkTDoATxInterval)),
    ParameterRow(0x34, "UL_TDOA_RANDOM_WINDOW", .uint32(uplinkTDoARandomWindow)),
    ParameterRow(0x35, "STS_LENGTH", .code(stsLength)),
    ParameterRow(0x36, "SUSPEND_RANGING_ROUNDS", .octet(suspendRangingRounds)),
    ParameterRow(0x37, "UL_TDOA_NTF_REPORT_CONFIG", .octet(uplinkTDoAReportConfiguration)),
    ParameterRow(0x38, "UL_TDOA_DEVICE_ID", .octets([1, 3, 5, 9], uplinkTDoADeviceID)),
    ParameterRow(0x39, "UL_TDOA_TX_TIMESTAMP", .octet(uplinkTDoATxTimestamp)),
    ParameterRow(0x3A, "MIN_FRAMES_PER_RR", .octet(minFramesPerRound)),
    ParameterRow(0x3B, "MTU_SIZE", .uint16(mtuSize)),
    ParameterRow(0x3C, "INTER_FRAME_INTERVAL", .octet(interFrameInterval)),
    ParameterRow(0x3D, "DL_TDOA_RANGING_METHOD", .octet(downlinkTDoARangingMethod)),
    ParameterRow(0x3E, "DL_TDOA_TX_TIMESTAMP_CONF", .octet(downlinkTDoATxTimestamp)),
    ParameterRow(0x3F, "DL_TDOA_HOP_COUNT", .octet(downlinkTDoAHopCount)),
    ParameterRow(0x40, "DL_TDOA_ANCHOR_CFO", .octet(downlinkTDoAAnchorCFO)),
    ParameterRow(0x41, "DL_TDOA_ANCHOR_LOCATION", .octets([1, 11, 13], downlinkTDoAAnchorLocation)),
    ParameterRow(0x42, "DL_TDOA_TX_ACTIVE_RANGING_ROUNDS", .octet(downlinkTDoATxActiveRounds)),
    ParameterRow(0x43, "DL_TDOA_BLOCK_SKIPPING", .octet(downlinkTDoABlockSkipping)),
    ParameterRow(0x44, "DL_TDOA_TIME_REFERENCE_ANCHOR", .octet(downlinkTDoATimeReference)),
    ParameterRow(0x45, "SESSION_KEY", .octets([16, 32], sessionKey)),
    ParameterRow(0x46, "SUB_SESSION_KEY", .octets([16, 32], subSessionKey)),
    ParameterRow(0x47, "SESSION_DATA_TRANSFER_STATUS_NTF_CONFIG", .octet(dataTransferStatusConfiguration)),
    ParameterRow(0x48, "SESSION_TIME_BASE", .sessionTimeBase),
    ParameterRow(0x49, "DL_TDOA_RESPONDER_TOF", .octet(downlinkTDoAResponderToF)),
    ParameterRow(0x4A, "SECURE_RANGING_NEFA_LEVEL", .octets(nil, secureRangingNEFALevel)),
    ParameterRow(0x4B, "SECURE_RANGING_CSW_LENGTH", .octets(nil, secureRangingCSWLength)),
    ParameterRow(0x4C, "APPLICATION_DATA_ENDPOINT", .octet(applicationDataEndpoint)),
    ParameterRow(0x4D, "OWR_AOA_MEASUREMENT_NTF_PERIOD", .octet(oneWayAngleNotificationPeriod)),
    ParameterRow(0x4F, "DL_TDOA_MEASUREMENT_NTF_V2", .octet(downlinkTDoANotificationVersion)),
    ParameterRow(0x52, "INITIATOR_DT_ANCHOR_ROUND_INDEX", .octets(nil, downlinkTDoAInitiatorRounds)),
    ParameterRow(0xA0, "CCC_HOP_MODE_KEY", .octets([16], cccHopModeKey)),
    ParameterRow(0xA1, "CCC_UWB_TIME0", .octets([8], cccTime0)),
    ParameterRow(0xA3, "CCC_RANGING_PROTOCOL_VER", .uint16(cccProtocolVersion)),
    ParameterRow(0xA4, "CCC_UWB_CONFIG_ID", .uint16(cccConfigurationID)),
    ParameterRow(0xA5, "CCC_PULSESHAPE_COMBO", .octet(cccPulseShape)),
    ParameterRow(0xA6, "CCC_URSK_TTL", .uint16(cccURSKTimeToLive)),
    ParameterRow(0xA8, "CCC_LAST_INDEX_USED", .uint32(cccLastSTSIndex)),
    ParameterRow(0xA9, "ALIRO_MAC_MODE", .octet(aliroMACMode)),
    ParameterRow(0xE3, "NB_OF_RANGE_MEASUREMENTS", .octet(numberOfRangeMeasurements)),
    ParameterRow(0xE4, "NB_OF_AZIMUTH_MEASUREMENTS", .octet(numberOfAzimuthMeasurements)),
    ParameterRow(0xE5, "NB_OF_ELEVATION_MEASUREMENTS", .octet(numberOfElevationMeasurements)),
    ParameterRow(0xE6, "RX_ANTENNA_SELECTION", .octet(rxAntenna)),
    ParameterRow(0xE7, "TX_ANTENNA_SELECTION", .octet(txAntenna)),
    ParameterRow(0xE8, "ENABLE_DIAGNOSTICS", .octet(enablesDiagnostics)),
    ParameterRow(0xE9, "DIAGNOSTICS_FRAME_REPORTS_FIELDS", .octet(diagnosticsFields)),
    ParameterRow(0xEA, "ANTENNA_MODE", .octet(antennaMode)),
  ]

  /// The parameter's id on the wire.
  package var id: UInt8 { tlv.id }

  /// The encoded parameter.
  package var tlv: UCITLV {
    switch self {
    case .deviceType(let value): UCITLV(0x00, value)
    case .rangingRoundUsage(let value): UCITLV(0x01, value)
    case .stsConfiguration(let value): UCITLV(0x02, value)
    case .multiNodeMode(let value): UCITLV(0x03, value)
    case .channel(let value): UCITLV(0x04, value)
    case .numberOfControlees(let value): UCITLV(0x05, value)
    case .deviceAddress(let value): UCITLV(id: 0x06, value: value.octets)
    case .destinationAddresses(let value): UCITLV(id: 0x07, value: value.flatMap(\.octets))
    case .slotDuration(let value): UCITLV(0x08, value)
    case .rangingDuration(let value): UCITLV(0x09, value)
    case .stsIndex(let value): UCITLV(0x0A, value)
    case .macFCSType(let value): UCITLV(0x0B, value)
    case .rangingRoundControl(let value): UCITLV(0x0C, value)
    case .angleRequest(let value): UCITLV(0x0D, value)
    case .notificationConfiguration(let value): UCITLV(0x0E, value)
    case .nearProximity(let value): UCITLV(0x0F, value)
    case .farProximity(let value): UCITLV(0x10, value)
    case .deviceRole(let value): UCITLV(0x11, value)
    case .rframeConfiguration(let value): UCITLV(0x12, value)
    case .rssiReporting(let value): UCITLV(0x13, value)
    case .preambleCodeIndex(let value): UCITLV(0x14, value)
    case .sfdID(let value): UCITLV(0x15, value)
    case .psduDataRate(let value): UCITLV(0x16, value)
    case .preambleDuration(let value): UCITLV(0x17, value)
    case .linkLayerMode(let value): UCITLV(0x18, value)
    case .dataRepetitionCount(let value): UCITLV(0x19, value)
    case .rangingTimeStructure(let value): UCITLV(0x1A, value)
    case .slotsPerRound(let value): UCITLV(0x1B, value)
    case .txAdaptivePayloadPower(let value): UCITLV(0x1C, value)
    case .angleBounds(let value): UCITLV(id: 0x1D, value: value.octets)
    case .responderSlotIndex(let value): UCITLV(0x1E, value)
    case .prfMode(let value): UCITLV(0x1F, value)
    case .contentionSizeRange(let maximum, let minimum): UCITLV(id: 0x20, value: [maximum, minimum])
    case .txJitterWindowSize(let value): UCITLV(0x21, value)
    case .scheduleMode(let value): UCITLV(0x22, value)
    case .keyRotation(let value): UCITLV(0x23, value)
    case .keyRotationRate(let value): UCITLV(0x24, value)
    case .sessionPriority(let value): UCITLV(0x25, value)
    case .macAddressMode(let value): UCITLV(0x26, value)
    case .vendorID(let value): UCITLV(0x27, value)
    case .staticSTSIV(let value): UCITLV(id: 0x28, value: value)
    case .numberOfSTSSegments(let value): UCITLV(0x29, value)
    case .maxRoundRetries(let value): UCITLV(0x2A, value)
    case .initiationTime(let value): UCITLV(id: 0x2B, value: value.octets)
    case .hoppingMode(let value): UCITLV(0x2C, value)
    case .blockStrideLength(let value): UCITLV(0x2D, value)
    case .resultReportConfiguration(let value): UCITLV(0x2E, value)
    case .inBandTerminationAttemptCount(let value): UCITLV(0x2F, value)
    case .subSessionID(let value): UCITLV(0x30, value)
    case .bprfPHRDataRate(let value): UCITLV(0x31, value)
    case .maxNumberOfMeasurements(let value): UCITLV(0x32, value)
    case .uplinkTDoATxInterval(let value): UCITLV(0x33, value)
    case .uplinkTDoARandomWindow(let value): UCITLV(0x34, value)
    case .stsLength(let value): UCITLV(0x35, value)
    case .suspendRangingRounds(let value): UCITLV(0x36, value)
    case .uplinkTDoAReportConfiguration(let value): UCITLV(0x37, value)
    case .uplinkTDoADeviceID(let value): UCITLV(id: 0x38, value: value)
    case .uplinkTDoATxTimestamp(let value): UCITLV(0x39, value)
    case .minFramesPerRound(let value): UCITLV(0x3A, value)
    case .mtuSize(let value): UCITLV(0x3B, value)
    case .interFrameInterval(let value): UCITLV(0x3C, value)
    case .downlinkTDoARangingMethod(let value): UCITLV(0x3D, value)
    case .downlinkTDoATxTimestamp(let value): UCITLV(0x3E, value)
    case .downlinkTDoAHopCount(let value): UCITLV(0x3F, value)
    case .downlinkTDoAAnchorCFO(let value): UCITLV(0x40, value)
    case .downlinkTDoAAnchorLocation(let value): UCITLV(id: 0x41, value: value)
    case .downlinkTDoATxActiveRounds(let value): UCITLV(0x42, value)
    case .downlinkTDoABlockSkipping(let value): UCITLV(0x43, value)
    case .downlinkTDoATimeReference(let value): UCITLV(0x44, value)
    case .sessionKey(let value): UCITLV(id: 0x45, value: value)
    case .subSessionKey(let value): UCITLV(id: 0x46, value: value)
    case .dataTransferStatusConfiguration(let value): UCITLV(0x47, value)
    case .sessionTimeBase(let value): UCITLV(id: 0x48, value: value.octets)
    case .downlinkTDoAResponderToF(let value): UCITLV(0x49, value)
    case .secureRangingNEFALevel(let value): UCITLV(id: 0x4A, value: value)
    case .secureRangingCSWLength(let value): UCITLV(id: 0x4B, value: value)
    case .applicationDataEndpoint(let value): UCITLV(0x4C, value)
    case .oneWayAngleNotificationPeriod(let value): UCITLV(0x4D, value)
    case .downlinkTDoANotificationVersion(let value): UCITLV(0x4F, value)
    case .downlinkTDoAInitiatorRounds(let value): UCITLV(id: 0x52, value: value)
    case .cccHopModeKey(let value): UCITLV(id: 0xA0, value: value)
    case .cccTime0(let value): UCITLV(id: 0xA1, value: value)
    case .cccProtocolVersion(let value): UCITLV(0xA3, value)
    case .cccConfigurationID(let value): UCITLV(0xA4, value)
    case .cccPulseShape(let value): UCITLV(0xA5, value)
    case .cccURSKTimeToLive(let value): UCITLV(0xA6, value)
    case .cccLastSTSIndex(let value): UCITLV(0xA8, value)
    case .aliroMACMode(let value): UCITLV(0xA9, value)
    case .numberOfRangeMeasurements(let value): UCITLV(0xE3, value)
    case .numberOfAzimuthMeasurements(let value): UCITLV(0xE4, value)
    case .numberOfElevationMeasurements(let value): UCITLV(0xE5, value)
    case .rxAntenna(let value): UCITLV(0xE6, value)
    case .txAntenna(let value): UCITLV(0xE7, value)
    case .enablesDiagnostics(let value): UCITLV(0xE8, value)
    case .diagnosticsFields(let value): UCITLV(0xE9, value)
    case .antennaMode(let value): UCITLV(0xEA, value)
    case .unknown(let id, let value): UCITLV(id: id, value: value)
    }
  }
}

extension UCITLV {
  fileprivate init(_ id: UInt8, _ code: some UCICode) { self.init(id: id, value: [code.rawValue]) }

  fileprivate init(_ id: UInt8, _ number: some FixedWidthInteger) {
    self.init(id: id, value: number.littleEndianOctets)
  }
}
