import Foundation
import MultipeerConnectivity
import NearbyFiles

/// The peer identity of a Cerca process. It is stored across launches, so that the peer recognizes it at once.
struct KeptPeer {
  let peer: MCPeerID
  /// Locked while in use, so a second process with the same name gets another identity.
  private let file: FileLock?

  /// - Parameter environment: `XDG_STATE_HOME` sets where it is stored.
  init(name: String, environment: [String: String]) {
    file = Self.file(of: name, environment)
    let archive = file.flatMap { Data(base64Encoded: $0.text) }
    let kept = archive.flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: $0) }
    if let kept, kept.displayName == name {
      peer = kept
      return
    }
    peer = MCPeerID(displayName: name)
    guard let file,
      let archive = try? NSKeyedArchiver.archivedData(withRootObject: peer, requiringSecureCoding: true)
    else { return }
    file.write(archive.base64EncodedString())
  }

  /// Makes the next launch create a new identity, because this one's key was lost.
  func forget() { file?.write("") }

  private static func file(of name: String, _ environment: [String: String]) -> FileLock? {
    // A stored identity is useless without its stored key.
    guard environment["NEARBY_PEER_KEYS"] != "memory" else { return nil }
    let state = XDGFolder.state.url(environment, home: FileManager.default.homeDirectoryForCurrentUser)
    let folder = state.appendingPathComponent("swift-nearby/cerca")
    // Not by FileManager, which sets the mode a moment after it has made the folder: a process that looks in between
    // finds that others may enter it, and refuses it (`UserFolder`).
    try? DurableFile.makeFolder(folder.path)
    let octets = name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    guard let lock = try? FileLock(folder.path + "/\(octets).peer"), lock.tryAlone() else { return nil }
    return lock
  }
}
