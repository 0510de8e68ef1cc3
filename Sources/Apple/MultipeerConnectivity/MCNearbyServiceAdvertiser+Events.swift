import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import Synchronization

// Ours, beside Apple's delegate: the same events as sequences.
extension MCNearbyServiceAdvertiser {
  /// A peer asks this one in. Answer at any time; without an answer the peer's time runs out.
  public struct Invitation: Sendable {
    /// Who asks.
    public let peer: MCPeerID
    /// What the peer's app sent along.
    public let context: Data?
    let id: InvitationID
    let advertiser: any PeerAdvertiser

    /// Says yes; what becomes of it the session hears. Answers after the first do nothing.
    public func accept(into session: MCSession) {
      advertiser.answer(id, accept: session.member.user)
    }

    /// Says no.
    public func decline() { advertiser.answer(id, accept: nil) }
  }

  /// What the delegate hears, as a value.
  public enum Event: Sendable {
    /// `advertiser(_:didReceiveInvitationFromPeer:withContext:invitationHandler:)`
    case invited(Invitation)
    /// `advertiser(_:didNotStartAdvertisingPeer:)`
    case didNotStart(MCError)
  }

  /// Every event from now on, in order; ends when the advertiser is released. Where the delegate answers an
  /// invitation as well, the first answer counts.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    contents.withLock { $0.events.append(continuation) }
    return stream
  }

  /// The invitations from now on; ends when the advertiser is released.
  public var invitations: AsyncStream<Invitation> {
    let (stream, continuation) = AsyncStream.makeStream(of: Invitation.self)
    contents.withLock { $0.invitations.append(continuation) }
    return stream
  }
}

/// What of an advertiser changes, under its lock.
struct AdvertiserContents: Sendable {
  var delegate = WeakBox<any MCNearbyServiceAdvertiserDelegate>()
  var events: [AsyncStream<MCNearbyServiceAdvertiser.Event>.Continuation] = []
  var invitations: [AsyncStream<MCNearbyServiceAdvertiser.Invitation>.Continuation] = []
  /// An assistant's, in the delegate's place.
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

/// What an assistant hears of its advertiser, on the advertiser's queue.
struct AdvertiserAssistance: Sendable {
  let invited: @Sendable (MCNearbyServiceAdvertiser.Invitation) -> Void
  /// Nobody waits for the answer any more.
  let withdrawn: @Sendable (InvitationID) -> Void
}
