extension PeerNode {
  /// What the shell must do, in order.
  package enum Action: Equatable, Sendable {
    /// Open a byte stream to a peer, prove both identities (TLS 1.3), then call `linkSecured`; or `linkClosed`.
    /// `contact` is what the peer, its record or a member told, in the shell's form.
    case dial(LinkID, PeerIdentity, contact: [UInt8])
    /// Call `takeOutput` and write, whenever the link can take more, until it gives nothing.
    case output(LinkID)
    /// Write what `takeOutput` still gives, close, then call `linkClosed`. No need to hurry or to wait long.
    case close(LinkID)
    /// The connection goes on over this link: unreliable messages may get a DTLS association of its keys. Tell
    /// by `datagramsOpened`; without one they go over the link.
    case openDatagrams(LinkID)
    /// Send one datagram on the link's association.
    case sendDatagram(LinkID, [UInt8])
    /// Call `timePassed(at:)` then, or later; replaces any wake asked for before.
    case wake(at: Duration)
    /// Tell the owner.
    case report(Event)
    /// A message came. By itself, for it is what comes most.
    case received(SessionKey, PeerIdentity, [UInt8])
  }

  /// What the owner of a node hears.
  package enum Event: Equatable, Sendable {
    /// A peer asks us in: answer by `answerInvitation`, or never.
    case invited(InvitationID, PeerID, ServiceType, context: [UInt8]?)
    /// Nobody waits for the answer any more.
    case invitationWithdrawn(InvitationID)
    /// An invitation of ours is over; `nil` where it was accepted.
    case invitationEnded(InvitationID, PeerReason?)
    /// In order, and `.connected` before anything else of that peer.
    case state(SessionKey, PeerID, PeerState)
    /// Answer by `certificateDecided`; the link's handshake has the certificate.
    case askCertificate(SessionKey, PeerID, LinkID)
    case transfer(SessionKey, PeerIdentity, TransferEvent)
    /// Too much waits for the peer: send no more until `resume`.
    case pause(SessionKey, PeerIdentity)
    case resume(SessionKey, PeerIdentity)
    /// A peer broke the protocol; the link is closed, others are undisturbed.
    case violation(LinkID, PeerIdentity?, PeerLinkError)
  }

  /// Octets of a link for the shell to write.
  package struct Output: Equatable, Sendable {
    package var octets: [UInt8]
    /// Both sessions say none: behind these octets the sending direction of TLS is ended (close_notify), and
    /// what follows goes as it is. The peer does the same in its direction.
    package var endsEncryption: Bool
  }
}
