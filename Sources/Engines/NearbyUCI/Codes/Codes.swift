/// A one-octet code on the wire. Unknown and reserved values are kept, so that they survive a round trip.
///
/// Source: FiRa UCI Generic Specification 2.0, and AOSP's `uci_packets.pdl` for Android's own codes.
package protocol UCICode: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == UInt8 {
  init(rawValue: UInt8)
  /// The specification's name for each known value.
  static var names: [(Self, String)] { get }
}

extension UCICode {
  package var description: String {
    Self.names.first { $0.0 == self }?.1 ?? "unknown(\(rawValue))"
  }
}

/// The status of a response, a notification or a measurement.
package struct UCIStatus: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let ok = UCIStatus(rawValue: 0x00)
  package static let rejected = UCIStatus(rawValue: 0x01)
  package static let failed = UCIStatus(rawValue: 0x02)
  package static let syntaxError = UCIStatus(rawValue: 0x03)
  package static let invalidParameter = UCIStatus(rawValue: 0x04)
  package static let invalidRange = UCIStatus(rawValue: 0x05)
  package static let invalidMessageSize = UCIStatus(rawValue: 0x06)
  package static let unknownGroup = UCIStatus(rawValue: 0x07)
  package static let unknownOpcode = UCIStatus(rawValue: 0x08)
  package static let readOnly = UCIStatus(rawValue: 0x09)
  package static let commandRetry = UCIStatus(rawValue: 0x0A)
  package static let unknown = UCIStatus(rawValue: 0x0B)
  package static let notApplicable = UCIStatus(rawValue: 0x0C)
  package static let sessionDoesNotExist = UCIStatus(rawValue: 0x11)
  package static let sessionDuplicate = UCIStatus(rawValue: 0x12)
  package static let sessionActive = UCIStatus(rawValue: 0x13)
  package static let tooManySessions = UCIStatus(rawValue: 0x14)
  package static let sessionNotConfigured = UCIStatus(rawValue: 0x15)
  package static let activeSessionsOngoing = UCIStatus(rawValue: 0x16)
  package static let multicastListFull = UCIStatus(rawValue: 0x17)
  package static let addressNotFound = UCIStatus(rawValue: 0x18)
  package static let addressAlreadyPresent = UCIStatus(rawValue: 0x19)
  package static let initiationTimeTooOld = UCIStatus(rawValue: 0x1A)
  package static let okNegativeDistance = UCIStatus(rawValue: 0x1B)
  package static let txFailed = UCIStatus(rawValue: 0x20)
  package static let rxTimeout = UCIStatus(rawValue: 0x21)
  package static let rxPhyDecodeFailed = UCIStatus(rawValue: 0x22)
  package static let rxTimeOfArrivalFailed = UCIStatus(rawValue: 0x23)
  package static let rxStsFailed = UCIStatus(rawValue: 0x24)
  package static let rxMacDecodeFailed = UCIStatus(rawValue: 0x25)
  package static let rxMacIEDecodeFailed = UCIStatus(rawValue: 0x26)
  package static let rxMacIEMissing = UCIStatus(rawValue: 0x27)
  package static let roundNotActivated = UCIStatus(rawValue: 0x28)
  package static let tooManyActiveRounds = UCIStatus(rawValue: 0x29)
  package static let addressNotInReplyList = UCIStatus(rawValue: 0x2A)
  package static let psduTooLarge = UCIStatus(rawValue: 0x30)
  package static let dataCRCFailed = UCIStatus(rawValue: 0x31)
  package static let internalError = UCIStatus(rawValue: 0xFF)

  package static let names: [(UCIStatus, String)] = [
    (.ok, "OK"), (.rejected, "REJECTED"), (.failed, "FAILED"), (.syntaxError, "SYNTAX_ERROR"),
    (.invalidParameter, "INVALID_PARAM"), (.invalidRange, "INVALID_RANGE"),
    (.invalidMessageSize, "INVALID_MESSAGE_SIZE"), (.unknownGroup, "UNKNOWN_GID"),
    (.unknownOpcode, "UNKNOWN_OID"), (.readOnly, "READ_ONLY"), (.commandRetry, "COMMAND_RETRY"),
    (.unknown, "UNKNOWN"), (.notApplicable, "NOT_APPLICABLE"),
    (.sessionDoesNotExist, "ERROR_SESSION_NOT_EXIST"), (.sessionDuplicate, "ERROR_SESSION_DUPLICATE"),
    (.sessionActive, "ERROR_SESSION_ACTIVE"), (.tooManySessions, "ERROR_MAX_SESSIONS_EXCEEDED"),
    (.sessionNotConfigured, "ERROR_SESSION_NOT_CONFIGURED"),
    (.activeSessionsOngoing, "ERROR_ACTIVE_SESSIONS_ONGOING"),
    (.multicastListFull, "ERROR_MULTICAST_LIST_FULL"), (.addressNotFound, "ERROR_ADDRESS_NOT_FOUND"),
    (.addressAlreadyPresent, "ERROR_ADDRESS_ALREADY_PRESENT"),
    (.initiationTimeTooOld, "ERROR_UWB_INITIATION_TIME_TOO_OLD"),
    (.okNegativeDistance, "OK_NEGATIVE_DISTANCE_REPORT"), (.txFailed, "RANGING_TX_FAILED"),
    (.rxTimeout, "RANGING_RX_TIMEOUT"), (.rxPhyDecodeFailed, "RANGING_RX_PHY_DEC_FAILED"),
    (.rxTimeOfArrivalFailed, "RANGING_RX_PHY_TOA_FAILED"),
    (.rxStsFailed, "RANGING_RX_PHY_STS_FAILED"), (.rxMacDecodeFailed, "RANGING_RX_MAC_DEC_FAILED"),
    (.rxMacIEDecodeFailed, "RANGING_RX_MAC_IE_DEC_FAILED"),
    (.rxMacIEMissing, "RANGING_RX_MAC_IE_MISSING"),
    (.roundNotActivated, "ERROR_ROUND_INDEX_NOT_ACTIVATED"),
    (.tooManyActiveRounds, "ERROR_NUMBER_OF_ACTIVE_RANGING_ROUNDS_EXCEEDED"),
    (.addressNotInReplyList, "ERROR_DL_TDOA_DEVICE_ADDRESS_NOT_MATCHING_IN_REPLY_TIME_LIST"),
    (.psduTooLarge, "ERROR_DATA_MAX_TX_PSDU_SIZE_EXCEEDED"), (.dataCRCFailed, "ERROR_DATA_RX_CRC"),
    (.internalError, "INTERNAL_ERROR"),
  ]
}

/// The state of the controller itself, as DEVICE_STATUS_NTF reports it.
package struct UCIDeviceState: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let initialising = UCIDeviceState(rawValue: 0x00)
  package static let ready = UCIDeviceState(rawValue: 0x01)
  package static let active = UCIDeviceState(rawValue: 0x02)
  package static let error = UCIDeviceState(rawValue: 0xFF)
  package static let names: [(UCIDeviceState, String)] = [
    (.initialising, "INIT"), (.ready, "READY"), (.active, "ACTIVE"), (.error, "ERROR"),
  ]
}

/// A session's state. The values are not in life-cycle order: IDLE is 3 and DEINIT is 1.
package struct UCISessionState: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let initialised = UCISessionState(rawValue: 0x00)
  package static let deinitialised = UCISessionState(rawValue: 0x01)
  package static let active = UCISessionState(rawValue: 0x02)
  package static let idle = UCISessionState(rawValue: 0x03)
  package static let error = UCISessionState(rawValue: 0xFF)
  package static let names: [(UCISessionState, String)] = [
    (.initialised, "INIT"), (.deinitialised, "DEINIT"), (.active, "ACTIVE"), (.idle, "IDLE"),
    (.error, "ERROR"),
  ]
}

/// The reason code of SESSION_STATUS_NTF: why a session changed its state.
package struct UCIReason: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let byCommand = UCIReason(rawValue: 0x00)
  package static let maxRoundRetries = UCIReason(rawValue: 0x01)
  package static let maxMeasurements = UCIReason(rawValue: 0x02)
  package static let suspendedInBand = UCIReason(rawValue: 0x03)
  package static let resumedInBand = UCIReason(rawValue: 0x04)
  package static let stoppedInBand = UCIReason(rawValue: 0x05)
  package static let slotLength = UCIReason(rawValue: 0x20)
  package static let tooFewSlots = UCIReason(rawValue: 0x21)
  package static let macAddressMode = UCIReason(rawValue: 0x22)
  package static let rangingDuration = UCIReason(rawValue: 0x23)
  package static let stsConfiguration = UCIReason(rawValue: 0x24)
  package static let rframeConfiguration = UCIReason(rawValue: 0x25)
  package static let sessionKeyNotFound = UCIReason(rawValue: 0x2A)
  package static let subSessionKeyNotFound = UCIReason(rawValue: 0x2B)
  package static let preambleCode = UCIReason(rawValue: 0x2C)
  package static let sfd = UCIReason(rawValue: 0x2D)
  package static let psduRate = UCIReason(rawValue: 0x2E)
  package static let phrRate = UCIReason(rawValue: 0x2F)
  package static let preambleDuration = UCIReason(rawValue: 0x30)
  package static let stsLength = UCIReason(rawValue: 0x31)
  package static let stsSegments = UCIReason(rawValue: 0x32)
  package static let numberOfControlees = UCIReason(rawValue: 0x33)
  package static let destinationList = UCIReason(rawValue: 0x35)
  package static let rangingRoundUsage = UCIReason(rawValue: 0x39)
  package static let multiNodeMode = UCIReason(rawValue: 0x3A)
  package static let initiationTimeExpired = UCIReason(rawValue: 0x42)
  package static let uplinkTDoAWindow = UCIReason(rawValue: 0x1D)
  package static let minFrames = UCIReason(rawValue: 0x1E)
  package static let interFrameInterval = UCIReason(rawValue: 0x1F)
  package static let hybridSlots = UCIReason(rawValue: 0x26)
  package static let hybridContentionFreeShort = UCIReason(rawValue: 0x27)
  package static let hybridContentionShort = UCIReason(rawValue: 0x28)
  package static let hybridOther = UCIReason(rawValue: 0x29)
  package static let maxReplyTime = UCIReason(rawValue: 0x34)
  package static let subSessionID = UCIReason(rawValue: 0x36)
  package static let resultReportConfiguration = UCIReason(rawValue: 0x37)
  package static let rangingRoundControl = UCIReason(rawValue: 0x38)
  package static let rdsFetch = UCIReason(rawValue: 0x3B)
  package static let referenceSessionMissing = UCIReason(rawValue: 0x3C)
  package static let referenceSessionDuration = UCIReason(rawValue: 0x3D)
  package static let referenceSessionOffset = UCIReason(rawValue: 0x3E)
  package static let referenceSessionLost = UCIReason(rawValue: 0x3F)
  package static let anchorRoundsNotConfigured = UCIReason(rawValue: 0x40)
  package static let tagRoundsNotConfigured = UCIReason(rawValue: 0x41)
  package static let names: [(UCIReason, String)] = [
    (.uplinkTDoAWindow, "ERROR_INVALID_UL_TDOA_RANDOM_WINDOW"),
    (.minFrames, "ERROR_MIN_RFRAMES_PER_RR_NOT_SUPPORTED"),
    (.interFrameInterval, "ERROR_INTER_FRAME_INTERVAL_NOT_SUPPORTED"),
    (.hybridSlots, "ERROR_HUS_NOT_ENOUGH_SLOTS"),
    (.hybridContentionFreeShort, "ERROR_HUS_CFP_PHASE_TOO_SHORT"),
    (.hybridContentionShort, "ERROR_HUS_CAP_PHASE_TOO_SHORT"), (.hybridOther, "ERROR_HUS_OTHERS"),
    (.maxReplyTime, "ERROR_INVALID_MAX_REPLY_TIME"), (.subSessionID, "ERROR_INVALID_SUB_SESSION_ID"),
    (.resultReportConfiguration, "ERROR_INVALID_RESULT_REPORT_CONFIG"),
    (.rangingRoundControl, "ERROR_INVALID_RANGING_ROUND_CONTROL_CONFIG"),
    (.rdsFetch, "ERROR_RDS_FETCH_FAILURE"),
    (.referenceSessionMissing, "ERROR_REF_UWB_SESSION_DOES_NOT_EXIST"),
    (.referenceSessionDuration, "ERROR_REF_UWB_SESSION_RANGING_DURATION_MISMATCH"),
    (.referenceSessionOffset, "ERROR_REF_UWB_SESSION_INVALID_OFFSET_TIME"),
    (.referenceSessionLost, "ERROR_REF_UWB_SESSION_LOST"),
    (.anchorRoundsNotConfigured, "ERROR_DT_ANCHOR_RANGING_ROUNDS_NOT_CONFIGURED"),
    (.tagRoundsNotConfigured, "ERROR_DT_TAG_RANGING_ROUNDS_NOT_CONFIGURED"),
    (.byCommand, "STATE_CHANGE_WITH_SESSION_MANAGEMENT_COMMANDS"),
    (.maxRoundRetries, "MAX_RANGING_ROUND_RETRY_COUNT_REACHED"),
    (.maxMeasurements, "MAX_NUMBER_OF_MEASUREMENTS_REACHED"),
    (.suspendedInBand, "SESSION_SUSPENDED_DUE_TO_INBAND_SIGNAL"),
    (.resumedInBand, "SESSION_RESUMED_DUE_TO_INBAND_SIGNAL"),
    (.stoppedInBand, "SESSION_STOPPED_DUE_TO_INBAND_SIGNAL"),
    (.slotLength, "ERROR_SLOT_LENGTH_NOT_SUPPORTED"), (.tooFewSlots, "ERROR_INSUFFICIENT_SLOTS_PER_RR"),
    (.macAddressMode, "ERROR_MAC_ADDRESS_MODE_NOT_SUPPORTED"),
    (.rangingDuration, "ERROR_INVALID_RANGING_DURATION"), (.stsConfiguration, "ERROR_INVALID_STS_CONFIG"),
    (.rframeConfiguration, "ERROR_INVALID_RFRAME_CONFIG"),
    (.sessionKeyNotFound, "ERROR_SESSION_KEY_NOT_FOUND"),
    (.subSessionKeyNotFound, "ERROR_SUB_SESSION_KEY_NOT_FOUND"),
    (.preambleCode, "ERROR_INVALID_PREAMBLE_CODE_INDEX"), (.sfd, "ERROR_INVALID_SFD_ID"),
    (.psduRate, "ERROR_INVALID_PSDU_DATA_RATE"), (.phrRate, "ERROR_INVALID_PHR_DATA_RATE"),
    (.preambleDuration, "ERROR_INVALID_PREAMBLE_DURATION"), (.stsLength, "ERROR_INVALID_STS_LENGTH"),
    (.stsSegments, "ERROR_INVALID_NUM_OF_STS_SEGMENTS"),
    (.numberOfControlees, "ERROR_INVALID_NUM_OF_CONTROLEES"),
    (.destinationList, "ERROR_INVALID_DST_ADDRESS_LIST"),
    (.rangingRoundUsage, "ERROR_INVALID_RANGING_ROUND_USAGE"),
    (.multiNodeMode, "ERROR_INVALID_MULTI_NODE_MODE"),
    (.initiationTimeExpired, "ERROR_INITIATION_TIME_EXPIRED"),
  ]
}

/// A session's type, as SESSION_INIT_CMD requests it.
package struct UCISessionType: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let ranging = UCISessionType(rawValue: 0x00)
  package static let rangingWithInBandData = UCISessionType(rawValue: 0x01)
  package static let dataTransfer = UCISessionType(rawValue: 0x02)
  package static let rangingOnlyPhase = UCISessionType(rawValue: 0x03)
  package static let inBandDataPhase = UCISessionType(rawValue: 0x04)
  package static let rangingWithDataPhase = UCISessionType(rawValue: 0x05)
  package static let hybridPrimary = UCISessionType(rawValue: 0x9F)
  package static let ccc = UCISessionType(rawValue: 0xA0)
  package static let deviceTestMode = UCISessionType(rawValue: 0xD0)
  package static let radar = UCISessionType(rawValue: 0xA1)
  package static let aliro = UCISessionType(rawValue: 0xA2)
  package static let names: [(UCISessionType, String)] = [
    (.radar, "RADAR"), (.aliro, "ALIRO"),
    (.ranging, "RANGING"), (.rangingWithInBandData, "RANGING_AND_IN_BAND_DATA"),
    (.dataTransfer, "DATA_TRANSFER"), (.rangingOnlyPhase, "RANGING_ONLY_PHASE"),
    (.inBandDataPhase, "IN_BAND_DATA_PHASE"), (.rangingWithDataPhase, "RANGING_WITH_DATA_PHASE"),
    (.hybridPrimary, "HYBRID_PRIMARY"), (.ccc, "CCC"), (.deviceTestMode, "DEVICE_TEST_MODE"),
  ]
}

/// The result of a data transfer. Success is 1, or 0 for one repetition out of several.
package struct UCITransferStatus: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let okRepetition = UCITransferStatus(rawValue: 0)
  package static let ok = UCITransferStatus(rawValue: 1)
  package static let error = UCITransferStatus(rawValue: 2)
  package static let noCredit = UCITransferStatus(rawValue: 3)
  package static let rejected = UCITransferStatus(rawValue: 4)
  package static let sessionTypeNotSupported = UCITransferStatus(rawValue: 5)
  package static let transferOngoing = UCITransferStatus(rawValue: 6)
  package static let invalidFormat = UCITransferStatus(rawValue: 7)
  package static let names: [(UCITransferStatus, String)] = [
    (.okRepetition, "REPETITION_OK"), (.ok, "OK"), (.error, "ERROR_DATA_TRANSFER"),
    (.noCredit, "ERROR_NO_CREDIT_AVAILABLE"), (.rejected, "ERROR_REJECTED"),
    (.sessionTypeNotSupported, "SESSION_TYPE_NOT_SUPPORTED"),
    (.transferOngoing, "ERROR_DATA_TRANSFER_IS_ONGOING"), (.invalidFormat, "INVALID_FORMAT"),
  ]
}

/// The result of configuring a data transfer phase (SESSION_DATA_TRANSFER_PHASE_CONFIG_NTF).
package struct UCITransferPhaseStatus: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let ok = UCITransferPhaseStatus(rawValue: 0)
  package static let duplicateSlots = UCITransferPhaseStatus(rawValue: 1)
  package static let names: [(UCITransferPhaseStatus, String)] = [
    (.ok, "OK"), (.duplicateSlots, "ERROR_DUPLICATE_SLOT_ASSIGNMENT"),
  ]
}

/// The result for one entry of a multicast list update, in the specification's final numbering.
package struct UCIMulticastStatus: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let ok = UCIMulticastStatus(rawValue: 0)
  package static let listFull = UCIMulticastStatus(rawValue: 1)
  package static let keyFetchFailed = UCIMulticastStatus(rawValue: 2)
  package static let subSessionIDNotFound = UCIMulticastStatus(rawValue: 3)
  package static let subSessionKeyNotFound = UCIMulticastStatus(rawValue: 4)
  package static let keyNotApplicable = UCIMulticastStatus(rawValue: 5)
  package static let sessionKeyNotFound = UCIMulticastStatus(rawValue: 6)
  package static let addressNotFound = UCIMulticastStatus(rawValue: 7)
  package static let addressAlreadyPresent = UCIMulticastStatus(rawValue: 8)
  package static let names: [(UCIMulticastStatus, String)] = [
    (.ok, "OK_MULTICAST_LIST_UPDATE"), (.listFull, "ERROR_MULTICAST_LIST_FULL"),
    (.keyFetchFailed, "ERROR_KEY_FETCH_FAIL"), (.subSessionIDNotFound, "ERROR_SUB_SESSION_ID_NOT_FOUND"),
    (.subSessionKeyNotFound, "ERROR_SUB_SESSION_KEY_NOT_FOUND"),
    (.keyNotApplicable, "ERROR_SUB_SESSION_KEY_NOT_APPLICABLE"),
    (.sessionKeyNotFound, "ERROR_SESSION_KEY_NOT_FOUND"), (.addressNotFound, "ERROR_ADDRESS_NOT_FOUND"),
    (.addressAlreadyPresent, "ERROR_ADDRESS_ALREADY_PRESENT"),
  ]
}
