import Foundation
import NearbyRuntime

extension NSKeyedUnarchiver {
  /// Reads a discovery token from an archive that anybody may have made.
  ///
  /// Foundation's own call of this name stops the process on Linux when an archive is damaged inside, or holds an
  /// object of another class, so a peer could end its host with one message. This one is preferred where the
  /// class is `NIDiscoveryToken`; it reads the archive in place and instantiates nothing but the token.
  /// Source: `facts/real-apps.md`, section 1.
  /// - Returns: `nil` where the archive holds something else than a token.
  /// - Throws: `CocoaError.coderReadCorrupt` for data that is no archive, as `archivedData` writes them.
  public static func unarchivedObject(
    ofClass cls: NIDiscoveryToken.Type, from data: Data
  ) throws -> NIDiscoveryToken? {
    guard let list = BinaryPropertyList([UInt8](data)), let root = list.archivedRoot else {
      throw CocoaError(.coderReadCorrupt)
    }
    guard let name = list.className(of: root) else { return nil }
    guard name.elementsEqual(NSStringFromClass(cls).utf8) else { return nil }
    guard let text = list.archived(NIDiscoveryToken.key, of: root).flatMap(list.text),
      let token = NIDiscoveryToken(text: String(decoding: text, as: UTF8.self))
    else { throw CocoaError(.coderReadCorrupt) }
    return token
  }
}
