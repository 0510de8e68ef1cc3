@_exported import Foundation

extension NSKeyedUnarchiver {
  /// Reads an object from an archive that anybody may have made.
  ///
  /// Foundation's own call of this name stops the process on Linux when an archive is damaged inside, or holds an
  /// object of another class, so that a peer could end its host with one message. This one is more special, which
  /// makes the compiler prefer it for every class with secure coding: those of this package, an app's own, and
  /// Foundation's.
  /// - Throws: `CocoaError.coderReadCorrupt` for octets that are no archive, an object of another class, here or
  ///   in it, and an object that its class does not take.
  public static func unarchivedObject<DecodedObjectType>(
    ofClass cls: DecodedObjectType.Type, from data: Data
  ) throws -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    try ArchiveDecoder.root(of: data, among: [cls]) as? DecodedObjectType
  }

  /// Reads an object of one of several classes from an archive that anybody may have made.
  ///
  /// It is preferred where the classes stand in the call; `[AnyClass]` in a variable leads to Foundation's.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedObject(
    ofClasses classes: [any (NSObject & NSSecureCoding).Type], from data: Data
  ) throws -> Any? {
    try ArchiveDecoder.root(of: data, among: classes.map { $0 as AnyClass })
  }

  /// Reads an array of objects of one class.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedArrayOfObjects<DecodedObjectType>(
    ofClass cls: DecodedObjectType.Type, from data: Data
  ) throws -> [DecodedObjectType]? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    try ArchiveDecoder.root(of: data, among: [NSArray.self, cls]) as? [DecodedObjectType]
  }

  /// Reads an array of objects of several classes.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedArrayOfObjects(ofClasses classes: [AnyClass], from data: Data) throws -> [Any]?
  {
    try ArchiveDecoder.root(of: data, among: [NSArray.self] + classes) as? [Any]
  }

  /// Reads a dictionary with keys of several classes and values of several.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedDictionary(
    ofKeyClasses keyClasses: [AnyClass], objectClasses valueClasses: [AnyClass], from data: Data
  ) throws -> [AnyHashable: Any]? {
    try ArchiveDecoder.root(of: data, among: [NSDictionary.self] + keyClasses + valueClasses)
      as? [AnyHashable: Any]
  }

  /// Reads a dictionary with keys of one class and values of another.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedDictionary<KeyType, ObjectType>(
    ofKeyClass keyClass: KeyType.Type, objectClass valueClass: ObjectType.Type, from data: Data
  ) throws -> [KeyType: ObjectType]?
  where KeyType: NSObject, KeyType: NSSecureCoding, ObjectType: NSObject, ObjectType: NSSecureCoding {
    try ArchiveDecoder.root(of: data, among: [NSDictionary.self, keyClass, valueClass])
      as? [KeyType: ObjectType]
  }
}
