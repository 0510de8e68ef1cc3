// A table file: the codes of application parameters.

/// Whether a device sets a session's schedule or follows it (DEVICE_TYPE).
package struct UCIDeviceType: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let controlee = UCIDeviceType(rawValue: 0)
  package static let controller = UCIDeviceType(rawValue: 1)
  package static let names: [(UCIDeviceType, String)] = [
    (.controlee, "CONTROLEE"), (.controller, "CONTROLLER"),
  ]
}

/// The ranging method of a round (RANGING_ROUND_USAGE).
package struct UCIRangingRoundUsage: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let uplinkTDoA = UCIRangingRoundUsage(rawValue: 0)
  package static let singleSidedDeferred = UCIRangingRoundUsage(rawValue: 1)
  package static let doubleSidedDeferred = UCIRangingRoundUsage(rawValue: 2)
  package static let singleSidedNonDeferred = UCIRangingRoundUsage(rawValue: 3)
  package static let doubleSidedNonDeferred = UCIRangingRoundUsage(rawValue: 4)
  package static let downlinkTDoA = UCIRangingRoundUsage(rawValue: 5)
  package static let oneWayAngle = UCIRangingRoundUsage(rawValue: 6)
  package static let enhancedSingleSided = UCIRangingRoundUsage(rawValue: 7)
  package static let adaptiveDoubleSided = UCIRangingRoundUsage(rawValue: 8)
  package static let dataTransfer = UCIRangingRoundUsage(rawValue: 9)
  package static let names: [(UCIRangingRoundUsage, String)] = [
    (.uplinkTDoA, "UL_TDOA"), (.singleSidedDeferred, "SS_TWR_DEFERRED"),
    (.doubleSidedDeferred, "DS_TWR_DEFERRED"), (.singleSidedNonDeferred, "SS_TWR_NON_DEFERRED"),
    (.doubleSidedNonDeferred, "DS_TWR_NON_DEFERRED"), (.downlinkTDoA, "DL_TDOA"), (.oneWayAngle, "OWR_AOA"),
    (.enhancedSingleSided, "ESS_TWR"), (.adaptiveDoubleSided, "ADS_TWR"), (.dataTransfer, "DATA_TRANSFER"),
  ]
}

/// How the scrambled timestamp sequence (STS) is derived.
package struct UCISTSConfiguration: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let fixed = UCISTSConfiguration(rawValue: 0)
  package static let dynamic = UCISTSConfiguration(rawValue: 1)
  package static let dynamicWithResponderKey = UCISTSConfiguration(rawValue: 2)
  package static let provisioned = UCISTSConfiguration(rawValue: 3)
  package static let provisionedWithResponderKey = UCISTSConfiguration(rawValue: 4)
  package static let names: [(UCISTSConfiguration, String)] = [
    (.fixed, "STATIC"), (.dynamic, "DYNAMIC"), (.dynamicWithResponderKey, "DYNAMIC_RESPONDER_KEY"),
    (.provisioned, "PROVISIONED"), (.provisionedWithResponderKey, "PROVISIONED_RESPONDER_KEY"),
  ]
}

/// How many devices range with each other.
package struct UCIMultiNodeMode: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let unicast = UCIMultiNodeMode(rawValue: 0)
  package static let oneToMany = UCIMultiNodeMode(rawValue: 1)
  package static let manyToMany = UCIMultiNodeMode(rawValue: 2)
  package static let names: [(UCIMultiNodeMode, String)] = [
    (.unicast, "UNICAST"), (.oneToMany, "ONE_TO_MANY"), (.manyToMany, "MANY_TO_MANY"),
  ]
}

/// A UWB channel; the value is its number.
package struct UCIChannel: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let five = UCIChannel(rawValue: 5)
  package static let six = UCIChannel(rawValue: 6)
  package static let eight = UCIChannel(rawValue: 8)
  package static let nine = UCIChannel(rawValue: 9)
  package static let ten = UCIChannel(rawValue: 10)
  package static let twelve = UCIChannel(rawValue: 12)
  package static let thirteen = UCIChannel(rawValue: 13)
  package static let fourteen = UCIChannel(rawValue: 14)
  package static let names: [(UCIChannel, String)] = [
    (.five, "CHANNEL_5"), (.six, "CHANNEL_6"), (.eight, "CHANNEL_8"), (.nine, "CHANNEL_9"),
    (.ten, "CHANNEL_10"), (.twelve, "CHANNEL_12"), (.thirteen, "CHANNEL_13"), (.fourteen, "CHANNEL_14"),
  ]
}

/// The checksum of a MAC frame.
package struct UCIMACFCSType: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let crc16 = UCIMACFCSType(rawValue: 0)
  package static let crc32 = UCIMACFCSType(rawValue: 1)
  package static let names: [(UCIMACFCSType, String)] = [
    (.crc16, "CRC_16"), (.crc32, "CRC_32"),
  ]
}

/// Which angles of arrival a controller reports.
package struct UCIAngleRequest: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let off = UCIAngleRequest(rawValue: 0)
  package static let both = UCIAngleRequest(rawValue: 1)
  package static let azimuth = UCIAngleRequest(rawValue: 2)
  package static let elevation = UCIAngleRequest(rawValue: 3)
  package static let interleaved = UCIAngleRequest(rawValue: 0xF0)
  package static let names: [(UCIAngleRequest, String)] = [
    (.off, "OFF"), (.both, "BOTH"), (.azimuth, "AZIMUTH"), (.elevation, "ELEVATION"),
    (.interleaved, "INTERLEAVED"),
  ]
}

/// When SESSION_INFO_NTF is sent.
package struct UCINotificationConfiguration: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let off = UCINotificationConfiguration(rawValue: 0)
  package static let always = UCINotificationConfiguration(rawValue: 1)
  package static let proximityLevel = UCINotificationConfiguration(rawValue: 2)
  package static let angleLevel = UCINotificationConfiguration(rawValue: 3)
  package static let proximityAndAngleLevel = UCINotificationConfiguration(rawValue: 4)
  package static let proximityEdge = UCINotificationConfiguration(rawValue: 5)
  package static let angleEdge = UCINotificationConfiguration(rawValue: 6)
  package static let proximityAndAngleEdge = UCINotificationConfiguration(rawValue: 7)
  package static let names: [(UCINotificationConfiguration, String)] = [
    (.off, "DISABLE"), (.always, "ENABLE"), (.proximityLevel, "PROXIMITY_LEVEL"), (.angleLevel, "AOA_LEVEL"),
    (.proximityAndAngleLevel, "PROXIMITY_AOA_LEVEL"), (.proximityEdge, "PROXIMITY_EDGE"),
    (.angleEdge, "AOA_EDGE"), (.proximityAndAngleEdge, "PROXIMITY_AOA_EDGE"),
  ]
}

/// A device's role in a round (DEVICE_ROLE).
package struct UCIDeviceRole: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let responder = UCIDeviceRole(rawValue: 0)
  package static let initiator = UCIDeviceRole(rawValue: 1)
  package static let synchronisationAnchor = UCIDeviceRole(rawValue: 2)
  package static let uplinkAnchor = UCIDeviceRole(rawValue: 3)
  package static let uplinkTag = UCIDeviceRole(rawValue: 4)
  package static let advertiser = UCIDeviceRole(rawValue: 5)
  package static let observer = UCIDeviceRole(rawValue: 6)
  package static let downlinkAnchor = UCIDeviceRole(rawValue: 7)
  package static let downlinkTag = UCIDeviceRole(rawValue: 8)
  package static let names: [(UCIDeviceRole, String)] = [
    (.responder, "RESPONDER"), (.initiator, "INITIATOR"), (.synchronisationAnchor, "UT_SYNC_ANCHOR"),
    (.uplinkAnchor, "UT_ANCHOR"), (.uplinkTag, "UT_TAG"), (.advertiser, "ADVERTISER"),
    (.observer, "OBSERVER"), (.downlinkAnchor, "DT_ANCHOR"), (.downlinkTag, "DT_TAG"),
  ]
}

/// The position of the STS in a ranging frame (STS packet configuration).
package struct UCIRFrameConfiguration: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let sp0 = UCIRFrameConfiguration(rawValue: 0)
  package static let sp1 = UCIRFrameConfiguration(rawValue: 1)
  package static let sp3 = UCIRFrameConfiguration(rawValue: 3)
  package static let names: [(UCIRFrameConfiguration, String)] = [
    (.sp0, "SP0"), (.sp1, "SP1"), (.sp3, "SP3"),
  ]
}

/// The data rate of a payload, in Mbit/s.
package struct UCIPSDUDataRate: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let rate6M81 = UCIPSDUDataRate(rawValue: 0)
  package static let rate7M80 = UCIPSDUDataRate(rawValue: 1)
  package static let rate27M2 = UCIPSDUDataRate(rawValue: 2)
  package static let rate31M2 = UCIPSDUDataRate(rawValue: 3)
  package static let names: [(UCIPSDUDataRate, String)] = [
    (.rate6M81, "6M81"), (.rate7M80, "7M80"), (.rate27M2, "27M2"), (.rate31M2, "31M2"),
  ]
}

/// The length of a preamble, in symbols.
package struct UCIPreambleDuration: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let symbols32 = UCIPreambleDuration(rawValue: 0)
  package static let symbols64 = UCIPreambleDuration(rawValue: 1)
  package static let names: [(UCIPreambleDuration, String)] = [
    (.symbols32, "32_SYMBOLS"), (.symbols64, "64_SYMBOLS"),
  ]
}

/// The pulse repetition frequency mode.
package struct UCIPRFMode: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let bprf = UCIPRFMode(rawValue: 0)
  package static let hprf124M8 = UCIPRFMode(rawValue: 1)
  package static let hprf249M6 = UCIPRFMode(rawValue: 2)
  package static let names: [(UCIPRFMode, String)] = [
    (.bprf, "BPRF"), (.hprf124M8, "HPRF_124_8_MHZ"), (.hprf249M6, "HPRF_249_6_MHZ"),
  ]
}

/// How rounds are arranged in time.
package struct UCIRangingTimeStructure: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let blockBased = UCIRangingTimeStructure(rawValue: 1)
  package static let names: [(UCIRangingTimeStructure, String)] = [
    (.blockBased, "BLOCK_BASED")
  ]
}

/// How the devices share a round's slots.
package struct UCIScheduleMode: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let contention = UCIScheduleMode(rawValue: 0)
  package static let timeScheduled = UCIScheduleMode(rawValue: 1)
  package static let hybrid = UCIScheduleMode(rawValue: 2)
  package static let names: [(UCIScheduleMode, String)] = [
    (.contention, "CONTENTION_BASED"), (.timeScheduled, "TIME_SCHEDULED"), (.hybrid, "HYBRID"),
  ]
}

/// The size of MAC addresses.
package struct UCIMACAddressMode: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let short = UCIMACAddressMode(rawValue: 0)
  package static let extendedWithShortHeader = UCIMACAddressMode(rawValue: 1)
  package static let extended = UCIMACAddressMode(rawValue: 2)
  package static let names: [(UCIMACAddressMode, String)] = [
    (.short, "2_OCTETS"), (.extendedWithShortHeader, "8_OCTETS_2_IN_HEADER"), (.extended, "8_OCTETS"),
  ]
}

/// The data rate of the physical header.
package struct UCIPHRDataRate: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let rate850k = UCIPHRDataRate(rawValue: 0)
  package static let rate6M81 = UCIPHRDataRate(rawValue: 1)
  package static let names: [(UCIPHRDataRate, String)] = [
    (.rate850k, "850K"), (.rate6M81, "6M81"),
  ]
}

/// The length of an STS segment, in symbols.
package struct UCISTSLength: UCICode {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let symbols32 = UCISTSLength(rawValue: 0)
  package static let symbols64 = UCISTSLength(rawValue: 1)
  package static let symbols128 = UCISTSLength(rawValue: 2)
  package static let names: [(UCISTSLength, String)] = [
    (.symbols32, "32_SYMBOLS"), (.symbols64, "64_SYMBOLS"), (.symbols128, "128_SYMBOLS"),
  ]
}
