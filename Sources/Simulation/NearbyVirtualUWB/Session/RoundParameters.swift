import NearbyExchange
import NearbySchedule
import NearbyUCI

/// The parameters of a session that every round needs.
///
/// This is a small struct without references, stored where rounds use it: with thousands of sessions,
/// following a pointer costs more than copying fifty octets.
struct RoundParameters: Sendable {
  let address: UInt64
  /// Nanoseconds.
  let slotDuration: Int64
  let sessionID: UInt32
  /// RANGING_DURATION, the length of a block in milliseconds.
  let blockMilliseconds: UInt32
  let maximumRetries: UInt16
  let maximumMeasurements: UInt16
  let slotsPerRound: UInt8
  /// The number of blocks skipped after each one used.
  let stride: UInt8
  /// RANGING_ROUND_USAGE.
  ///
  /// The value 6 (one-way angle of arrival) is meant for advertisers and observers. Only google/pica's
  /// dialect accepts it here and treats it as 2: google/pica performs two-way ranging whatever the usage,
  /// and hosts tested against it rely on that.
  let usage: UInt8
  let channel: UInt8
  /// RANGING_ROUND_CONTROL.
  let roundControl: UInt8
  let angleRequest: UInt8
  /// RESULT_REPORT_CONFIG.
  let resultReport: UInt8
  let priority: UInt8
  /// DEVICE_ROLE.
  let role: UInt8
  let isInitiator: Bool
  let isOneToMany: Bool
  let usesExtendedAddresses: Bool
  /// HOPPING_MODE 1: uses a different round in each block.
  let hops: Bool
  /// HOPPING_MODE 2: moves to another round of the block when rounds are lost.
  let hopsWhenLost: Bool
  let reportsRSSI: Bool
  /// Whether SESSION_INFO_NTF is followed by Android's range diagnostics.
  let reportsDiagnostics: Bool
  let isSuspended: Bool

  init(_ store: ParameterStore, sessionID: UInt32) {
    self.sessionID = sessionID
    address = store.number(ParameterID.deviceAddress, 0)
    let rstu = Int64(store.number(ParameterID.slotDuration, 2400))
    slotDuration = AirTime.nanoseconds(rstu: rstu)
    blockMilliseconds = UInt32(truncatingIfNeeded: store.number(ParameterID.rangingDuration, 200))
    maximumRetries = UInt16(truncatingIfNeeded: store.number(ParameterID.maximumRoundRetries, 0))
    maximumMeasurements = UInt16(truncatingIfNeeded: store.number(ParameterID.maximumMeasurements, 0))
    slotsPerRound = store.octet(ParameterID.slotsPerRound, 25)
    stride = store.octet(ParameterID.blockStride, 0)
    let usage = store.octet(ParameterID.rangingRoundUsage, 2)
    self.usage = usage == 6 ? 2 : usage
    channel = store.octet(ParameterID.channel, 9)
    roundControl = store.octet(ParameterID.roundControl, 0x03)
    angleRequest = store.octet(ParameterID.angleRequest, 1)
    resultReport = store.octet(ParameterID.resultReport, 0x01)
    priority = store.octet(ParameterID.sessionPriority, 50)
    role = store.octet(ParameterID.deviceRole, 0)
    isInitiator = role == 1
    isOneToMany = store.octet(ParameterID.multiNodeMode, 0) == 1
    usesExtendedAddresses = store.octet(ParameterID.addressMode, 0) == 2
    hops = store.octet(ParameterID.hoppingMode, 0) == 1
    hopsWhenLost = store.octet(ParameterID.hoppingMode, 0) == 2
    reportsRSSI = store.octet(ParameterID.rssiReporting, 0) == 1
    reportsDiagnostics = store.octet(ParameterID.diagnostics, 0) == 1
    isSuspended = store.octet(ParameterID.suspendRounds, 0) == 1
  }

  var isAnchor: Bool { usage == 5 && role == 7 }
  var isTag: Bool { usage == 5 && role == 8 }
  /// Whether the session takes part in DL-TDoA, correctly configured or not.
  var isDownlink: Bool { role == 7 || role == 8 || usage == 5 }
  var blockDuration: Int64 { Int64(blockMilliseconds) * 1_000_000 }
  /// The time from one round of this session to the next, in nanoseconds.
  var period: Int64 { blockDuration * (Int64(stride) + 1) }
  var roundDuration: Int64 { Int64(slotsPerRound) * slotDuration }
  var roundsPerBlock: UInt64 { roundDuration > 0 ? UInt64(max(blockDuration / roundDuration, 1)) : 1 }
  var method: TwoWayMethod { usage == 1 || usage == 3 ? .singleSided : .doubleSided }
  var isDeferred: Bool { usage == 1 || usage == 2 }
  var wantsAzimuth: Bool { angleRequest != 0 && angleRequest != 3 }
  var wantsElevation: Bool { angleRequest != 0 && angleRequest != 2 }

  func wireAddress(_ value: UInt64) -> UCIAddress {
    usesExtendedAddresses ? .extended(value) : .short(UInt16(truncatingIfNeeded: value))
  }
}
