import Foundation
import MultipeerConnectivity
import NearbyCommandLine
import NearbyConcurrency
import NearbyDevice
import NearbyTextForms
import Synchronization

/// An event that a `nearby peer` command waits for.
enum PeerLetter: Sendable {
  case found(MCPeerID, info: [String: String])
  case lost(MCPeerID)
  /// An invitation, and the answer to it.
  case invited(MCPeerID, isAccepted: Bool)
  case state(MCPeerID, MCSessionState)
  case data(Data, from: MCPeerID)
  case arriving(name: String, from: MCPeerID, PeerProgress)
  /// The stored file, or why it failed.
  case arrived(name: String, from: MCPeerID, Result<URL, PeerTrouble>)
  case delivered(PeerTrouble?)
  /// A line of the input; `nil` at its end.
  case line(String?)
  case notStarted
  case interrupted
}

/// Why an operation with a peer failed, as text.
struct PeerTrouble: Error, Equatable, Sendable { let text: String }

/// `Progress` is thread-safe.
typealias PeerProgress = UncheckedSendable<Progress>

/// A peer's session, advertiser and browser. One thread receives their events through a mailbox.
final class PeerRun: NSObject, Sendable {
  let peer: MCPeerID
  let session: MCSession
  let mailbox = Mailbox<PeerLetter>()
  private let advertiser: MCNearbyServiceAdvertiser?
  private let browser: MCNearbyServiceBrowser?
  private let accept: PeerRule
  private let folder: URL?
  /// Called on the session's queue first; returns whether it has handled the data.
  private let takeData: @Sendable (Data, MCPeerID, MCSession) -> Bool

  /// - Parameters:
  ///   - info: Discovery info to advertise; `nil` to not advertise.
  ///   - folder: Where to store received files; `nil` to reject them.
  init(
    _ options: PeerOptions, in context: CommandContext, advertising info: [String: String]?, browses: Bool,
    accept: PeerRule = .nobody,
    folder: URL? = nil,
    takeData: @escaping @Sendable (Data, MCPeerID, MCSession) -> Bool = { _, _, _ in false }
  ) {
    let peer = MCPeerID(displayName: options.givenName ?? HostName.own(context.environment))
    self.peer = peer
    self.accept = accept
    self.folder = folder
    self.takeData = takeData
    session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: options.encryption)
    advertiser = info.map {
      MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: $0.isEmpty ? nil : $0, serviceType: options.type)
    }
    browser = browses ? MCNearbyServiceBrowser(peer: peer, serviceType: options.type) : nil
    super.init()
    session.delegate = self
    advertiser?.delegate = self
    browser?.delegate = self
  }

  func start(in context: CommandContext) {
    context.interrupt.handle { [mailbox] in mailbox.post(.interrupted) }
    advertiser?.startAdvertisingPeer()
    browser?.startBrowsingForPeers()
  }

  /// Disconnects. Messages that were already sent are still delivered.
  func stop() {
    advertiser?.stopAdvertisingPeer()
    browser?.stopBrowsingForPeers()
    session.disconnect()
  }

  func invite(_ peer: MCPeerID, timeout: TimeInterval = 10) {
    browser?.invitePeer(peer, to: session, withContext: nil, timeout: timeout)
  }

  /// The peer network can't be used: what Avahi answered, and what to do.
  static var unavailable: CommandError {
    let reason = DeviceTrouble.reason(of: .peerNetwork).map { ": \($0)" } ?? ""
    return .unavailable(
      "can't use DNS-SD to find peers\(reason). Check the network, start avahi-daemon, or set "
        + "NEARBY_DISCOVERY=embedded to do without it")
  }
}

extension PeerRun: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    mailbox.post(.state(peerID, state))
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    // Blocks if the peer sends faster than its messages are printed, which slows the peer down.
    if !takeData(data, peerID, session) { mailbox.postInTurn(.data(data, from: peerID)) }
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) { stream.close() }

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {
    guard folder != nil else { return progress.cancel() }
    mailbox.post(.arriving(name: resourceName, from: peerID, PeerProgress(progress)))
  }

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {
    guard let folder else { return }
    let result: Result<URL, PeerTrouble>
    if let localURL, error == nil {
      // Move it now: the file is deleted when this method returns.
      result = ReceivedFiles.storeSafely(localURL, as: resourceName, in: folder)
    } else {
      result = .failure(PeerTrouble(text: error.map(PeerText.reason) ?? "no file received"))
    }
    mailbox.post(.arrived(name: resourceName, from: peerID, result))
  }
}

extension PeerRun: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    let isAccepted = accept.covers(peerID)
    invitationHandler(isAccepted, isAccepted ? session : nil)
    mailbox.post(.invited(peerID, isAccepted: isAccepted))
  }

  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {
    mailbox.post(.notStarted)
  }
}

extension PeerRun: MCNearbyServiceBrowserDelegate {
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) { mailbox.post(.found(peerID, info: info ?? [:])) }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) { mailbox.post(.lost(peerID)) }

  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
    mailbox.post(.notStarted)
  }
}

extension ReceivedFiles {
  /// Moves a file into a folder, under a safe and unused name.
  static func storeSafely(_ file: URL, as name: String, in folder: URL) -> Result<URL, PeerTrouble> {
    do {
      return .success(try store(file, as: safeName(name), in: folder))
    } catch {
      return .failure(PeerTrouble(text: "\(folder.path): \(FileTrouble.reason(error))"))
    }
  }

  /// Maximum length of a file's name; with a number appended for a name clash it stays below NAME_MAX, 255.
  private static let longestName = 250

  static func safeName(_ name: String) -> String {
    safeName(name) { PrintableText.name($0, limit: longestName) }
  }
}
