import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import Synchronization

// An addition to Apple's interface: the delegate's events as asynchronous sequences.
extension MCNearbyServiceAdvertiser {
  /// An invitation from a peer. Answer at any time; the invitation expires at the peer if it is not answered.
  public struct Invitation: Sendable {
    /// The peer that sent the invitation.
    public let peer: MCPeerID
    /// The data that the peer's app sent with the invitation.
    public let context: Data?
    let id: InvitationID
    let advertiser: any PeerAdvertiser

    /// Accepts; the session's delegate is notified of the result. Answers after the first have no effect.
    public func accept(into session: MCSession) {
      advertiser.answer(id, accept: session.member.user)
    }

    /// Declines. Answers after the first have no effect.
    public func decline() { advertiser.answer(id, accept: nil) }
  }

  /// A call to the delegate, as a value.
  public enum Event: Sendable {
    /// `advertiser(_:didReceiveInvitationFromPeer:withContext:invitationHandler:)`
    case invited(Invitation)
    /// `advertiser(_:didNotStartAdvertisingPeer:)`
    case didNotStart(MCError)
  }

  /// All events from now on, in order; finishes when the advertiser is released. If the delegate answers an
  /// invitation as well, the first answer counts.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    contents.withLock { $0.events.append(continuation) }
    return stream
  }

  /// All invitations from now on; finishes when the advertiser is released.
  public var invitations: AsyncStream<Invitation> {
    let (stream, continuation) = AsyncStream.makeStream(of: Invitation.self)
    contents.withLock { $0.invitations.append(continuation) }
    return stream
  }
}

/// The mutable part of an advertiser, guarded by its lock.
struct AdvertiserContents: Sendable {
  var delegate = WeakBox<any MCNearbyServiceAdvertiserDelegate>()
  var events: [AsyncStream<MCNearbyServiceAdvertiser.Event>.Continuation] = []
  var invitations: [AsyncStream<MCNearbyServiceAdvertiser.Invitation>.Continuation] = []
  /// The callbacks of an `MCAdvertiserAssistant`, which uses the advertiser without being its delegate.
  var assistant: AdvertiserAssistance?

  func yield(_ event: MCNearbyServiceAdvertiser.Event) {
    for continuation in events { continuation.yield(event) }
    guard case .invited(let invitation) = event else { return }
    for continuation in invitations { continuation.yield(invitation) }
  }

  func finish() {
    events.forEach { $0.finish() }
    invitations.forEach { $0.finish() }
  }
}

/// An assistant's callbacks, made on the advertiser's queue.
struct AdvertiserAssistance: Sendable {
  let invited: @Sendable (MCNearbyServiceAdvertiser.Invitation) -> Void
  /// The peer no longer waits for an answer.
  let withdrawn: @Sendable (InvitationID) -> Void
}
