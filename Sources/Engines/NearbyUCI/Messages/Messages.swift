/// The answer to GET_DEVICE_INFO.
package struct UCIDeviceInfo: Hashable, Sendable {
  package var uci: UCIVersion
  package var mac: UCIVersion
  package var phy: UCIVersion
  package var test: UCIVersion
  package var vendor: [UInt8]
  package init(
    uci: UCIVersion, mac: UCIVersion, phy: UCIVersion, test: UCIVersion, vendor: [UInt8] = []
  ) {
    self.uci = uci
    self.mac = mac
    self.phy = phy
    self.test = test
    self.vendor = vendor
  }
}

/// The action of a multicast list update.
package enum UCIMulticastAction: Hashable, Sendable {
  case add
  case delete
  case addWithShortKey
  case addWithLongKey
  case unknown(UInt8)
}

/// One controlee of a multicast list update.
package struct UCIControlee: Hashable, Sendable {
  package var address: UInt16
  package var subSessionID: UInt32
  /// 0, 16 or 32 octets, depending on the action.
  package var key: [UInt8]
  package init(address: UInt16, subSessionID: UInt32, key: [UInt8] = []) {
    self.address = address
    self.subSessionID = subSessionID
    self.key = key
  }
}

/// The result of an update for one controlee. Only the notification of 1.x contains `subSessionID`.
package struct UCIControleeStatus: Hashable, Sendable {
  package var address: UInt16
  package var subSessionID: UInt32?
  package var status: UCIMulticastStatus
  package init(address: UInt16, subSessionID: UInt32? = nil, status: UCIMulticastStatus) {
    self.address = address
    self.subSessionID = subSessionID
    self.status = status
  }
}

/// A command from the host to the controller.
package enum UCICommand: Hashable, Sendable {
  case deviceReset(configuration: UInt8)
  case getDeviceInfo
  case getCapabilities
  case setDeviceConfiguration([UCITLV])
  case getDeviceConfiguration([UInt8])
  case deviceSuspend
  case queryTimestamp
  case sessionInit(sessionID: UInt32, type: UCISessionType)
  case sessionDeinit(UCISessionToken)
  case setAppConfiguration(UCISessionToken, [UCITLV])
  case getAppConfiguration(UCISessionToken, [UInt8])
  case getSessionCount
  case getSessionState(UCISessionToken)
  case updateMulticastList(UCISessionToken, UCIMulticastAction, [UCIControlee])
  case updateDTAnchorRounds(UCISessionToken, [UCIAnchorRound])
  case updateDTTagRounds(UCISessionToken, [UInt8])
  case setInitiatorAnchorRounds(UCISessionToken, [UCIAnchorRoundResponders])
  case queryDataSize(UCISessionToken)
  case setHybridControllerPhases(UCISessionToken, UCIHybridSchedule)
  case setHybridControleePhases(UCISessionToken, [UCISessionToken])
  /// `control` determines the sizes of the entries' fields; see `UCITransferPhaseEntry`.
  case configureDataTransferPhase(
    UCISessionToken, repetition: UInt8, control: UInt8, [UCITransferPhaseEntry])
  case sessionStart(UCISessionToken)
  case sessionStop(UCISessionToken)
  case getRangingCount(UCISessionToken)
  /// Android only.
  case getPowerStatistics
  /// Android only: a country code of two octets.
  case setCountryCode([UInt8])
  /// A vendor's command, or one that this codec does not know; its ids and payload are kept.
  case unknown(group: UInt8, opcode: UInt8, payload: [UInt8])
}

/// A controller's answer to a command.
package enum UCIResponse: Hashable, Sendable {
  case deviceReset(UCIStatus)
  /// The information is `nil` if the status is not OK.
  case deviceInfo(UCIStatus, UCIDeviceInfo?)
  case capabilities(UCIStatus, [UCITLV])
  case setDeviceConfiguration(UCIStatus, [UCIParameterStatus])
  case deviceConfiguration(UCIStatus, [UCITLV])
  case deviceSuspend(UCIStatus)
  case timestamp(UCIStatus, microseconds: UInt64)
  /// The handle is `nil` in 1.x, and if the status is not OK.
  case sessionInit(UCIStatus, handle: UCISessionToken?)
  case sessionDeinit(UCIStatus)
  case setAppConfiguration(UCIStatus, [UCIParameterStatus])
  case appConfiguration(UCIStatus, [UCITLV])
  case sessionCount(UCIStatus, UInt8)
  case sessionState(UCIStatus, UCISessionState)
  /// The list is empty in 1.x.
  case updateMulticastList(UCIStatus, [UCIControleeStatus])
  case updateDTAnchorRounds(UCIStatus, failed: [UInt8])
  case updateDTTagRounds(UCIStatus, failed: [UInt8])
  case dataSize(UCISessionToken, UCIStatus, maximum: UInt16)
  case setInitiatorAnchorRounds(UCIStatus, failed: [UInt8])
  case setHybridControllerPhases(UCIStatus)
  case setHybridControleePhases(UCIStatus)
  case configureDataTransferPhase(UCIStatus)
  case sessionStart(UCIStatus)
  case sessionStop(UCIStatus)
  case rangingCount(UCIStatus, UInt32)
  case powerStatistics(UCIStatus, UCIPowerStatistics)
  case setCountryCode(UCIStatus)
  /// Only a status, although the response normally has more fields: the controller rejected the command.
  case bareStatus(group: UInt8, opcode: UInt8, UCIStatus)
  case unknown(group: UInt8, opcode: UInt8, payload: [UInt8])
}

/// A notification, which a controller sends unprompted.
package enum UCINotification: Hashable, Sendable {
  case deviceStatus(UCIDeviceState)
  case genericError(UCIStatus)
  case sessionStatus(UCISessionToken, UCISessionState, UCIReason)
  /// Only 1.x contains `remaining`.
  case multicastList(UCISessionToken, remaining: UInt8?, [UCIControleeStatus])
  case dataTransferPhase(UCISessionToken, UCITransferPhaseStatus)
  case sessionInfo(UCISessionInfo)
  case dataCredit(UCISessionToken, isAvailable: Bool)
  case dataTransferStatus(
    UCISessionToken, sequence: UInt16, UCITransferStatus, transmissions: UInt8)
  /// Android only.
  case rangeDiagnostics(UCIRangeDiagnostics)
  case unknown(group: UInt8, opcode: UInt8, payload: [UInt8])
}

/// Application data, sent or received.
package enum UCIDataMessage: Hashable, Sendable {
  case send(UCISessionToken, destination: UInt64, sequence: UInt16, [UInt8])
  case received(UCISessionToken, UCIStatus, source: UInt64, sequence: UInt16, [UInt8])
  /// A data packet format that this codec does not know.
  case unknown(format: UInt8, payload: [UInt8])
}

/// Any complete message, after reassembly.
package enum UCIMessage: Hashable, Sendable {
  case command(UCICommand)
  case response(UCIResponse)
  case notification(UCINotification)
  case data(UCIDataMessage)
}
