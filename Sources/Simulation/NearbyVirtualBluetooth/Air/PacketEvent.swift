/// A scheduled event of the air, without its time.
struct PacketEvent: Sendable {
  enum Kind: UInt8, Sendable {
    /// A set's next advertisement.
    case advertise
    /// A link's next connection event.
    case connection
    /// A link's next Channel Sounding procedure.
    case sounding
  }

  let kind: Kind
  /// The number of the advertising set or link.
  let subject: Int
  /// The epoch in which the event was scheduled. The event is stale if the subject has a newer one.
  let epoch: Int
}
