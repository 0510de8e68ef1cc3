// swift-format-ignore-file: NeverForceUnwrap
// Apps force-unwrap, so the code here must be allowed to.

// Code from apps written for Apple's module, with every name of it and Apple's signatures. Deliberately
// without strict concurrency. Only the import of UIKit was removed.
import Foundation
import MultipeerConnectivity

let serviceType = "example-chat"

/// As in many tutorials: one object for everything, with all delegates written by hand.
class MultipeerSession: NSObject {
  private let myPeerId = MCPeerID(displayName: ProcessInfo.processInfo.hostName.isEmpty ? "device" : "device")
  let session: MCSession
  private let serviceAdvertiser: MCNearbyServiceAdvertiser
  private let serviceBrowser: MCNearbyServiceBrowser
  var connectedPeers: [MCPeerID] = []
  var recvdInvite = false
  var availablePeers: [MCPeerID] = []
  var log: [String] = []
  var receivedDataHandler: (Data, MCPeerID) -> Void = { _, _ in }
  var inputStream: InputStream?
  var outputStream: OutputStream?
  var streamed = Data()

  override init() {
    session = MCSession(peer: myPeerId, securityIdentity: nil, encryptionPreference: .none)
    serviceAdvertiser = MCNearbyServiceAdvertiser(
      peer: myPeerId, discoveryInfo: nil, serviceType: serviceType)
    serviceBrowser = MCNearbyServiceBrowser(peer: myPeerId, serviceType: serviceType)
    super.init()
    session.delegate = self
    serviceAdvertiser.delegate = self
    serviceBrowser.delegate = self
    serviceAdvertiser.startAdvertisingPeer()
    serviceBrowser.startBrowsingForPeers()
  }

  deinit {
    serviceAdvertiser.stopAdvertisingPeer()
    serviceBrowser.stopBrowsingForPeers()
  }

  func send(text: String) {
    if !session.connectedPeers.isEmpty {
      do {
        try session.send(text.data(using: .utf8)!, toPeers: session.connectedPeers, with: .reliable)
      } catch let error as MCError where error.code == .notConnected {
        log.append("not connected")
      } catch let error as NSError {
        log.append("\(error.domain) \(error.code): \(error.localizedDescription)")
      }
    }
  }

  func sendToAllPeers(_ data: Data, reliably: Bool) {
    guard !session.connectedPeers.isEmpty else { return }
    try? session.send(data, toPeers: session.connectedPeers, with: reliably ? .reliable : .unreliable)
  }

  func stream(_ data: Data) throws {
    guard let peer = session.connectedPeers.first else { return }
    let outputStream = try session.startStream(withName: "stream", toPeer: peer)
    outputStream.delegate = self
    outputStream.schedule(in: RunLoop.main, forMode: .default)
    outputStream.open()
    let written = data.withUnsafeBytes {
      outputStream.write($0.bindMemory(to: UInt8.self).baseAddress!, maxLength: data.count)
    }
    log.append("wrote \(written)")
    self.outputStream = outputStream
  }

  func sendFile(_ url: URL) -> Progress? {
    session.sendResource(at: url, withName: url.lastPathComponent, toPeer: session.connectedPeers[0]) {
      [weak self] error in
      self?.log.append(error == nil ? "sent" : error!.localizedDescription)
    }
  }
}

extension MultipeerSession: MCNearbyServiceAdvertiserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: Error
  ) { log.append("ServiceAdvertiser didNotStartAdvertisingPeer: \(String(describing: error))") }

  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) { invitationHandler(true, self.session) }
}

extension MultipeerSession: MCNearbyServiceBrowserDelegate {
  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: Error) {
    log.append("ServiceBrowser didNotStartBrowsingForPeers: \(String(describing: error))")
  }
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    availablePeers.append(peerID)
    browser.invitePeer(peerID, to: session, withContext: nil, timeout: 10)
  }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    availablePeers.removeAll(where: { $0 == peerID })
  }
}

extension MultipeerSession: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    switch state {
    case .notConnected: log.append("Not Connected: \(peerID.displayName)")
    case .connecting: log.append("Connecting: \(peerID.displayName)")
    case .connected: log.append("Connected: \(peerID.displayName)")
    @unknown default: log.append("Unknown state: \(state.rawValue)")
    }
    connectedPeers = session.connectedPeers
  }
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    receivedDataHandler(data, peerID)
  }
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {
    stream.delegate = self
    stream.schedule(in: .main, forMode: .default)
    stream.open()
    inputStream = stream
  }
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress
  ) { log.append("receiving \(resourceName)") }
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: Error?
  ) { log.append("received \(resourceName) \(localURL != nil)") }
  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) { certificateHandler(true) }
}

extension MultipeerSession: StreamDelegate {
  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .hasBytesAvailable:
      let input = aStream as! InputStream
      var buffer = [UInt8](repeating: 0, count: 1024)
      while input.hasBytesAvailable {
        let count = input.read(&buffer, maxLength: buffer.count)
        if count > 0 { streamed.append(&buffer, count: count) } else { break }
      }
    case .endEncountered, .errorOccurred:
      aStream.close()
      aStream.remove(from: .main, forMode: .default)
      log.append("stream over")
    default: break
    }
  }
}

/// Implements only what the protocols require.
class Minimal: NSObject, MCSessionDelegate, MCNearbyServiceBrowserDelegate, MCNearbyServiceAdvertiserDelegate,
  MCAdvertiserAssistantDelegate
{
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {}
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {}
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: Error?
  ) {}
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {}
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {}
}

/// Apps use such mocks in their tests.
class MockPeerSession: MCSession, @unchecked Sendable {
  var sent: [Data] = []
  override var connectedPeers: [MCPeerID] { [myPeerID] }
  override func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
    sent.append(data)
  }
  override func sendResource(
    at resourceURL: URL, withName resourceName: String, toPeer peerID: MCPeerID,
    withCompletionHandler completionHandler: ((Error?) -> Void)? = nil
  ) -> Progress? { nil }
  override func startStream(withName streamName: String, toPeer peerID: MCPeerID) throws -> OutputStream {
    throw MCError(.unsupported)
  }
  override func disconnect() { sent = [] }
}

class MockBrowser: MCNearbyServiceBrowser, @unchecked Sendable {
  var invited: [MCPeerID] = []
  override func startBrowsingForPeers() {}
  override func stopBrowsingForPeers() {}
  override func invitePeer(
    _ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval
  ) { invited.append(peerID) }
}

class MockAdvertiser: MCNearbyServiceAdvertiser, @unchecked Sendable {
  override func startAdvertisingPeer() {}
  override func stopAdvertisingPeer() {}
}

/// Every name once, with exactly Apple's type.
enum EveryName {
  static let constants: (Int, Int, String) = (
    kMCSessionMinimumNumberOfPeers, kMCSessionMaximumNumberOfPeers, MCErrorDomain
  )
  static let modes: [MCSessionSendDataMode] = [.reliable, .unreliable]
  static let states: [MCSessionState] = [.notConnected, .connecting, .connected]
  static let preferences: [MCEncryptionPreference] = [.optional, .required, .none]
  static let codes: [MCError.Code] = [
    .unknown, .notConnected, .invalidParameter, .unsupported, .timedOut, .cancelled, .unavailable,
  ]
  static let shorthands: [MCError.Code] = [
    MCError.unknown, MCError.notConnected, MCError.invalidParameter, MCError.unsupported, MCError.timedOut,
    MCError.cancelled, MCError.unavailable,
  ]
  static let byNumber = (0...6).map { MCError.Code(rawValue: $0)! }

  static func session(_ session: MCSession, _ peer: MCPeerID) {
    let _: (MCPeerID) -> MCSession = MCSession.init(peer:)
    let _: (MCPeerID, [Any]?, MCEncryptionPreference) -> MCSession =
      MCSession.init(peer:securityIdentity:encryptionPreference:)
    let _: MCSessionDelegate? = session.delegate
    let _: MCPeerID = session.myPeerID
    let _: [Any]? = session.securityIdentity
    let _: MCEncryptionPreference = session.encryptionPreference
    let _: [MCPeerID] = session.connectedPeers
    let _: (Data, [MCPeerID], MCSessionSendDataMode) throws -> Void = session.send(_:toPeers:with:)
    let _: (URL, String, MCPeerID, ((Error?) -> Void)?) -> Progress? =
      session.sendResource(at:withName:toPeer:withCompletionHandler:)
    let _: (String, MCPeerID) throws -> OutputStream = session.startStream(withName:toPeer:)
    let _: () -> Void = session.disconnect
    let _: (MCPeerID, @escaping (Data, Error?) -> Void) -> Void =
      session.nearbyConnectionData(forPeer:withCompletionHandler:)
    let _: (MCPeerID, Data) -> Void = session.connectPeer(_:withNearbyConnectionData:)
    let _: (MCPeerID) -> Void = session.cancelConnectPeer(_:)
  }

  static func connectionData(_ session: MCSession, _ peer: MCPeerID) async throws -> Data {
    try await session.nearbyConnectionData(forPeer: peer)
  }

  static func discovery(
    _ browser: MCNearbyServiceBrowser, _ advertiser: MCNearbyServiceAdvertiser,
    _ assistant: MCAdvertiserAssistant
  ) {
    let _: (MCPeerID, String) -> MCNearbyServiceBrowser = MCNearbyServiceBrowser.init(peer:serviceType:)
    let _: MCNearbyServiceBrowserDelegate? = browser.delegate
    let _: (MCPeerID, String) = (browser.myPeerID, browser.serviceType)
    let _: (() -> Void, () -> Void) = (browser.startBrowsingForPeers, browser.stopBrowsingForPeers)
    let _: (MCPeerID, MCSession, Data?, TimeInterval) -> Void =
      browser.invitePeer(_:to:withContext:timeout:)
    let _: (MCPeerID, [String: String]?, String) -> MCNearbyServiceAdvertiser =
      MCNearbyServiceAdvertiser.init(peer:discoveryInfo:serviceType:)
    let _: MCNearbyServiceAdvertiserDelegate? = advertiser.delegate
    let _: (MCPeerID, [String: String]?, String) = (
      advertiser.myPeerID, advertiser.discoveryInfo, advertiser.serviceType
    )
    let _: (() -> Void, () -> Void) = (advertiser.startAdvertisingPeer, advertiser.stopAdvertisingPeer)
    let _: (String, [String: String]?, MCSession) -> MCAdvertiserAssistant =
      MCAdvertiserAssistant.init(serviceType:discoveryInfo:session:)
    let _: MCAdvertiserAssistantDelegate? = assistant.delegate
    let _: (MCSession, [String: String]?, String) = (
      assistant.session, assistant.discoveryInfo, assistant.serviceType
    )
    let _: (() -> Void, () -> Void) = (assistant.start, assistant.stop)
  }

  static func error() -> [String] {
    let error = MCError(.timedOut, userInfo: ["why": "late"])
    let _: MCError.Code = error.code
    let _: (Int, [String: Any], String) = (error.errorCode, error.errorUserInfo, MCError.errorDomain)
    do {
      throw error
    } catch MCError.timedOut {
      return ["timed out"]
    } catch {
      return ["\(error)"]
    }
  }
}

/// State for SwiftUI views.
@MainActor
final class PeerModel: NSObject {
  var names: [String] = []
  let session: MCSession

  override init() {
    session = MCSession(
      peer: MCPeerID(displayName: "model"), securityIdentity: nil, encryptionPreference: .optional)
    super.init()
    session.delegate = self
  }
}

extension PeerModel: MCSessionDelegate {
  nonisolated func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    DispatchQueue.main.async { self.names = session.connectedPeers.map(\.displayName) }
  }
  nonisolated func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    Task { @MainActor in names.append(String(decoding: data, as: UTF8.self)) }
  }
  nonisolated func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {}
  nonisolated func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}
  nonisolated func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: Error?
  ) {}
}

/// The same without `nonisolated`, with the `@preconcurrency` conformances that Swift 6 has for older
/// protocols.
@MainActor
final class IsolatedModel: NSObject, @preconcurrency MCNearbyServiceBrowserDelegate {
  var peers: [MCPeerID] = []
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) { peers.append(peerID) }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    peers.removeAll { $0 == peerID }
  }
}
