import NearbyUCI

/// The parameters of a DL-TDoA anchor or tag, beyond those that every session has.
///
/// Source: FiRa UCI Generic Specification 2.0, application parameters DL_TDOA_*.
struct DownlinkParameters: Sendable {
  /// DL_TDOA_RANGING_METHOD 1: the initiator also sends a final message.
  var hasFinal: Bool
  /// DL_TDOA_TX_TIMESTAMP_CONF bit 0: stamps are in the common time base.
  var usesCommonTimeBase: Bool
  /// Bit 1: stamps have 64 bits, otherwise 40.
  var hasLongStamps: Bool
  var sendsClockOffset: Bool
  var sendsTimeOfFlight: Bool
  var sendsActiveRounds: Bool
  /// Whether this anchor's clock is the network's time.
  var isTimeReference: Bool
  /// Blocks that a tag leaves out after each one in which it listens.
  var skippedBlocks: UInt8
  var location: UCIAnchorLocation?

  init(_ store: ParameterStore) {
    hasFinal = store.octet(ParameterID.downlinkMethod, 1) == 1
    let stamps = store.octet(ParameterID.downlinkStamps, 0b11)
    usesCommonTimeBase = stamps & 1 != 0
    hasLongStamps = stamps & 2 != 0
    sendsClockOffset = store.octet(ParameterID.downlinkClockOffset, 1) != 0
    sendsTimeOfFlight = store.octet(ParameterID.downlinkTimeOfFlight, 1) != 0
    sendsActiveRounds = store.octet(ParameterID.downlinkActiveRounds, 0) != 0
    isTimeReference = store.octet(ParameterID.downlinkTimeReference, 0) != 0
    skippedBlocks = store.octet(ParameterID.downlinkBlockSkipping, 0)
    location = store[ParameterID.downlinkLocation].flatMap { UCIAnchorLocation(parameter: Array($0)) }
  }

  func stamp(_ ticks: UInt64) -> UCIDownlinkTDoAMeasurement.Timestamp {
    hasLongStamps ? .bits64(ticks) : .bits40(ticks & (1 << 40 - 1))
  }
}
