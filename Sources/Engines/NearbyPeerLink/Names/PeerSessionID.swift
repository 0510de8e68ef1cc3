/// Identifies one life of a peer's session, from its first use to `disconnect`.
///
/// `stamp` grows from life to life, also across restarts of the process, so that the later of two lives of
/// one identity is known. `secret` makes the id a capability: only members learn it, over authenticated
/// links.
package struct PeerSessionID: Hashable, Sendable {
  package let stamp: UInt64
  package let secret: UInt64

  package init(stamp: UInt64, secret: UInt64) {
    self.stamp = stamp
    self.secret = secret
  }
}
