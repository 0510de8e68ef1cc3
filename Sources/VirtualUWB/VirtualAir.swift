import UCI

/// Every virtual chip on one air.
///
/// A pure machine: octets from hosts and the time go in, octets for hosts come out. Rounds of chips whose
/// channel, preamble, STS and keys match are carried out by a `RadioMedium`.
package struct VirtualAir: Sendable {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Give one whole UCI packet to the host of this chip.
    case send([UInt8], to: RadioID)
  }

  package init() {}
}
