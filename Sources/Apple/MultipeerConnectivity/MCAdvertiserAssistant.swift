import Dispatch
import NearbyConcurrency
import NearbyDevice
import NearbyPeerLink
import Synchronization

/// Lets others find a session's peer, and asks the person at the device whether they may come in.
///
/// There is no window to ask in: the question goes to the terminal that the process was started from, and is
/// answered there by a line with `y` or `n`; without a terminal the answer is no, unless `NEARBY_INVITATIONS` says
/// `accept`. An app with a user interface of its own sets `presenter`. In a simulated world the phone's person
/// answers.
///
/// Source: `facts/multipeerconnectivity.md`, section 4.
open class MCAdvertiserAssistant: NSObject, @unchecked Sendable {
  /// Shows an invitation in the app's own way: call `answer` with what the person says, or never.
  public typealias Presenter =
    @Sendable (
      _ peer: MCPeerID, _ answer: @escaping @Sendable (_ isAccepted: Bool) -> Void
    ) -> Void

  // All stored properties are immutable; what changes is behind the lock of `contents`.
  private let advertiser: MCNearbyServiceAdvertiser
  private let contents = Mutex(AssistantContents())

  /// The session that accepted peers become members of.
  public let session: MCSession
  /// What browsers hear with the peer.
  public let discoveryInfo: [String: String]?
  /// What kind of peers look for each other.
  public let serviceType: String

  /// Makes an assistant of a session. Arguments that are not allowed stop the process, as Apple's exception does.
  ///
  /// - Parameters:
  ///   - serviceType: 1 to 15 of `a-z`, `0-9` and single hyphens inside, with a letter.
  ///   - info: Keys of printable ASCII without `=`; each `key=value` at most 255 octets, all at most 1140.
  ///   - session: Whom accepted peers join.
  public init(serviceType: String, discoveryInfo info: [String: String]?, session: MCSession) {
    self.session = session
    discoveryInfo = info
    self.serviceType = serviceType
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

  /// Hears when an invitation is shown, and when it is not any more, on a private serial queue. Not kept alive.
  open weak var delegate: (any MCAdvertiserAssistantDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Ours: shows invitations in place of the terminal, on a private serial queue.
  open var presenter: Presenter? {
    get { contents.withLock { $0.presenter } }
    set { contents.withLock { $0.presenter = newValue } }
  }

  /// Begins to advertise; nothing where it has begun.
  open func start() { advertiser.startAdvertisingPeer() }

  /// Ends; connections stay, and so does an invitation that is shown.
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

/// What an assistant tells its app.
public protocol MCAdvertiserAssistantDelegate: NSObjectProtocol {
  /// Optional: a person is about to be asked.
  func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant)
  /// Optional: the person has answered, or nobody waits for the answer any more.
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
