import NearbyExchange

/// One run of one session: from its START to the moment it leaves ACTIVE.
///
/// A reference to an earlier run never matches a later one, so what waits in queues needs no removal.
struct SessionReference: Hashable, Sendable {
  var chip: Int32
  /// The session's place in its chip's table.
  var slot: Int32
  /// The run's place in the air's table.
  var place: Int32
  /// Counts every START on this air, from 1.
  var run: UInt64

  static let none = SessionReference(chip: -1, slot: -1, place: -1, run: 0)
  var radio: RadioID { RadioID(index: Int(chip)) }
}
