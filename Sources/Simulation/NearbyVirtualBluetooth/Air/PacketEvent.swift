/// An event of the air's, without its time.
struct PacketEvent: Sendable {
  enum Kind: UInt8, Sendable {
    /// A set's next advertisement.
    case advertise
    /// A link's next connection event.
    case connection
  }

  let kind: Kind
  /// The set or link.
  let subject: Int
  /// Tells what was asked for before a change from what is asked for now.
  let epoch: Int
}
