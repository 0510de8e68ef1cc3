extension PeerNode {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Open a byte stream to a peer and prove both identities (TLS 1.3), then call `linkSecured`; on failure
    /// call `linkClosed`. `contact` is what the peer, its record or a member announced, in the shell's form.
    case dial(LinkID, PeerIdentity, contact: [UInt8])
    /// Call `takeOutput` and write, whenever the link can accept more, until it returns `nil`.
    case output(LinkID)
    /// Write what `takeOutput` still returns, close, then call `linkClosed`. The shell may take its time, but
    /// not wait long.
    case close(LinkID)
    /// The connection continues on this link, so a DTLS association with keys from it can carry unreliable
    /// messages. Report it with `datagramsOpened`; without one, those messages use the link.
    case openDatagrams(LinkID)
    /// Send one datagram on the link's association.
    case sendDatagram(LinkID, [UInt8])
    /// Call `timePassed(at:)` then or later; replaces any wake requested before.
    case wake(at: Duration)
    /// Notify the owner. Indirect, because an event is several times as large as a message.
    indirect case report(Event)
    /// Deliver a message. Separate from `report` because it is by far the most frequent action.
    case received(SessionKey, PeerIdentity, [UInt8])
  }

  /// What the node reports to its owner.
  package enum Event: Equatable, Sendable {
    /// A peer invites us; answer with `answerInvitation`, or not at all.
    case invited(InvitationID, PeerID, ServiceType, context: [UInt8]?)
    /// The inviter no longer waits for an answer.
    case invitationWithdrawn(InvitationID)
    /// Our invitation has ended; the reason is `nil` if it was accepted.
    case invitationEnded(InvitationID, PeerReason?)
    /// In order; `.connected` comes before anything that the peer sends.
    case state(SessionKey, PeerID, PeerState)
    /// Answer with `certificateDecided`; the certificate is in the link's handshake.
    case askCertificate(SessionKey, PeerID, LinkID)
    case transfer(SessionKey, PeerIdentity, TransferEvent)
    /// Too much is queued for the peer: send no more until `resume`.
    case pause(SessionKey, PeerIdentity)
    case resume(SessionKey, PeerIdentity)
    /// A peer broke the protocol. The link is closed; other peers are unaffected.
    case violation(LinkID, PeerIdentity?, PeerLinkError)
  }

  /// Octets of a link for the shell to write.
  package struct Output: Equatable, Sendable {
    package var octets: [UInt8]
    /// Both sessions want no encryption: after these octets, end the sending direction of TLS (close_notify)
    /// and send what follows in plain text. The peer does the same in its direction.
    package var endsEncryption: Bool
  }
}
