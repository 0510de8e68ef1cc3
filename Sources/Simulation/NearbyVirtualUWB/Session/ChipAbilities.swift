/// What every virtual chip supports, as masks with one bit for each value of the parameter.
///
/// GET_CAPS_INFO reports these masks and SET_APP_CONFIG rejects values outside of them, so the two always
/// agree.
enum ChipAbilities {
  /// DEVICE_ROLE: responder and initiator.
  static let deviceRoles: UInt64 = 0x03
  /// DEVICE_ROLE of chips with DL-TDoA: its anchors and tags.
  static let downlinkRoles: UInt64 = 0x180
  /// RANGING_ROUND_USAGE of chips with DL-TDoA.
  static let downlinkMethods: UInt64 = 0x20
  /// RANGING_ROUND_USAGE: single-sided and double-sided, each deferred and non-deferred.
  static let rangingMethods: UInt64 = 0x1E
  /// STS_CONFIG: static, provisioned, and provisioned with responder keys.
  static let stsConfigurations: UInt64 = 0x19
  /// MULTI_NODE_MODE: unicast and one-to-many.
  static let multiNodeModes: UInt64 = 0x03
  /// RANGING_TIME_STRUCT: block-based only.
  static let timeStructures: UInt64 = 0x02
  /// SCHEDULE_MODE: contention-based and time-scheduled. In contention mode responders always find free
  /// slots, as if the slots were assigned.
  static let scheduleModes: UInt64 = 0x03
  /// RFRAME_CONFIG: SP0, SP1 and SP3.
  static let rframes: UInt64 = 0x0B
}
