import Foundation

extension NSKeyedUnarchiver {
  /// Reads a discovery token from an archive that anybody may have made.
  ///
  /// Foundation's own call of this name stops the process on Linux when a well-formed archive holds an object
  /// of another class, so a peer could end its host with one message. This one is preferred where the class is
  /// `NIDiscoveryToken`, and looks first. Source: `facts/real-apps.md`, section 1.
  /// - Returns: `nil` where the archive holds something else than a token.
  /// - Throws: What Foundation throws for data that is no archive.
  public static func unarchivedObject(
    ofClass cls: NIDiscoveryToken.Type, from data: Data
  ) throws -> NIDiscoveryToken? {
    guard try holdsNothingBut(NSStringFromClass(cls), data) else { return nil }
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    defer { unarchiver.finishDecoding() }
    return unarchiver.decodeObject(of: NIDiscoveryToken.self, forKey: NSKeyedArchiveRootObjectKey)
  }

  /// Whether the archive's classes are the named one and nothing else.
  private static func holdsNothingBut(_ className: String, _ data: Data) throws -> Bool {
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    guard let archive = list as? [String: Any], let objects = archive["$objects"] as? [Any] else {
      throw CocoaError(.coderReadCorrupt)
    }
    let names = objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String }
    return names == [className]
  }
}
