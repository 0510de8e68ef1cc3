import Foundation
import NearbyDevice
import NearbyFiles
import NearbyPeerLink
import NearbyPeerNetwork
import Synchronization

/// Stores the keys of this device's local peers: all in memory, and in files if an app archived the peer's ID.
///
/// Each identity has a file `HEX.pem` of mode 0600 in a folder of mode 0700; the newest 1024 are kept. If nothing can
/// be written, an archived ID works until the process ends.
package final class PeerKeyStore: Sendable {
  private static let maximumFiles = 1024

  /// `nil` keeps everything in memory.
  private let folder: URL?
  private let notice: @Sendable (String) -> Void
  private let keys = Mutex<[PeerIdentity: PeerKey]>([:])

  package init(folder: URL?, notice: @escaping @Sendable (String) -> Void = Notice.write) {
    self.folder = folder
    self.notice = notice
  }

  /// Makes a key, whose fingerprint is the identity.
  func makeIdentity() throws(NetworkError) -> PeerIdentity {
    let key = try PeerKey.generate()
    guard let identity = try? PeerIdentity(octets: key.fingerprint) else {
      throw .badIdentity("a fingerprint has 32 octets")
    }
    keys.withLock { $0[identity] = key }
    return identity
  }

  /// The key of an identity, from memory or its file; `nil` if it belongs to another device.
  func key(of identity: PeerIdentity) -> PeerKey? {
    if let key = keys.withLock({ $0[identity] }) { return key }
    guard let file = file(of: identity), let octets = try? DurableFile.read(file.path) else { return nil }
    guard let key = try? PeerKey(pem: [UInt8](octets)),
      key.fingerprint == identity.octets
    else {
      notice("\(file.path) does not hold the key that its name says")
      return nil
    }
    keys.withLock { $0[identity] = key }
    // Keys in use are the last to be removed.
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
    return key
  }

  /// Writes the key of an identity of this device to its file, so that it outlives the process.
  func store(_ identity: PeerIdentity) {
    guard let key = keys.withLock({ $0[identity] }), let folder, let file = file(of: identity),
      !FileManager.default.fileExists(atPath: file.path)
    else { return }
    do {
      try DurableFile.makeFolder(folder.path)
      try DurableFile.replace(file.path, with: key.pem(), mode: 0o600)
      removeOldest()
    } catch {
      notice("the key of an archived peer ID cannot be kept in \(folder.path): \(FileFailure.reason(error))")
    }
  }

  private func file(of identity: PeerIdentity) -> URL? {
    folder?.appendingPathComponent("\(identity).pem")
  }

  private func removeOldest() {
    guard let folder,
      let files = try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.contentModificationDateKey]),
      files.count > Self.maximumFiles
    else { return }
    let dated = files.filter { $0.pathExtension == "pem" }.map { file in
      (file, (try? file.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate)
    }
    let oldestFirst = dated.sorted { ($0.1 ?? .distantPast) < ($1.1 ?? .distantPast) }
    for (file, _) in oldestFirst.prefix(max(0, dated.count - Self.maximumFiles)) {
      try? FileManager.default.removeItem(at: file)
    }
  }
}
