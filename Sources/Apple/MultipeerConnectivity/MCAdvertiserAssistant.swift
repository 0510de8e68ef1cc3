import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import Synchronization

/// Advertises a session's local peer and asks the user whether to accept invitations.
///
/// There is no window to ask in: the question appears on the terminal that the process was started from, and
/// a line with `y` or `n` answers it. Without a terminal, invitations are declined unless
/// `NEARBY_INVITATIONS` says `accept`. An app with its own user interface sets `presenter`. In a simulated
/// world the phone's user answers.
///
/// Source: Apple's documentation of `MCAdvertiserAssistant`.
open class MCAdvertiserAssistant: NSObject, @unchecked Sendable {
  /// Shows an invitation in the app's own user interface and calls `answer` with the user's decision, if any.
  public typealias Presenter =
    @Sendable (
      _ peer: MCPeerID, _ answer: @escaping @Sendable (_ isAccepted: Bool) -> Void
    ) -> Void

  // `@unchecked Sendable`: stored properties are immutable; the lock of `contents` guards mutable state.
  private let advertiser: MCNearbyServiceAdvertiser
  private let contents = Mutex(AssistantContents())
  private let own: (session: MCSession, info: [String: String]?, type: String)

  /// The session that accepted peers join.
  open var session: MCSession { own.session }
  /// The info that browsers receive with the peer.
  open var discoveryInfo: [String: String]? { own.info }
  /// The service type under which peers find each other, as the app spelled it.
  open var serviceType: String { own.type }

  /// Creates an assistant for a session. Invalid arguments stop the process, as Apple's exception does.
  ///
  /// - Parameters:
  ///   - serviceType: As for `MCNearbyServiceAdvertiser`.
  ///   - info: Keys of printable ASCII without `=`; each `key=value` at most 255 octets, all at most 1140.
  ///   - session: The session that accepted peers join.
  public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
    own = (session, info, serviceType)
    advertiser = NearbyDevice.$current.withValue(session.device) {
      MCNearbyServiceAdvertiser(peer: session.myPeerID, discoveryInfo: info, serviceType: serviceType)
    }
    super.init()
    let assistance = AdvertiserAssistance(
      invited: { [weak self] in self?.present($0) }, withdrawn: { [weak self] in self?.dismiss($0) })
    advertiser.contents.withLock { $0.assistant = assistance }
  }

  deinit {
    for question in contents.withLock({ $0.questions }).values { question.withdraw() }
  }

  /// Notified when an invitation is shown and when it is dismissed, on a private serial queue. Held weakly.
  open weak var delegate: (any MCAdvertiserAssistantDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// An addition to Apple's interface: shows invitations instead of the terminal, on a private serial queue.
  open var presenter: Presenter? {
    get { contents.withLock { $0.presenter } }
    set { contents.withLock { $0.presenter = newValue } }
  }

  /// Starts advertising. Has no effect if it has already started.
  open func start() { advertiser.startAdvertisingPeer() }

  /// Stops advertising. Connections continue, and an invitation that is being shown stays open.
  open func stop() { advertiser.stopAdvertisingPeer() }

  // MARK: On the advertiser's queue

  private func present(_ invitation: MCNearbyServiceAdvertiser.Invitation) {
    let text = "“\(invitation.peer.displayName)” wants to connect (\(serviceType)). Accept?"
    let question = PersonQuestion(text) { [weak self] isAccepted in
      self?.answer(invitation, isAccepted: isAccepted)
    }
    let presenter = contents.withLock { contents in
      contents.questions[invitation.id] = question
      return contents.presenter
    }
    delegate?.advertiserAssistantWillPresentInvitation(self)
    if let presenter {
      presenter(invitation.peer) { question.answer($0) }
    } else {
      session.device.app.ask(question)
    }
  }

  private func answer(_ invitation: MCNearbyServiceAdvertiser.Invitation, isAccepted: Bool) {
    if isAccepted { invitation.accept(into: session) } else { invitation.decline() }
    advertiser.onQueue { [self] in dismiss(invitation.id) }
  }

  private func dismiss(_ id: InvitationID) {
    guard let question = contents.withLock({ $0.questions.removeValue(forKey: id) }) else { return }
    question.withdraw()
    delegate?.advertiserAssistantDidDismissInvitation(self)
  }
}

/// The events of an advertiser assistant.
public protocol MCAdvertiserAssistantDelegate: NSObjectProtocol {
  /// Optional. The user is about to be asked.
  func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant)
  /// Optional. The user has answered, or the invitation was withdrawn.
  func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant)
}

extension MCAdvertiserAssistantDelegate {
  /// Does nothing.
  public func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {}
  /// Does nothing.
  public func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {}
}

private struct AssistantContents: Sendable {
  var delegate = WeakBox<any MCAdvertiserAssistantDelegate>()
  var presenter: MCAdvertiserAssistant.Presenter?
  var questions: [InvitationID: PersonQuestion] = [:]
}
