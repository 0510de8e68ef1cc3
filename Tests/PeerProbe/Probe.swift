import Dispatch
import Foundation
import MultipeerConnectivity

/// An app in its own process, for tests. It executes lines from standard input, and prints its events as
/// lines.
final class Probe: NSObject, @unchecked Sendable {
  // `@unchecked Sendable`: mutable state is used only on `queue`.
  let queue = DispatchQueue(label: "probe")
  let settings: ProbeSettings
  let peer: MCPeerID
  let session: MCSession
  let advertiser: MCNearbyServiceAdvertiser
  let browser: MCNearbyServiceBrowser
  var found: [MCPeerID] = []
  var next: [MCPeerID: Int] = [:]
  var answer = "yes"
  var invitesAll = false
  var flooded = 0
  var echoes = false
  /// The session's delegate waits here while the gate is shut.
  let gate = Gate()

  init(_ settings: ProbeSettings) throws {
    self.settings = settings
    peer = try settings.peer()
    session = MCSession(
      peer: peer, securityIdentity: settings.identity, encryptionPreference: settings.encryption)
    advertiser = MCNearbyServiceAdvertiser(
      peer: peer, discoveryInfo: ["app": settings.name], serviceType: settings.type)
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: settings.type)
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  /// Prints one event as one line, immediately.
  func say(_ text: String) {
    queue.async {
      do {
        try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
      } catch {
        // The reader is gone.
        exit(0)
      }
    }
  }

  /// The first digits of the identity.
  func id(_ peer: MCPeerID) -> String { String(peer.description.dropFirst("MCPeerID(".count).prefix(8)) }

  func name(_ peer: MCPeerID) -> String { peer.displayName }

  func execute(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first {
    case "advertise": advertiser.startAdvertisingPeer()
    case "hide": advertiser.stopAdvertisingPeer()
    case "browse": browser.startBrowsingForPeers()
    case "answer": answer = rest
    case "invite-all": invitesAll = true
    case "invite":
      for peer in found where peer.displayName == rest {
        browser.invitePeer(peer, to: session, withContext: Data("hello".utf8), timeout: settings.timeout)
      }
    case "echo": echoes = true
    case "send", "loose": send(Data(rest.utf8), words[0] == "send" ? .reliable : .unreliable)
    case "flood": flood(Int(rest) ?? 0)
    case "flood-on": flood(Int(rest) ?? 0, from: flooded)
    case "bulk": bulk(Int(rest) ?? 0)
    case "hold": gate.shut()
    case "go": gate.open()
    case "memory": say("memory \(Self.residentKilobytes) \(session.unreadOctets)")
    case "resource": resource(rest)
    case "disconnect": session.disconnect()
    case "peers": say("peers \(session.connectedPeers.map(name).sorted().joined(separator: ","))")
    case "quit": exit(0)
    default: say("unknown \(line)")
    }
  }

  private func send(_ data: Data, _ mode: MCSessionSendDataMode) {
    do {
      try session.send(data, toPeers: session.connectedPeers, with: mode)
    } catch { say("error \(error)") }
  }

  /// Sends messages that start with consecutive numbers.
  private func flood(_ count: Int, from first: Int = 0) {
    flooded = first + count
    for number in first..<flooded {
      send(Data("#\(number) \(String(repeating: "x", count: number % 300))".utf8), .reliable)
    }
    say("flooded \(count)")
  }

  /// Sends messages of 64 KiB until there is no room.
  private func bulk(_ count: Int) {
    var sent = 0
    do {
      for number in 0..<count {
        let start = Data("#\(number) ".utf8)
        let message = start + Data(repeating: UInt8(ascii: "x"), count: 65_536 - start.count)
        try session.send(message, toPeers: session.connectedPeers, with: .reliable)
        sent += 1
      }
      say("sent \(sent)")
    } catch { say("full \(sent) \(error)") }
  }

  /// The process's resident memory.
  private static var residentKilobytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private func resource(_ path: String) {
    guard let peer = session.connectedPeers.first else { return say("error nobody") }
    session.sendResource(at: URL(fileURLWithPath: path), withName: "thing", toPeer: peer) { [self] error in
      say("resource-sent \(error.map { "\($0)" } ?? "well")")
    }
  }
}

extension Probe: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    queue.async { [self] in next[peerID] = nil }
    say("state \(name(peerID)) \(state) \(id(peerID))")
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    gate.pass()
    let text = String(decoding: data.first == UInt8(ascii: "#") ? data.prefix(32) : data, as: UTF8.self)
    guard text.hasPrefix("#") else {
      if echoes { try? session.send(data, toPeers: [peerID], with: .reliable) }
      return say("data \(name(peerID)) \(text)")
    }
    let number = text.dropFirst().split(separator: " ").first.flatMap { Int($0) } ?? -1
    queue.async { [self] in
      let expected = next[peerID] ?? 0
      next[peerID] = number + 1
      if number != expected { say("order \(name(peerID)) \(number) instead of \(expected)") }
      if (number + 1) % 1000 == 0 { say("counted \(name(peerID)) \(number + 1)") }
    }
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) { say("stream \(name(peerID)) \(streamName)") }

  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress
  ) { say("resource-begins \(name(peerID)) \(resourceName) \(progress.totalUnitCount)") }

  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?
  ) {
    let hash = localURL.flatMap { try? Data(contentsOf: $0) }.map(ProbeSettings.hash)
    say("resource \(name(peerID)) \(resourceName) \(hash ?? "\(error.map { "\($0)" } ?? "nothing")")")
  }

  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) {
    let shown = (certificate ?? []).map { ($0 as? Data).map(ProbeSettings.hash) ?? "?" }
    say("certificate \(name(peerID)) \(shown.isEmpty ? "none" : shown.joined(separator: ","))")
    certificateHandler(!settings.refusesCertificates)
  }
}

extension Probe: MCNearbyServiceAdvertiserDelegate, MCNearbyServiceBrowserDelegate {
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    say("invited \(name(peerID)) \(context.map { String(decoding: $0, as: UTF8.self) } ?? "-")")
    switch queue.sync(execute: { answer }) {
    case "yes": invitationHandler(true, session)
    case "no": invitationHandler(false, nil)
    // Other invitations stay unanswered.
    default: break
    }
  }

  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error
  ) { say("advertiser \(error)") }

  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    say("found \(name(peerID)) \(info?["app"] ?? "-") \(id(peerID))")
    queue.async { [self] in
      found.removeAll { $0 == peerID }
      found.append(peerID)
      if invitesAll {
        browser.invitePeer(peerID, to: session, withContext: nil, timeout: settings.timeout)
      }
    }
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    say("lost \(name(peerID))")
    queue.async { [self] in found.removeAll { $0 == peerID } }
  }

  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
    say("browser \(error)")
  }
}
