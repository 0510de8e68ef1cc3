// This is a table file: how the value of each application parameter is read and written (section 3).

extension UCIAppParameter {
  /// Reads a parameter.
  ///
  /// - Parameter addressMode: What the session's MAC_ADDRESS_MODE says; the list of destinations needs it.
  /// - Throws: `wrongLength` when the id asks for another length, `outOfRange` when it does not allow the
  ///   value. Codes that have no name are kept.
  package init(
    _ tlv: UCITLV, dialect: UCIDialect, addressMode: UCIMACAddressMode = .short
  ) throws(UCIError) {
    let value = UCIParameterValue(tlv)
    switch tlv.id {
    case 0x07: self = .destinationAddresses(try value.addresses(addressMode))
    case 0x2B: self = .initiationTime(try value.initiationTime(dialect))
    case ...0x0F: self = try Self.parseFirst(value)
    case ...0x1F: self = try Self.parseSecond(value)
    case ...0x2F: self = try Self.parseThird(value)
    case ...0x3F: self = try Self.parseFourth(value)
    case ...0x4F: self = try Self.parseFifth(value)
    default: self = try Self.parseVendor(value)
    }
  }

  private static func parseFirst(_ value: UCIParameterValue) throws(UCIError) -> UCIAppParameter {
    switch value.id {
    case 0x00: .deviceType(try value.code())
    case 0x01: .rangingRoundUsage(try value.code())
    case 0x02: .stsConfiguration(try value.code())
    case 0x03: .multiNodeMode(try value.code())
    case 0x04: .channel(try value.code())
    case 0x05: .numberOfControlees(try value.controlees())
    case 0x06: .deviceAddress(try value.address())
    case 0x08: .slotDuration(rstu: try value.uint16())
    case 0x09: .rangingDuration(milliseconds: try value.uint32())
    case 0x0A: .stsIndex(try value.uint32())
    case 0x0B: .macFCSType(try value.code())
    case 0x0C: .rangingRoundControl(try value.uint8())
    case 0x0D: .angleRequest(try value.code())
    case 0x0E: .notificationConfiguration(try value.code())
    case 0x0F: .nearProximity(centimetres: try value.uint16())
    default: .unknown(id: value.id, value.value)
    }
  }

  private static func parseSecond(_ value: UCIParameterValue) throws(UCIError) -> UCIAppParameter {
    switch value.id {
    case 0x10: .farProximity(centimetres: try value.uint16())
    case 0x11: .deviceRole(try value.code())
    case 0x12: .rframeConfiguration(try value.code())
    case 0x13: .rssiReporting(try value.uint8())
    case 0x14: .preambleCodeIndex(try value.uint8())
    case 0x15: .sfdID(try value.uint8())
    case 0x16: .psduDataRate(try value.code())
    case 0x17: .preambleDuration(try value.code())
    case 0x18: .linkLayerMode(try value.uint8())
    case 0x19: .dataRepetitionCount(try value.uint8())
    case 0x1A: .rangingTimeStructure(try value.code())
    case 0x1B: .slotsPerRound(try value.uint8())
    case 0x1C: .txAdaptivePayloadPower(try value.uint8())
    case 0x1D: .angleBounds(try value.angleBounds())
    case 0x1E: .responderSlotIndex(try value.uint8())
    case 0x1F: .prfMode(try value.code())
    default: .unknown(id: value.id, value.value)
    }
  }

  private static func parseThird(_ value: UCIParameterValue) throws(UCIError) -> UCIAppParameter {
    switch value.id {
    case 0x20:
      let pair = try value.uint16()
      return .contentionSizeRange(maximum: UInt8(pair & 0xFF), minimum: UInt8(pair >> 8))
    case 0x21: return .txJitterWindowSize(try value.uint8())
    case 0x22: return .scheduleMode(try value.code())
    case 0x23: return .keyRotation(try value.uint8())
    case 0x24: return .keyRotationRate(try value.uint8())
    case 0x25: return .sessionPriority(try value.uint8())
    case 0x26: return .macAddressMode(try value.code())
    case 0x27: return .vendorID(try value.uint16())
    case 0x28: return .staticSTSIV(try value.octets([6]))
    case 0x29: return .numberOfSTSSegments(try value.uint8())
    case 0x2A: return .maxRoundRetries(try value.uint16())
    case 0x2C: return .hoppingMode(try value.uint8())
    case 0x2D: return .blockStrideLength(try value.uint8())
    case 0x2E: return .resultReportConfiguration(try value.uint8())
    case 0x2F: return .inBandTerminationAttemptCount(try value.uint8())
    default: return .unknown(id: value.id, value.value)
    }
  }

  private static func parseFourth(_ value: UCIParameterValue) throws(UCIError) -> UCIAppParameter {
    switch value.id {
    case 0x30: .subSessionID(try value.uint32())
    case 0x31: .bprfPHRDataRate(try value.code())
    case 0x32: .maxNumberOfMeasurements(try value.uint16())
    case 0x33: .uplinkTDoATxInterval(milliseconds: try value.uint32())
    case 0x34: .uplinkTDoARandomWindow(milliseconds: try value.uint32())
    case 0x35: .stsLength(try value.code())
    case 0x36: .suspendRangingRounds(try value.uint8())
    case 0x37: .uplinkTDoAReportConfiguration(try value.uint8())
    case 0x38: .uplinkTDoADeviceID(try value.octets([1, 3, 5, 9]))
    case 0x39: .uplinkTDoATxTimestamp(try value.uint8())
    case 0x3A: .minFramesPerRound(try value.uint8())
    case 0x3B: .mtuSize(try value.uint16())
    case 0x3C: .interFrameInterval(try value.uint8())
    case 0x3D: .downlinkTDoARangingMethod(try value.uint8())
    case 0x3E: .downlinkTDoATxTimestamp(try value.uint8())
    case 0x3F: .downlinkTDoAHopCount(try value.uint8())
    default: .unknown(id: value.id, value.value)
    }
  }

  private static func parseFifth(_ value: UCIParameterValue) throws(UCIError) -> UCIAppParameter {
    switch value.id {
    case 0x40: .downlinkTDoAAnchorCFO(try value.uint8())
    case 0x41: .downlinkTDoAAnchorLocation(try value.octets([1, 11, 13]))
    case 0x42: .downlinkTDoATxActiveRounds(try value.uint8())
    case 0x43: .downlinkTDoABlockSkipping(try value.uint8())
    case 0x44: .downlinkTDoATimeReference(try value.uint8())
    case 0x45: .sessionKey(try value.octets([16, 32]))
    case 0x46: .subSessionKey(try value.octets([16, 32]))
    case 0x47: .dataTransferStatusConfiguration(try value.uint8())
    case 0x48: .sessionTimeBase(try value.sessionTimeBase())
    case 0x49: .downlinkTDoAResponderToF(try value.uint8())
    case 0x4A: .secureRangingNEFALevel(value.value)
    case 0x4B: .secureRangingCSWLength(value.value)
    case 0x4C: .applicationDataEndpoint(try value.uint8())
    case 0x4D: .oneWayAngleNotificationPeriod(try value.uint8())
    default: .unknown(id: value.id, value.value)
    }
  }

  private static func parseVendor(_ value: UCIParameterValue) throws(UCIError) -> UCIAppParameter {
    switch value.id {
    case 0xA0: .cccHopModeKey(try value.octets([16]))
    case 0xA1: .cccTime0(try value.octets([8]))
    case 0xA3: .cccProtocolVersion(try value.uint16())
    case 0xA4: .cccConfigurationID(try value.uint16())
    case 0xA5: .cccPulseShape(try value.uint8())
    case 0xA6: .cccURSKTimeToLive(try value.uint16())
    case 0xA8: .cccLastSTSIndex(try value.uint32())
    case 0xA9: .aliroMACMode(try value.uint8())
    case 0xE3: .numberOfRangeMeasurements(try value.uint8())
    case 0xE4: .numberOfAzimuthMeasurements(try value.uint8())
    case 0xE5: .numberOfElevationMeasurements(try value.uint8())
    case 0xE6: .rxAntenna(try value.uint8())
    case 0xE7: .txAntenna(try value.uint8())
    case 0xE8: .enablesDiagnostics(try value.uint8())
    case 0xE9: .diagnosticsFields(try value.uint8())
    case 0xEA: .antennaMode(try value.uint8())
    default: .unknown(id: value.id, value.value)
    }
  }

  /// The parameter as it travels.
  package var tlv: UCITLV { UCITLV(id: id, value: octets) }

  /// The value as it travels.
  private var octets: [UInt8] {
    switch self {
    case .deviceType(let code): [code.rawValue]
    case .rangingRoundUsage(let code): [code.rawValue]
    case .stsConfiguration(let code): [code.rawValue]
    case .multiNodeMode(let code): [code.rawValue]
    case .channel(let code): [code.rawValue]
    case .macFCSType(let code): [code.rawValue]
    case .angleRequest(let code): [code.rawValue]
    case .notificationConfiguration(let code): [code.rawValue]
    case .deviceRole(let code): [code.rawValue]
    case .rframeConfiguration(let code): [code.rawValue]
    case .psduDataRate(let code): [code.rawValue]
    case .preambleDuration(let code): [code.rawValue]
    case .rangingTimeStructure(let code): [code.rawValue]
    case .prfMode(let code): [code.rawValue]
    case .scheduleMode(let code): [code.rawValue]
    case .macAddressMode(let code): [code.rawValue]
    case .bprfPHRDataRate(let code): [code.rawValue]
    case .stsLength(let code): [code.rawValue]
    case .numberOfControlees(let value), .rangingRoundControl(let value), .rssiReporting(let value),
      .preambleCodeIndex(let value), .sfdID(let value), .linkLayerMode(let value),
      .dataRepetitionCount(let value), .slotsPerRound(let value), .txAdaptivePayloadPower(let value),
      .responderSlotIndex(let value), .txJitterWindowSize(let value), .keyRotation(let value),
      .keyRotationRate(let value), .sessionPriority(let value), .numberOfSTSSegments(let value),
      .hoppingMode(let value), .blockStrideLength(let value), .resultReportConfiguration(let value),
      .inBandTerminationAttemptCount(let value), .suspendRangingRounds(let value),
      .uplinkTDoAReportConfiguration(let value), .uplinkTDoATxTimestamp(let value),
      .minFramesPerRound(let value), .interFrameInterval(let value),
      .downlinkTDoARangingMethod(let value), .downlinkTDoATxTimestamp(let value),
      .downlinkTDoAHopCount(let value), .downlinkTDoAAnchorCFO(let value),
      .downlinkTDoATxActiveRounds(let value), .downlinkTDoABlockSkipping(let value),
      .downlinkTDoATimeReference(let value), .dataTransferStatusConfiguration(let value),
      .downlinkTDoAResponderToF(let value), .applicationDataEndpoint(let value),
      .oneWayAngleNotificationPeriod(let value), .cccPulseShape(let value), .aliroMACMode(let value),
      .numberOfRangeMeasurements(let value), .numberOfAzimuthMeasurements(let value),
      .numberOfElevationMeasurements(let value), .rxAntenna(let value), .txAntenna(let value),
      .enablesDiagnostics(let value), .diagnosticsFields(let value), .antennaMode(let value):
      [value]
    case .slotDuration(let value), .nearProximity(let value), .farProximity(let value),
      .vendorID(let value), .maxRoundRetries(let value), .maxNumberOfMeasurements(let value),
      .mtuSize(let value), .cccProtocolVersion(let value), .cccConfigurationID(let value),
      .cccURSKTimeToLive(let value):
      value.littleEndianOctets
    case .rangingDuration(let value), .stsIndex(let value), .subSessionID(let value),
      .uplinkTDoATxInterval(let value), .uplinkTDoARandomWindow(let value), .cccLastSTSIndex(let value):
      value.littleEndianOctets
    case .staticSTSIV(let value), .uplinkTDoADeviceID(let value),
      .downlinkTDoAAnchorLocation(let value), .sessionKey(let value), .subSessionKey(let value),
      .secureRangingNEFALevel(let value), .secureRangingCSWLength(let value), .cccHopModeKey(let value),
      .cccTime0(let value), .unknown(_, let value):
      value
    case .deviceAddress(let address): address.octets
    case .destinationAddresses(let addresses): addresses.flatMap(\.octets)
    case .angleBounds(let bounds): bounds.octets
    case .contentionSizeRange(let maximum, let minimum): [maximum, minimum]
    case .initiationTime(let time): time.octets
    case .sessionTimeBase(let base): base.octets
    }
  }
}
