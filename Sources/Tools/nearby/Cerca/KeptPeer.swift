import Foundation
import MultipeerConnectivity
import NearbyFiles

/// Who a Cerca is: the same from start to start, so that the other one knows at once who has come back.
struct KeptPeer {
  let peer: MCPeerID
  /// Locked while it is in use: a second process of the name is somebody else.
  private let file: FileLock?

  /// - Parameter environment: `XDG_STATE_HOME` says where it is kept.
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

  /// The next start is somebody new: this one's key is gone.
  func forget() { file?.write("") }

  private static func file(of name: String, _ environment: [String: String]) -> FileLock? {
    // Without kept keys a kept name is nobody's.
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
