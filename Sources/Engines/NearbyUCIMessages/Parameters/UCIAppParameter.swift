// A table file: one case for each application parameter, in the order of the ids.

/// An application parameter of a session. Labels give the unit.
package enum UCIAppParameter: Hashable, Sendable {
  /// DEVICE_TYPE. Mandatory.
  case deviceType(UCIDeviceType)
  /// RANGING_ROUND_USAGE. Mandatory.
  case rangingRoundUsage(UCIRangingRoundUsage)
  /// STS_CONFIG.
  case stsConfiguration(UCISTSConfiguration)
  /// MULTI_NODE_MODE. Mandatory.
  case multiNodeMode(UCIMultiNodeMode)
  /// CHANNEL_NUMBER.
  case channel(UCIChannel)
  /// NUMBER_OF_CONTROLEES. 1 to 8.
  case numberOfControlees(UInt8)
  /// DEVICE_MAC_ADDRESS. The device's own address; mandatory.
  case deviceAddress(UCIAddress)
  /// DST_MAC_ADDRESS. One address for each controlee, all of the size that MAC_ADDRESS_MODE gives.
  case destinationAddresses([UCIAddress])
  /// SLOT_DURATION. 1200 RSTU (ranging scheduling time units) are 1 ms.
  case slotDuration(rstu: UInt16)
  /// RANGING_DURATION. The time from one round to the next; called RANGING_INTERVAL in 1.x.
  case rangingDuration(milliseconds: UInt32)
  /// STS_INDEX.
  case stsIndex(UInt32)
  /// MAC_FCS_TYPE.
  case macFCSType(UCIMACFCSType)
  /// RANGING_ROUND_CONTROL. Bit 0: result report; 1: control message; 2: ranging control phase; 6:
  /// measurement report phase; 7: the report goes from responder to initiator.
  case rangingRoundControl(UInt8)
  /// AOA_RESULT_REQ.
  case angleRequest(UCIAngleRequest)
  /// SESSION_INFO_NTF_CONFIG.
  case notificationConfiguration(UCINotificationConfiguration)
  /// NEAR_PROXIMITY_CONFIG.
  case nearProximity(centimetres: UInt16)
  /// FAR_PROXIMITY_CONFIG.
  case farProximity(centimetres: UInt16)
  /// DEVICE_ROLE. Mandatory.
  case deviceRole(UCIDeviceRole)
  /// RFRAME_CONFIG.
  case rframeConfiguration(UCIRFrameConfiguration)
  /// RSSI_REPORTING.
  case rssiReporting(UInt8)
  /// PREAMBLE_CODE_INDEX. 9 to 12 with BPRF, 25 to 32 with HPRF.
  case preambleCodeIndex(UInt8)
  /// SFD_ID. 0 or 2 with BPRF, 1 to 4 with HPRF.
  case sfdID(UInt8)
  /// PSDU_DATA_RATE.
  case psduDataRate(UCIPSDUDataRate)
  /// PREAMBLE_DURATION.
  case preambleDuration(UCIPreambleDuration)
  /// LINK_LAYER_MODE. 0 is bypass.
  case linkLayerMode(UInt8)
  /// DATA_REPETITION_COUNT.
  case dataRepetitionCount(UInt8)
  /// RANGING_TIME_STRUCT.
  case rangingTimeStructure(UCIRangingTimeStructure)
  /// SLOTS_PER_RR.
  case slotsPerRound(UInt8)
  /// TX_ADAPTIVE_PAYLOAD_POWER.
  case txAdaptivePayloadPower(UInt8)
  /// AOA_BOUND_CONFIG.
  case angleBounds(UCIAngleBounds)
  /// RESPONDER_SLOT_INDEX.
  case responderSlotIndex(UInt8)
  /// PRF_MODE.
  case prfMode(UCIPRFMode)
  /// CAP_SIZE_RANGE. The size of the contention access period in slots; the default maximum is SLOTS_PER_RR
  /// − 1.
  case contentionSizeRange(maximum: UInt8, minimum: UInt8)
  /// TX_JITTER_WINDOW_SIZE.
  case txJitterWindowSize(UInt8)
  /// SCHEDULE_MODE. Mandatory.
  case scheduleMode(UCIScheduleMode)
  /// KEY_ROTATION.
  case keyRotation(UInt8)
  /// KEY_ROTATION_RATE.
  case keyRotationRate(UInt8)
  /// SESSION_PRIORITY.
  case sessionPriority(UInt8)
  /// MAC_ADDRESS_MODE.
  case macAddressMode(UCIMACAddressMode)
  /// VENDOR_ID. Determines the static STS together with STATIC_STS_IV; little-endian on the wire.
  case vendorID(UInt16)
  /// STATIC_STS_IV. The other part of the static STS: 6 octets, in order.
  case staticSTSIV([UInt8])
  /// NUMBER_OF_STS_SEGMENTS. 0 with SP0.
  case numberOfSTSSegments(UInt8)
  /// MAX_RR_RETRY. 0 means that the session never gives up.
  case maxRoundRetries(UInt16)
  /// UWB_INITIATION_TIME.
  case initiationTime(UCIInitiationTime)
  /// HOPPING_MODE.
  case hoppingMode(UInt8)
  /// BLOCK_STRIDE_LENGTH.
  case blockStrideLength(UInt8)
  /// RESULT_REPORT_CONFIG. Bit 0: time of flight; 1: azimuth; 2: elevation; 3: figure of merit.
  case resultReportConfiguration(UInt8)
  /// IN_BAND_TERMINATION_ATTEMPT_COUNT.
  case inBandTerminationAttemptCount(UInt8)
  /// SUB_SESSION_ID.
  case subSessionID(UInt32)
  /// BPRF_PHR_DATA_RATE.
  case bprfPHRDataRate(UCIPHRDataRate)
  /// MAX_NUMBER_OF_MEASUREMENTS. 0 means no limit.
  case maxNumberOfMeasurements(UInt16)
  /// UL_TDOA_TX_INTERVAL.
  case uplinkTDoATxInterval(milliseconds: UInt32)
  /// UL_TDOA_RANDOM_WINDOW.
  case uplinkTDoARandomWindow(milliseconds: UInt32)
  /// STS_LENGTH.
  case stsLength(UCISTSLength)
  /// SUSPEND_RANGING_ROUNDS.
  case suspendRangingRounds(UInt8)
  /// UL_TDOA_NTF_REPORT_CONFIG.
  case uplinkTDoAReportConfiguration(UInt8)
  /// UL_TDOA_DEVICE_ID. One octet for the kind of id, then 0, 2, 4 or 8 octets.
  case uplinkTDoADeviceID([UInt8])
  /// UL_TDOA_TX_TIMESTAMP.
  case uplinkTDoATxTimestamp(UInt8)
  /// MIN_FRAMES_PER_RR.
  case minFramesPerRound(UInt8)
  /// MTU_SIZE. Octets.
  case mtuSize(UInt16)
  /// INTER_FRAME_INTERVAL.
  case interFrameInterval(UInt8)
  /// DL_TDOA_RANGING_METHOD.
  case downlinkTDoARangingMethod(UInt8)
  /// DL_TDOA_TX_TIMESTAMP_CONF.
  case downlinkTDoATxTimestamp(UInt8)
  /// DL_TDOA_HOP_COUNT.
  case downlinkTDoAHopCount(UInt8)
  /// DL_TDOA_ANCHOR_CFO.
  case downlinkTDoAAnchorCFO(UInt8)
  /// DL_TDOA_ANCHOR_LOCATION. One octet for the kind of location, then 0 octets (none), 10 (relative) or 12
  /// (WGS-84).
  case downlinkTDoAAnchorLocation([UInt8])
  /// DL_TDOA_TX_ACTIVE_RANGING_ROUNDS.
  case downlinkTDoATxActiveRounds(UInt8)
  /// DL_TDOA_BLOCK_SKIPPING. On an anchor, BLOCK_STRIDING.
  case downlinkTDoABlockSkipping(UInt8)
  /// DL_TDOA_TIME_REFERENCE_ANCHOR.
  case downlinkTDoATimeReference(UInt8)
  /// SESSION_KEY.
  case sessionKey([UInt8])
  /// SUB_SESSION_KEY.
  case subSessionKey([UInt8])
  /// SESSION_DATA_TRANSFER_STATUS_NTF_CONFIG.
  case dataTransferStatusConfiguration(UInt8)
  /// SESSION_TIME_BASE.
  case sessionTimeBase(UCISessionTimeBase)
  /// DL_TDOA_RESPONDER_TOF.
  case downlinkTDoAResponderToF(UInt8)
  /// SECURE_RANGING_NEFA_LEVEL. Its length is not known.
  case secureRangingNEFALevel([UInt8])
  /// SECURE_RANGING_CSW_LENGTH. Its length is not known.
  case secureRangingCSWLength([UInt8])
  /// APPLICATION_DATA_ENDPOINT.
  case applicationDataEndpoint(UInt8)
  /// OWR_AOA_MEASUREMENT_NTF_PERIOD.
  case oneWayAngleNotificationPeriod(UInt8)
  /// DL_TDOA_MEASUREMENT_NTF_V2. 0 for version 1 of the measurements, 1 for version 2.
  case downlinkTDoANotificationVersion(UInt8)
  /// INITIATOR_DT_ANCHOR_ROUND_INDEX. The rounds in which an anchor is the initiator.
  case downlinkTDoAInitiatorRounds([UInt8])
  /// CCC_HOP_MODE_KEY.
  case cccHopModeKey([UInt8])
  /// CCC_UWB_TIME0.
  case cccTime0([UInt8])
  /// CCC_RANGING_PROTOCOL_VER.
  case cccProtocolVersion(UInt16)
  /// CCC_UWB_CONFIG_ID.
  case cccConfigurationID(UInt16)
  /// CCC_PULSESHAPE_COMBO.
  case cccPulseShape(UInt8)
  /// CCC_URSK_TTL.
  case cccURSKTimeToLive(UInt16)
  /// CCC_LAST_INDEX_USED.
  case cccLastSTSIndex(UInt32)
  /// ALIRO_MAC_MODE.
  case aliroMACMode(UInt8)
  /// NB_OF_RANGE_MEASUREMENTS. For interleaved measurements; Android only.
  case numberOfRangeMeasurements(UInt8)
  /// NB_OF_AZIMUTH_MEASUREMENTS. For interleaved measurements; Android only.
  case numberOfAzimuthMeasurements(UInt8)
  /// NB_OF_ELEVATION_MEASUREMENTS. For interleaved measurements; Android only.
  case numberOfElevationMeasurements(UInt8)
  /// RX_ANTENNA_SELECTION. Qorvo only.
  case rxAntenna(UInt8)
  /// TX_ANTENNA_SELECTION. Qorvo only.
  case txAntenna(UInt8)
  /// ENABLE_DIAGNOSTICS. Android only.
  case enablesDiagnostics(UInt8)
  /// DIAGNOSTICS_FRAME_REPORTS_FIELDS. Android only.
  case diagnosticsFields(UInt8)
  /// ANTENNA_MODE. Android only.
  case antennaMode(UInt8)
  /// An unknown parameter; its octets are kept.
  case unknown(id: UInt8, [UInt8])
}
