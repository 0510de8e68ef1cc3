import NearbyExchange

/// Identifies one run of a session: from its START until it leaves ACTIVE.
///
/// A reference to an earlier run never equals that of a later one, so stale references in queues need no
/// removal.
struct SessionReference: Hashable, Sendable {
  var chip: Int32
  /// The session's index in its chip's table.
  var slot: Int32
  /// The run's index in the air's table.
  var place: Int32
  /// The run's number on this air, starting at 1.
  var run: UInt64

  static let none = SessionReference(chip: -1, slot: -1, place: -1, run: 0)
  var radio: RadioID { RadioID(index: Int(chip)) }
}
