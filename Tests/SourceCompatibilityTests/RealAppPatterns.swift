// swift-format-ignore-file
// Patterns from real apps: Swift 5 and unchanged usage, with a single import where the apps have one.
import MultipeerConnectivity
import NearbyInteraction
import os.log

// MARK: One import brings what Apple's brings

/// The two frameworks provide everything here: UIDevice, Combine, Foundation, Dispatch, simd.
class ConnectionManager: NSObject, ObservableObject {
  @Published var connectedPeers: [MCPeerID] = []
  @Published var distance: Float?
  @Published private(set) var log: [String] = []
  let didReceive = PassthroughSubject<(MCPeerID, Data), Never>()
  let isReady = CurrentValueSubject<Bool, Never>(false)
  private let myPeerID = MCPeerID(displayName: UIDevice.current.name)
  private var cancellables = Set<AnyCancellable>()
  private let logger = Logger(subsystem: "com.example.app", category: "connection")
  private static let oldLog = OSLog(subsystem: "com.example.app", category: "old")
  lazy var session: MCSession = {
    let session = MCSession(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
    session.delegate = self
    return session
  }()
  private var advertiser: MCNearbyServiceAdvertiser?
  private var browser: MCNearbyServiceBrowser?

  override init() {
    super.init()
    didReceive
      .map { "\($0.0.displayName) \(String(decoding: $0.1, as: UTF8.self))" }
      .sink { [weak self] text in self?.log.append(text) }
      .store(in: &cancellables)
    $connectedPeers
      .map { !$0.isEmpty }
      .removeDuplicates()
      .sink { [weak self] in self?.isReady.send($0) }
      .store(in: &cancellables)
    NotificationCenter.default.publisher(for: UIApplication.didEnterBackgroundNotification)
      .sink { [weak self] _ in self?.log.append("background") }
      .store(in: &cancellables)
  }

  func start() {
    advertiser = MCNearbyServiceAdvertiser(peer: myPeerID, discoveryInfo: nil, serviceType: "real-app")
    advertiser?.delegate = self
    advertiser?.startAdvertisingPeer()
    browser = MCNearbyServiceBrowser(peer: myPeerID, serviceType: "real-app")
    browser?.delegate = self
    browser?.startBrowsingForPeers()
    logger.info("started as \(self.myPeerID.displayName, privacy: .public)")
    os_log("started %{public}@", log: ConnectionManager.oldLog, type: .debug, myPeerID.displayName)
    os_log(.debug, "plain")
  }

  func send(_ text: String) {
    try? session.send(Data(text.utf8), toPeers: session.connectedPeers, with: .reliable)
  }
}

extension ConnectionManager: MCSessionDelegate, MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    logger.debug("\(peerID.displayName): \(state.rawValue)")
    DispatchQueue.main.async { self.connectedPeers = session.connectedPeers }
  }
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    DispatchQueue.main.async { self.didReceive.send((peerID, data)) }
  }
  func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}
  func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {}
  func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: Error?) {}
  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void) {
    invitationHandler(true, session)
  }
  func browser(_ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?) {
    browser.invitePeer(peerID, to: session, withContext: nil, timeout: 10)
  }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
}

// MARK: Signatures

/// Uses the handler's data as an optional.
func connectByHandIfThere(_ session: MCSession, _ peer: MCPeerID, then body: @escaping (Result<Data, Error>) -> Void) {
  session.nearbyConnectionData(forPeer: peer) { data, error in
    DispatchQueue.main.async {
      if let error = error {
        body(.failure(error))
      } else {
        assert(data != nil)
        guard let data = data else { return }
        body(.success(data))
      }
    }
  }
}

/// Uses the handler's data as a non-optional.
func connectByHand(_ session: MCSession, _ peer: MCPeerID, then body: @escaping (Data) -> Void) {
  session.nearbyConnectionData(forPeer: peer) { data, error in
    guard error == nil else { return }
    body(data)
  }
}

/// Resumes with the session's last configuration.
class Resumer: NSObject, NISessionDelegate {
  let session = NISession()
  var history: [String] = []
  override init() {
    super.init()
    session.delegate = self
  }
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let object = nearbyObjects.first, let distance = object.distance else { return }
    _ = distance
    if history.last != "update" { history.append("update") }
  }
  func session(_ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason) {
    history.append(reason == .timeout ? "timeout" : "ended")
    session.run(session.configuration!)
  }
  func sessionWasSuspended(_ session: NISession) { history.append("suspended") }
  func sessionSuspensionEnded(_ session: NISession) {
    history.append("resumed")
    session.run(session.configuration!)
  }
  func session(_ session: NISession, didInvalidateWith error: Error) {
    if case NIError.userDidNotAllow = error {
      history.append("refused")
    } else if let error = error as? NIError, error.code == .invalidConfiguration {
      history.append("invalid")
    }
  }
}

/// Probes the permission with a session that runs on its own token.
class PermissionProbe: NSObject, NISessionDelegate {
  var session: NISession? = NISession()
  var answer: Bool?
  func check() {
    session?.delegate = self
    guard let token = session?.discoveryToken else { return }
    session?.run(NINearbyPeerConfiguration(peerToken: token))
  }
  func session(_ session: NISession, didInvalidateWith error: Error) {
    switch error {
    case NIError.userDidNotAllow: answer = false
    case NIError.invalidConfiguration: answer = true
    default: break
    }
  }
}

/// A peer's identity, derived from its archive and stable across launches.
func stableKey(_ peer: MCPeerID) throws -> Data {
  try NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
}

/// Keeps its own MCPeerID in the defaults, as in Apple's documentation.
func keptPeerID(named name: String, in defaults: UserDefaults) throws -> MCPeerID {
  if defaults.string(forKey: "name") == name, let data = defaults.data(forKey: "peer"),
    let peer = try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data)
  {
    return peer
  }
  let peer = MCPeerID(displayName: name)
  defaults.set(name, forKey: "name")
  defaults.set(try stableKey(peer), forKey: "peer")
  return peer
}

/// A name or a token, distinguished by whether the data is UTF-8.
enum NameOrToken {
  case name(String)
  case token(NIDiscoveryToken)
  init?(_ data: Data) {
    if let name = String(data: data, encoding: .utf8) {
      self = .name(name)
    } else if let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data) {
      self = .token(token)
    } else {
      return nil
    }
  }
}

/// Objects of several classes on one channel, tried one after another.
func received(_ data: Data) -> String {
  if let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data) {
    return "token \(token.hash)"
  }
  if let peer = try? NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data) {
    return "peer \(peer.displayName)"
  }
  if let text = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) { return "text \(text)" }
  return "unknown"
}

/// Lets the user choose with Apple's controller.
class Chooser: UIViewController, MCBrowserViewControllerDelegate, MCAdvertiserAssistantDelegate {
  var isDone = false
  var assistant: MCAdvertiserAssistant?
  func host(_ session: MCSession) {
    assistant = MCAdvertiserAssistant(serviceType: "real-app", discoveryInfo: nil, session: session)
    assistant?.delegate = self
    assistant?.start()
  }
  func join(_ session: MCSession) {
    let browser = MCBrowserViewController(serviceType: "real-app", session: session)
    browser.delegate = self
    browser.maximumNumberOfPeers = 2
    present(browser, animated: true)
  }
  func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController) {
    browserViewController.dismiss(animated: true, completion: { self.isDone = true })
  }
  func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController) {
    dismiss(animated: true, completion: nil)
  }
}

/// What managers read from UIKit.
enum DeviceFacts {
  static func lines() -> [String] {
    [
      UIDevice.current.name, UIDevice.current.model, UIDevice.current.systemVersion,
      UIDevice.current.identifierForVendor?.uuidString ?? "", "\(UIApplication.shared.applicationState == .active)",
    ]
  }
  static func openSettings() {
    guard let url = URL(string: UIApplication.openSettingsURLString), UIApplication.shared.canOpenURL(url) else { return }
    UIApplication.shared.open(url, options: [:], completionHandler: nil)
  }
  static func stayAwake() {
    UIApplication.shared.isIdleTimerDisabled = true
    let generator = UIImpactFeedbackGenerator(style: .medium)
    generator.prepare()
    generator.impactOccurred()
    UINotificationFeedbackGenerator().notificationOccurred(.success)
    let task = UIApplication.shared.beginBackgroundTask(withName: "send") {}
    UIApplication.shared.endBackgroundTask(task)
  }
}
