// This is a table file: ids, names, forms and defaults of application parameters (section 3).

extension UCIAppParameter {
  /// The id on the wire.
  package var id: UInt8 {
    switch self {
    case .deviceType: 0x00
    case .rangingRoundUsage: 0x01
    case .stsConfiguration: 0x02
    case .multiNodeMode: 0x03
    case .channel: 0x04
    case .numberOfControlees: 0x05
    case .deviceAddress: 0x06
    case .destinationAddresses: 0x07
    case .slotDuration: 0x08
    case .rangingDuration: 0x09
    case .stsIndex: 0x0A
    case .macFCSType: 0x0B
    case .rangingRoundControl: 0x0C
    case .angleRequest: 0x0D
    case .notificationConfiguration: 0x0E
    case .nearProximity: 0x0F
    case .farProximity: 0x10
    case .deviceRole: 0x11
    case .rframeConfiguration: 0x12
    case .rssiReporting: 0x13
    case .preambleCodeIndex: 0x14
    case .sfdID: 0x15
    case .psduDataRate: 0x16
    case .preambleDuration: 0x17
    case .linkLayerMode: 0x18
    case .dataRepetitionCount: 0x19
    case .rangingTimeStructure: 0x1A
    case .slotsPerRound: 0x1B
    case .txAdaptivePayloadPower: 0x1C
    case .angleBounds: 0x1D
    case .responderSlotIndex: 0x1E
    case .prfMode: 0x1F
    case .contentionSizeRange: 0x20
    case .txJitterWindowSize: 0x21
    case .scheduleMode: 0x22
    case .keyRotation: 0x23
    case .keyRotationRate: 0x24
    case .sessionPriority: 0x25
    case .macAddressMode: 0x26
    case .vendorID: 0x27
    case .staticSTSIV: 0x28
    case .numberOfSTSSegments: 0x29
    case .maxRoundRetries: 0x2A
    case .initiationTime: 0x2B
    case .hoppingMode: 0x2C
    case .blockStrideLength: 0x2D
    case .resultReportConfiguration: 0x2E
    case .inBandTerminationAttemptCount: 0x2F
    case .subSessionID: 0x30
    case .bprfPHRDataRate: 0x31
    case .maxNumberOfMeasurements: 0x32
    case .uplinkTDoATxInterval: 0x33
    case .uplinkTDoARandomWindow: 0x34
    case .stsLength: 0x35
    case .suspendRangingRounds: 0x36
    case .uplinkTDoAReportConfiguration: 0x37
    case .uplinkTDoADeviceID: 0x38
    case .uplinkTDoATxTimestamp: 0x39
    case .minFramesPerRound: 0x3A
    case .mtuSize: 0x3B
    case .interFrameInterval: 0x3C
    case .downlinkTDoARangingMethod: 0x3D
    case .downlinkTDoATxTimestamp: 0x3E
    case .downlinkTDoAHopCount: 0x3F
    case .downlinkTDoAAnchorCFO: 0x40
    case .downlinkTDoAAnchorLocation: 0x41
    case .downlinkTDoATxActiveRounds: 0x42
    case .downlinkTDoABlockSkipping: 0x43
    case .downlinkTDoATimeReference: 0x44
    case .sessionKey: 0x45
    case .subSessionKey: 0x46
    case .dataTransferStatusConfiguration: 0x47
    case .sessionTimeBase: 0x48
    case .downlinkTDoAResponderToF: 0x49
    case .secureRangingNEFALevel: 0x4A
    case .secureRangingCSWLength: 0x4B
    case .applicationDataEndpoint: 0x4C
    case .oneWayAngleNotificationPeriod: 0x4D
    case .cccHopModeKey: 0xA0
    case .cccTime0: 0xA1
    case .cccProtocolVersion: 0xA3
    case .cccConfigurationID: 0xA4
    case .cccPulseShape: 0xA5
    case .cccURSKTimeToLive: 0xA6
    case .cccLastSTSIndex: 0xA8
    case .aliroMACMode: 0xA9
    case .numberOfRangeMeasurements: 0xE3
    case .numberOfAzimuthMeasurements: 0xE4
    case .numberOfElevationMeasurements: 0xE5
    case .rxAntenna: 0xE6
    case .txAntenna: 0xE7
    case .enablesDiagnostics: 0xE8
    case .diagnosticsFields: 0xE9
    case .antennaMode: 0xEA
    case .unknown(let id, _): id
    }
  }

  /// The specification's word for an id, for display.
  package static func name(of id: UInt8) -> String {
    names.first { $0.0 == id }?.1 ?? "unknown(\(id))"
  }

  private static let names: [(UInt8, String)] = [
    (0x00, "DEVICE_TYPE"),
    (0x01, "RANGING_ROUND_USAGE"),
    (0x02, "STS_CONFIG"),
    (0x03, "MULTI_NODE_MODE"),
    (0x04, "CHANNEL_NUMBER"),
    (0x05, "NUMBER_OF_CONTROLEES"),
    (0x06, "DEVICE_MAC_ADDRESS"),
    (0x07, "DST_MAC_ADDRESS"),
    (0x08, "SLOT_DURATION"),
    (0x09, "RANGING_DURATION"),
    (0x0A, "STS_INDEX"),
    (0x0B, "MAC_FCS_TYPE"),
    (0x0C, "RANGING_ROUND_CONTROL"),
    (0x0D, "AOA_RESULT_REQ"),
    (0x0E, "SESSION_INFO_NTF_CONFIG"),
    (0x0F, "NEAR_PROXIMITY_CONFIG"),
    (0x10, "FAR_PROXIMITY_CONFIG"),
    (0x11, "DEVICE_ROLE"),
    (0x12, "RFRAME_CONFIG"),
    (0x13, "RSSI_REPORTING"),
    (0x14, "PREAMBLE_CODE_INDEX"),
    (0x15, "SFD_ID"),
    (0x16, "PSDU_DATA_RATE"),
    (0x17, "PREAMBLE_DURATION"),
    (0x18, "LINK_LAYER_MODE"),
    (0x19, "DATA_REPETITION_COUNT"),
    (0x1A, "RANGING_TIME_STRUCT"),
    (0x1B, "SLOTS_PER_RR"),
    (0x1C, "TX_ADAPTIVE_PAYLOAD_POWER"),
    (0x1D, "AOA_BOUND_CONFIG"),
    (0x1E, "RESPONDER_SLOT_INDEX"),
    (0x1F, "PRF_MODE"),
    (0x20, "CAP_SIZE_RANGE"),
    (0x21, "TX_JITTER_WINDOW_SIZE"),
    (0x22, "SCHEDULE_MODE"),
    (0x23, "KEY_ROTATION"),
    (0x24, "KEY_ROTATION_RATE"),
    (0x25, "SESSION_PRIORITY"),
    (0x26, "MAC_ADDRESS_MODE"),
    (0x27, "VENDOR_ID"),
    (0x28, "STATIC_STS_IV"),
    (0x29, "NUMBER_OF_STS_SEGMENTS"),
    (0x2A, "MAX_RR_RETRY"),
    (0x2B, "UWB_INITIATION_TIME"),
    (0x2C, "HOPPING_MODE"),
    (0x2D, "BLOCK_STRIDE_LENGTH"),
    (0x2E, "RESULT_REPORT_CONFIG"),
    (0x2F, "IN_BAND_TERMINATION_ATTEMPT_COUNT"),
    (0x30, "SUB_SESSION_ID"),
    (0x31, "BPRF_PHR_DATA_RATE"),
    (0x32, "MAX_NUMBER_OF_MEASUREMENTS"),
    (0x33, "UL_TDOA_TX_INTERVAL"),
    (0x34, "UL_TDOA_RANDOM_WINDOW"),
    (0x35, "STS_LENGTH"),
    (0x36, "SUSPEND_RANGING_ROUNDS"),
    (0x37, "UL_TDOA_NTF_REPORT_CONFIG"),
    (0x38, "UL_TDOA_DEVICE_ID"),
    (0x39, "UL_TDOA_TX_TIMESTAMP"),
    (0x3A, "MIN_FRAMES_PER_RR"),
    (0x3B, "MTU_SIZE"),
    (0x3C, "INTER_FRAME_INTERVAL"),
    (0x3D, "DL_TDOA_RANGING_METHOD"),
    (0x3E, "DL_TDOA_TX_TIMESTAMP_CONF"),
    (0x3F, "DL_TDOA_HOP_COUNT"),
    (0x40, "DL_TDOA_ANCHOR_CFO"),
    (0x41, "DL_TDOA_ANCHOR_LOCATION"),
    (0x42, "DL_TDOA_TX_ACTIVE_RANGING_ROUNDS"),
    (0x43, "DL_TDOA_BLOCK_SKIPPING"),
    (0x44, "DL_TDOA_TIME_REFERENCE_ANCHOR"),
    (0x45, "SESSION_KEY"),
    (0x46, "SUB_SESSION_KEY"),
    (0x47, "SESSION_DATA_TRANSFER_STATUS_NTF_CONFIG"),
    (0x48, "SESSION_TIME_BASE"),
    (0x49, "DL_TDOA_RESPONDER_TOF"),
    (0x4A, "SECURE_RANGING_NEFA_LEVEL"),
    (0x4B, "SECURE_RANGING_CSW_LENGTH"),
    (0x4C, "APPLICATION_DATA_ENDPOINT"),
    (0x4D, "OWR_AOA_MEASUREMENT_NTF_PERIOD"),
    (0xA0, "CCC_HOP_MODE_KEY"),
    (0xA1, "CCC_UWB_TIME0"),
    (0xA3, "CCC_RANGING_PROTOCOL_VER"),
    (0xA4, "CCC_UWB_CONFIG_ID"),
    (0xA5, "CCC_PULSESHAPE_COMBO"),
    (0xA6, "CCC_URSK_TTL"),
    (0xA8, "CCC_LAST_INDEX_USED"),
    (0xA9, "ALIRO_MAC_MODE"),
    (0xE3, "NB_OF_RANGE_MEASUREMENTS"),
    (0xE4, "NB_OF_AZIMUTH_MEASUREMENTS"),
    (0xE5, "NB_OF_ELEVATION_MEASUREMENTS"),
    (0xE6, "RX_ANTENNA_SELECTION"),
    (0xE7, "TX_ANTENNA_SELECTION"),
    (0xE8, "ENABLE_DIAGNOSTICS"),
    (0xE9, "DIAGNOSTICS_FRAME_REPORTS_FIELDS"),
    (0xEA, "ANTENNA_MODE"),
  ]

  /// What a session has where nothing was set. The contention size, the addresses, keys and roles have none.
  package static let defaults: [UCIAppParameter] = [
    .rangingRoundUsage(.doubleSidedDeferred),
    .stsConfiguration(.fixed),
    .multiNodeMode(.unicast),
    .channel(.nine),
    .numberOfControlees(1),
    .slotDuration(rstu: 2400),
    .rangingDuration(milliseconds: 200),
    .stsIndex(0),
    .macFCSType(.crc16),
    .rangingRoundControl(0x03),
    .angleRequest(.both),
    .notificationConfiguration(.always),
    .nearProximity(centimetres: 0),
    .farProximity(centimetres: 20000),
    .rframeConfiguration(.sp3),
    .rssiReporting(0),
    .preambleCodeIndex(10),
    .sfdID(2),
    .psduDataRate(.rate6M81),
    .preambleDuration(.symbols64),
    .linkLayerMode(0),
    .dataRepetitionCount(0),
    .rangingTimeStructure(.blockBased),
    .slotsPerRound(25),
    .txAdaptivePayloadPower(0),
    .responderSlotIndex(1),
    .prfMode(.bprf),
    .txJitterWindowSize(0),
    .scheduleMode(.timeScheduled),
    .keyRotation(0),
    .keyRotationRate(0),
    .sessionPriority(50),
    .macAddressMode(.short),
    .numberOfSTSSegments(1),
    .maxRoundRetries(0),
    .hoppingMode(0),
    .blockStrideLength(0),
    .resultReportConfiguration(0x01),
    .inBandTerminationAttemptCount(1),
    .bprfPHRDataRate(.rate850k),
    .maxNumberOfMeasurements(0),
    .stsLength(.symbols64),
    .interFrameInterval(1),
    .dataTransferStatusConfiguration(0),
    .contentionSizeRange(maximum: 24, minimum: 5),
    .initiationTime(.relative(milliseconds: 0)),
  ]
}
