/// The ids of the application parameters that this chip uses.
///
/// Source: FiRa UCI Generic Specification 2.0, application configuration parameters; ids from E8 on are
/// AOSP's.
enum ParameterID {
  static let deviceType: UInt8 = 0x00
  static let rangingRoundUsage: UInt8 = 0x01
  static let stsConfiguration: UInt8 = 0x02
  static let multiNodeMode: UInt8 = 0x03
  static let channel: UInt8 = 0x04
  static let numberOfControlees: UInt8 = 0x05
  static let deviceAddress: UInt8 = 0x06
  static let destinationAddresses: UInt8 = 0x07
  static let slotDuration: UInt8 = 0x08
  static let rangingDuration: UInt8 = 0x09
  static let roundControl: UInt8 = 0x0C
  static let angleRequest: UInt8 = 0x0D
  static let notificationConfiguration: UInt8 = 0x0E
  static let nearProximity: UInt8 = 0x0F
  static let farProximity: UInt8 = 0x10
  static let deviceRole: UInt8 = 0x11
  static let rframeConfiguration: UInt8 = 0x12
  static let rssiReporting: UInt8 = 0x13
  static let preambleCode: UInt8 = 0x14
  static let sfd: UInt8 = 0x15
  static let psduRate: UInt8 = 0x16
  static let preambleDuration: UInt8 = 0x17
  static let dataRepetition: UInt8 = 0x19
  static let timeStructure: UInt8 = 0x1A
  static let slotsPerRound: UInt8 = 0x1B
  static let angleBounds: UInt8 = 0x1D
  static let prfMode: UInt8 = 0x1F
  static let capSizeRange: UInt8 = 0x20
  static let scheduleMode: UInt8 = 0x22
  static let sessionPriority: UInt8 = 0x25
  static let addressMode: UInt8 = 0x26
  static let vendorID: UInt8 = 0x27
  static let staticSTSVector: UInt8 = 0x28
  static let stsSegments: UInt8 = 0x29
  static let maximumRoundRetries: UInt8 = 0x2A
  static let initiationTime: UInt8 = 0x2B
  static let hoppingMode: UInt8 = 0x2C
  static let blockStride: UInt8 = 0x2D
  static let resultReport: UInt8 = 0x2E
  static let inBandTermination: UInt8 = 0x2F
  static let subSessionID: UInt8 = 0x30
  static let phrRate: UInt8 = 0x31
  static let maximumMeasurements: UInt8 = 0x32
  static let stsLength: UInt8 = 0x35
  static let suspendRounds: UInt8 = 0x36
  static let downlinkMethod: UInt8 = 0x3D
  static let downlinkStamps: UInt8 = 0x3E
  static let downlinkClockOffset: UInt8 = 0x40
  static let downlinkLocation: UInt8 = 0x41
  static let downlinkActiveRounds: UInt8 = 0x42
  static let downlinkBlockSkipping: UInt8 = 0x43
  static let downlinkTimeReference: UInt8 = 0x44
  static let sessionKey: UInt8 = 0x45
  static let subSessionKey: UInt8 = 0x46
  static let transferStatusConfiguration: UInt8 = 0x47
  static let downlinkTimeOfFlight: UInt8 = 0x49
  static let downlinkNotification: UInt8 = 0x4F
  static let initiatorRounds: UInt8 = 0x52
  static let diagnostics: UInt8 = 0xE8
  static let diagnosticsFields: UInt8 = 0xE9

  /// The parameters that must be set before a session becomes IDLE.
  static let mandatory: [UInt8] = [
    deviceRole, multiNodeMode, rangingRoundUsage, deviceAddress, scheduleMode, deviceType,
  ]

  /// The parameters that an anchor or tag of DL-TDoA must set: it has no DEVICE_TYPE.
  static let mandatoryForDownlink: [UInt8] = [deviceRole, multiNodeMode, rangingRoundUsage, deviceAddress]

  /// The parameters that may be changed while a session is ACTIVE.
  static let changeableWhileActive: [UInt8] = [
    rangingDuration, notificationConfiguration, nearProximity, farProximity, blockStride, angleBounds,
    suspendRounds,
  ]
}
