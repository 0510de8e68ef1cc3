/// What every virtual chip can do, as masks with one bit for each value of the parameter.
///
/// Capabilities report these masks and SET_APP_CONFIG refuses what is outside of them, so the two agree.
enum ChipAbilities {
  /// Responder and initiator.
  static let deviceRoles: UInt64 = 0x03
  /// RANGING_ROUND_USAGE: single-sided and double-sided, deferred and not.
  static let rangingMethods: UInt64 = 0x1E
  /// Static, provisioned, provisioned with responder keys.
  static let stsConfigurations: UInt64 = 0x19
  /// Unicast and one to many.
  static let multiNodeModes: UInt64 = 0x03
  /// Blocks; not intervals.
  static let timeStructures: UInt64 = 0x02
  /// Contention and time scheduled. Under contention responders find free slots, as if they were assigned.
  static let scheduleModes: UInt64 = 0x03
  /// SP0, SP1, SP3.
  static let rframes: UInt64 = 0x0B
}
