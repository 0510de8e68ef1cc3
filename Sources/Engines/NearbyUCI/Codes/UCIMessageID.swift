/// The group (GID) and opcode (OID) that identify a control packet's message.
package struct UCIMessageID: Hashable, Sendable {
  /// GID, 0 to 15.
  package var group: UInt8
  /// OID, 0 to 63.
  package var opcode: UInt8

  @inline(__always)
  package init(group: UInt8, opcode: UInt8) {
    self.group = group & 0x0F
    self.opcode = opcode & 0x3F
  }

  package static let coreGroup: UInt8 = 0
  package static let sessionConfigurationGroup: UInt8 = 1
  package static let sessionControlGroup: UInt8 = 2
  package static let dataControlGroup: UInt8 = 3
  package static let androidGroup: UInt8 = 0x0C

  package static let deviceReset = UCIMessageID(group: 0, opcode: 0x00)
  package static let deviceStatus = UCIMessageID(group: 0, opcode: 0x01)
  package static let deviceInfo = UCIMessageID(group: 0, opcode: 0x02)
  package static let capabilities = UCIMessageID(group: 0, opcode: 0x03)
  package static let setDeviceConfiguration = UCIMessageID(group: 0, opcode: 0x04)
  package static let getDeviceConfiguration = UCIMessageID(group: 0, opcode: 0x05)
  package static let deviceSuspend = UCIMessageID(group: 0, opcode: 0x06)
  package static let genericError = UCIMessageID(group: 0, opcode: 0x07)
  package static let queryTimestamp = UCIMessageID(group: 0, opcode: 0x08)
  package static let sessionInit = UCIMessageID(group: 1, opcode: 0x00)
  package static let sessionDeinit = UCIMessageID(group: 1, opcode: 0x01)
  package static let sessionStatus = UCIMessageID(group: 1, opcode: 0x02)
  package static let setAppConfiguration = UCIMessageID(group: 1, opcode: 0x03)
  package static let getAppConfiguration = UCIMessageID(group: 1, opcode: 0x04)
  package static let sessionCount = UCIMessageID(group: 1, opcode: 0x05)
  package static let sessionState = UCIMessageID(group: 1, opcode: 0x06)
  package static let multicastList = UCIMessageID(group: 1, opcode: 0x07)
  package static let dtAnchorRounds = UCIMessageID(group: 1, opcode: 0x08)
  package static let dtTagRounds = UCIMessageID(group: 1, opcode: 0x09)
  package static let initiatorAnchorRounds = UCIMessageID(group: 1, opcode: 0x0A)
  package static let queryDataSize = UCIMessageID(group: 1, opcode: 0x0B)
  package static let hybridController = UCIMessageID(group: 1, opcode: 0x0C)
  package static let hybridControlee = UCIMessageID(group: 1, opcode: 0x0D)
  package static let dataTransferPhase = UCIMessageID(group: 1, opcode: 0x0E)
  package static let sessionStart = UCIMessageID(group: 2, opcode: 0x00)
  /// SESSION_INFO_NTF has the same group and opcode as SESSION_START.
  package static let sessionInfo = UCIMessageID(group: 2, opcode: 0x00)
  package static let sessionStop = UCIMessageID(group: 2, opcode: 0x01)
  package static let rangingCount = UCIMessageID(group: 2, opcode: 0x03)
  package static let dataCredit = UCIMessageID(group: 2, opcode: 0x04)
  package static let dataTransferStatus = UCIMessageID(group: 2, opcode: 0x05)
  // Android's vendor group.
  package static let powerStatistics = UCIMessageID(group: androidGroup, opcode: 0x00)
  package static let countryCode = UCIMessageID(group: androidGroup, opcode: 0x01)
  package static let rangeDiagnostics = UCIMessageID(group: androidGroup, opcode: 0x02)

  /// The status that rejects a command whose id the controller does not implement: UNKNOWN_OID, or
  /// UNKNOWN_GID if the group is unknown too.
  package var unknownStatus: UCIStatus {
    group <= Self.dataControlGroup || group == Self.androidGroup ? .unknownOpcode : .unknownGroup
  }
}
