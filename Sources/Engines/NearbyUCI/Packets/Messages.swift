/// What stands for a session on the wire: its id in 1.x, the handle of SESSION_INIT_RSP in 2.0.
package struct UCISessionToken: Hashable, Sendable, Comparable {
  package var rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A MAC address of 2 or 8 octets, little-endian on the wire.
package enum UCIAddress: Hashable, Sendable, Comparable {
  case short(UInt16)
  case extended(UInt64)

  /// The address as data messages carry it: short addresses are zero-extended.
  package var zeroExtended: UInt64 {
    switch self {
    case .short(let value): UInt64(value)
    case .extended(let value): value
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.zeroExtended < right.zeroExtended }
}

/// One parameter as it travels: id, length, value.
package struct UCITLV: Hashable, Sendable {
  package var id: UInt8
  /// 0 to 255 octets.
  package var value: [UInt8]
  package init(id: UInt8, value: [UInt8]) {
    self.id = id
    self.value = value
  }
}

/// The status of one parameter that a controller refused.
package struct UCIParameterStatus: Hashable, Sendable {
  package var id: UInt8
  package var status: UCIStatus
  package init(id: UInt8, status: UCIStatus) {
    self.id = id
    self.status = status
  }
}

/// A protocol version: major in the first octet, minor and maintenance in the nibbles of the second.
package struct UCIVersion: Hashable, Sendable, CustomStringConvertible {
  package var major: UInt8
  /// 0 to 15.
  package var minor: UInt8
  /// 0 to 15.
  package var maintenance: UInt8
  package init(major: UInt8, minor: UInt8, maintenance: UInt8 = 0) {
    self.major = major
    self.minor = minor & 0x0F
    self.maintenance = maintenance & 0x0F
  }
  package var description: String { "\(major).\(minor).\(maintenance)" }
}

/// The answer to GET_DEVICE_INFO (section 2).
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

/// What a multicast list update does (section 3).
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
  /// 0, 16 or 32 octets, as the action says.
  package var key: [UInt8]
  package init(address: UInt16, subSessionID: UInt32, key: [UInt8] = []) {
    self.address = address
    self.subSessionID = subSessionID
    self.key = key
  }
}

/// What became of one controlee. `subSessionID` travels in the 1.x notification only.
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

/// A command of the host to the controller (sections 2 to 4).
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
  /// `control` has the sizes of the entries' fields.
  case configureDataTransferPhase(
    UCISessionToken, repetition: UInt8, control: UInt8, [UCITransferPhaseEntry])
  case sessionStart(UCISessionToken)
  case sessionStop(UCISessionToken)
  case getRangingCount(UCISessionToken)
  /// Android's.
  case getPowerStatistics
  /// Android's: two octets.
  case setCountryCode([UInt8])
  /// A command this codec has no form for, or a vendor's; both ids and the payload are kept.
  case unknown(group: UInt8, opcode: UInt8, payload: [UInt8])
}

/// A controller's answer to a command (sections 2 to 4).
package enum UCIResponse: Hashable, Sendable {
  case deviceReset(UCIStatus)
  /// `nil` information when the status is not OK.
  case deviceInfo(UCIStatus, UCIDeviceInfo?)
  case capabilities(UCIStatus, [UCITLV])
  case setDeviceConfiguration(UCIStatus, [UCIParameterStatus])
  case deviceConfiguration(UCIStatus, [UCITLV])
  case deviceSuspend(UCIStatus)
  case timestamp(UCIStatus, microseconds: UInt64)
  /// The handle is `nil` in 1.x and when the status is not OK.
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
  /// A bare status where the command has a longer form: the controller could not take the command.
  case bareStatus(group: UInt8, opcode: UInt8, UCIStatus)
  case unknown(group: UInt8, opcode: UInt8, payload: [UInt8])
}

/// What a controller says unasked (sections 2 to 5).
package enum UCINotification: Hashable, Sendable {
  case deviceStatus(UCIDeviceState)
  case genericError(UCIStatus)
  case sessionStatus(UCISessionToken, UCISessionState, UCIReason)
  /// `remaining` travels in 1.x only.
  case multicastList(UCISessionToken, remaining: UInt8?, [UCIControleeStatus])
  case dataTransferPhase(UCISessionToken, UCITransferPhaseStatus)
  case sessionInfo(UCISessionInfo)
  case dataCredit(UCISessionToken, isAvailable: Bool)
  case dataTransferStatus(
    UCISessionToken, sequence: UInt16, UCITransferStatus, transmissions: UInt8)
  /// Android's.
  case rangeDiagnostics(UCIRangeDiagnostics)
  case unknown(group: UInt8, opcode: UInt8, payload: [UInt8])
}

/// Application data on its way out or in (section 5).
package enum UCIDataMessage: Hashable, Sendable {
  case send(UCISessionToken, destination: UInt64, sequence: UInt16, [UInt8])
  case received(UCISessionToken, UCIStatus, source: UInt64, sequence: UInt16, [UInt8])
  /// A data packet format this codec has no form for.
  case unknown(format: UInt8, payload: [UInt8])
}

/// Any whole message, after reassembly.
package enum UCIMessage: Hashable, Sendable {
  case command(UCICommand)
  case response(UCIResponse)
  case notification(UCINotification)
  case data(UCIDataMessage)
}
