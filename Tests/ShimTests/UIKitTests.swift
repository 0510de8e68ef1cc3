import MultipeerConnectivity
import NearbyTesting
import Testing

@testable import UIKit

@Suite("UIKit without views")
struct UIKitTests {
  @Test("A picture has no pixels and is there under any name")
  func images() {
    #expect(UIImage(named: "logo") != nil)
    #expect(UIImage(systemName: "star") != nil)
  }

  @Test("A long machine name is cut between characters to fit a peer's display name")
  func longName() {
    #expect(UIDevice.shortened("ann's phone") == "ann's phone")
    #expect(UIDevice.shortened(String(repeating: "é", count: 40)) == String(repeating: "é", count: 31))
  }

  @Test("Each phone has its own name and a constant identifier", .timeLimit(.minutes(1)))
  @MainActor
  func device() {
    let world = World(seed: 1)
    let (ann, ben) = (world.addPhone("Ann"), world.addPhone("Ben"))
    let names = [ann, ben].map { $0.launch { UIDevice.current.name } }
    #expect(names == ["Ann", "Ben"])
    let identifiers = [ann, ben, ann].map { $0.launch { UIDevice.current.identifierForVendor } }
    #expect(identifiers[0] == identifiers[2])
    #expect(identifiers[0] != identifiers[1])
    #expect(!UIDevice.current.systemVersion.isEmpty)
  }

  @Test(
    "Life-cycle notifications arrive in Apple's order, once, and only for the app concerned",
    .timeLimit(.minutes(1)))
  @MainActor
  func life() async {
    let world = World(seed: 2)
    let (ann, ben) = (world.addPhone("Ann"), world.addPhone("Ben"))
    let application = ann.launch { UIApplication.shared }
    let other = ben.launch { UIApplication.shared }
    #expect(application === ann.launch { UIApplication.shared })
    #expect(application !== other)
    let log = Log()
    let names: [(Notification.Name, String)] = [
      (UIApplication.willResignActiveNotification, "resign"),
      (UIApplication.didEnterBackgroundNotification, "background"),
      (UIApplication.willEnterForegroundNotification, "foreground"),
      (UIApplication.didBecomeActiveNotification, "active"),
    ]
    let ties = names.flatMap { name, text in
      [("Ann", application), ("Ben", other)].map { phone, object in
        NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { _ in
          log.lines.append("\(phone) \(text)")
        }
      }
    }
    ann.suspend()
    #expect(application.applicationState == .active)
    await world.advance(by: .seconds(1))
    #expect(application.applicationState == .background)
    #expect(other.applicationState == .active)
    ann.suspend()
    await world.advance(by: .seconds(1))
    ann.resume()
    await world.advance(by: .seconds(1))
    #expect(application.applicationState == .active)
    #expect(log.lines == ["Ann resign", "Ann background", "Ann foreground", "Ann active"])
    ties.forEach(NotificationCenter.default.removeObserver)
  }

  @Test("A phone's application goes away with its world")
  @MainActor
  func end() async {
    weak var application: UIApplication?
    var kept: UIApplication?
    do {
      let world = World(seed: 4)
      let (ann, ben) = (world.addPhone("Ann"), world.addPhone("Ben"))
      application = ann.launch { UIApplication.shared }
      kept = ben.launch { UIApplication.shared }
      ann.suspend()
      await world.advance(by: .seconds(1))
      #expect(application?.applicationState == .background)
      #expect(kept?.applicationState == .active)
    }
    #expect(application == nil)
    #expect(kept?.applicationState == .background)
  }

  @Test("A presented browser lists peers and invites the one that is chosen", .timeLimit(.minutes(1)))
  @MainActor
  func browser() async throws {
    let world = World(seed: 3)
    let (ann, ben) = (world.addPhone("Ann"), world.addPhone("Ben", at: [0, 3, 1.2]))
    let session = ann.launch { MCSession(peer: MCPeerID(displayName: UIDevice.current.name)) }
    let host = UIViewController()
    let chooser = ann.launch { MCBrowserViewController(serviceType: "shims", session: session) }
    let person = Person()
    chooser.delegate = person
    let guest = ben.launch { Guest() }
    ann.launch { host.present(chooser, animated: true) }
    await world.advance(by: .seconds(5))
    #expect(chooser.nearbyPeers.map(\.displayName) == ["Ben"])
    chooser.finish()
    #expect(!person.isDone)
    ann.launch { chooser.choose(chooser.nearbyPeers[0]) }
    await world.advance(by: .seconds(5))
    #expect(session.connectedPeers.map(\.displayName) == ["Ben"])
    chooser.finish()
    #expect(person.isDone)
    #expect(host.presentedViewController == nil)
    withExtendedLifetime(guest) {}
  }

  @MainActor
  final class Person: NSObject, MCBrowserViewControllerDelegate {
    var isDone = false
    func browserViewControllerDidFinish(_ browserViewController: MCBrowserViewController) {
      browserViewController.dismiss(animated: true) { self.isDone = true }
    }
    func browserViewControllerWasCancelled(_ browserViewController: MCBrowserViewController) {
      browserViewController.dismiss(animated: true)
    }
  }

  final class Guest: NSObject, MCNearbyServiceAdvertiserDelegate {
    let session: MCSession
    let advertiser: MCNearbyServiceAdvertiser
    override init() {
      let peer = MCPeerID(displayName: "Ben")
      session = MCSession(peer: peer)
      advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: nil, serviceType: "shims")
      super.init()
      advertiser.delegate = self
      advertiser.startAdvertisingPeer()
    }
    func advertiser(
      _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
      withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) { invitationHandler(true, session) }
  }

  /// Written only on the main queue.
  final class Log: @unchecked Sendable { var lines: [String] = [] }
}
