import Foundation
import NearbyRuntime

extension NSKeyedUnarchiver {
  /// Reads a discovery token from an archive that anybody may have made.
  ///
  /// Foundation's own call of this name stops the process on Linux when an archive is damaged inside, or holds an
  /// object of another class, so a peer could end its host with one message. This one is preferred where the
  /// class is `NIDiscoveryToken`; it reads the archive's property list itself and instantiates nothing.
  /// Source: `facts/real-apps.md`, section 1.
  /// - Returns: `nil` where the archive holds something else than a token.
  /// - Throws: `CocoaError.coderReadCorrupt`, or what Foundation throws for data that is no property list.
  public static func unarchivedObject(
    ofClass cls: NIDiscoveryToken.Type, from data: Data
  ) throws -> NIDiscoveryToken? {
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    guard let archive = list as? [String: Any], archive["$archiver"] as? String == "NSKeyedArchiver",
      let objects = archive["$objects"] as? [Any]
    else { throw CocoaError(.coderReadCorrupt) }
    let classNames = objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String }
    guard classNames == [NSStringFromClass(cls)] else { return nil }
    // A token's archive holds one text beside the marker for nothing.
    let texts = objects.compactMap { $0 as? String }.filter { $0 != "$null" }
    guard texts.count == 1, let token = NIDiscoveryToken(text: texts[0]) else {
      throw CocoaError(.coderReadCorrupt)
    }
    return token
  }
}
