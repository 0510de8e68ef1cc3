import Dispatch
import Foundation
import MultipeerConnectivity
import Synchronization

/// The time from the start of two processes, and from an invitation, until their sessions are connected.
enum SessionStart {
  /// The arguments that start the second process: `NearbyBenchmarks session TYPE`.
  static let command = "session"

  /// Accepts every invitation until its input ends.
  static func serve(_ type: String) -> Bool {
    let bench = BenchedSession("other")
    let host = Host(bench.session)
    let advertiser = MCNearbyServiceAdvertiser(
      peer: bench.session.myPeerID, discoveryInfo: nil, serviceType: type)
    advertiser.delegate = host
    advertiser.startAdvertisingPeer()
    while readLine() != nil {}
    advertiser.stopAdvertisingPeer()
    return true
  }

  static func figures() throws -> [Figure] {
    let outcomes = try (0..<3).map { _ in try once() }
    let starts = outcomes.map(\.start).sorted()
    let invitations = outcomes.flatMap(\.invitations).sorted()
    return [
      Figure(
        name: "MCSession, start to connected of two processes, median", value: starts[1].seconds, unit: "s",
        target: .under(2.5)),
      Figure(
        name: "MCSession, invitation to connected, median",
        value: invitations[invitations.count / 2].microseconds / 1000, unit: "ms", target: .under(50)),
    ]
  }

  struct NotFound: Error {}

  private static func once() throws -> (start: Duration, invitations: [Duration]) {
    let type = "b\(UInt32.random(in: 0...99_999_999))"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
    process.arguments = [command, type]
    let input = Pipe()
    process.standardInput = input
    let start = ContinuousClock.now
    try process.run()
    defer {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
    let bench = BenchedSession("one")
    let guest = Guest(bench, type: type)
    guest.browser.startBrowsingForPeers()
    guard guest.found.wait(timeout: .now() + 30) == .success else { throw NotFound() }
    guest.invite()
    let first = ContinuousClock.now - start
    let invitations = (0..<10).map { _ in
      guest.leave()
      let start = ContinuousClock.now
      guest.invite()
      return ContinuousClock.now - start
    }
    return (first, invitations)
  }

  private final class Host: NSObject, MCNearbyServiceAdvertiserDelegate, Sendable {
    let session: MCSession
    init(_ session: MCSession) { self.session = session }
    func advertiser(
      _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
      withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
    ) { invitationHandler(true, session) }
  }

  private final class Guest: NSObject, MCNearbyServiceBrowserDelegate, Sendable {
    let bench: BenchedSession
    let browser: MCNearbyServiceBrowser
    let found = DispatchSemaphore(value: 0)
    private let changed = DispatchSemaphore(value: 0)
    private let peer = Mutex<MCPeerID?>(nil)

    init(_ bench: BenchedSession, type: String) {
      self.bench = bench
      browser = MCNearbyServiceBrowser(peer: bench.session.myPeerID, serviceType: type)
      super.init()
      browser.delegate = self
      bench.set { [changed] in $0.onState = { _, state in if state != .connecting { changed.signal() } } }
    }

    /// Invites the peer until it is connected.
    func invite() {
      guard let peer = peer.withLock({ $0 }) else { return }
      while true {
        browser.invitePeer(peer, to: bench.session, withContext: nil, timeout: 10)
        changed.wait()
        if bench.session.connectedPeers.contains(peer) { return }
      }
    }

    func leave() {
      bench.session.disconnect()
      changed.wait()
    }

    func browser(
      _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
    ) {
      peer.withLock { $0 = peerID }
      found.signal()
    }
    func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
  }
}
