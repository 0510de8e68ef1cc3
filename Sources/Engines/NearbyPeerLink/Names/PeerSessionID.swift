/// Names one life of a session of one peer, from the first use to `disconnect`.
///
/// `stamp` grows from life to life, over restarts of the process too, so that of two lives under one identity
/// the later one is known. `secret` makes the whole a capability: who knows it was told it by a member, over
/// an authenticated link.
package struct PeerSessionID: Hashable, Sendable {
  package let stamp: UInt64
  package let secret: UInt64

  package init(stamp: UInt64, secret: UInt64) {
    self.stamp = stamp
    self.secret = secret
  }
}
