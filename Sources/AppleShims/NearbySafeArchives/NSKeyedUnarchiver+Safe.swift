@_exported import Foundation

extension NSKeyedUnarchiver {
  /// Decodes the root object of an untrusted archive.
  ///
  /// On Linux, Foundation's method of this name ends the process if an archive is damaged or contains an
  /// object of an unexpected class, so a peer could crash its host with one message. The compiler prefers
  /// this overload for every class with secure coding, because it is more specific: classes of this package,
  /// the app's own and Foundation's.
  /// - Throws: `CocoaError.coderReadCorrupt` if the data is not an archive, if the root or any object in it
  ///   is of an unexpected class, or if a class fails to decode its object.
  public static func unarchivedObject<DecodedObjectType>(
    ofClass cls: DecodedObjectType.Type, from data: Data
  ) throws -> DecodedObjectType? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    try ArchiveDecoder.root(of: data, among: [cls]) as? DecodedObjectType
  }

  /// Decodes the root object of an untrusted archive as one of several classes.
  ///
  /// The compiler prefers this overload if the classes are listed in the call; a variable of type
  /// `[AnyClass]` selects Foundation's.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedObject(
    ofClasses classes: [any (NSObject & NSSecureCoding).Type], from data: Data
  ) throws -> Any? {
    try ArchiveDecoder.root(of: data, among: classes.map { $0 as AnyClass })
  }

  /// Decodes an array of objects of one class.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedArrayOfObjects<DecodedObjectType>(
    ofClass cls: DecodedObjectType.Type, from data: Data
  ) throws -> [DecodedObjectType]? where DecodedObjectType: NSObject, DecodedObjectType: NSSecureCoding {
    try ArchiveDecoder.root(of: data, among: [NSArray.self, cls]) as? [DecodedObjectType]
  }

  /// Decodes an array of objects of several classes.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedArrayOfObjects(ofClasses classes: [AnyClass], from data: Data) throws -> [Any]?
  {
    try ArchiveDecoder.root(of: data, among: [NSArray.self] + classes) as? [Any]
  }

  /// Decodes a dictionary whose keys and values are each of several classes.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedDictionary(
    ofKeyClasses keyClasses: [AnyClass], objectClasses valueClasses: [AnyClass], from data: Data
  ) throws -> [AnyHashable: Any]? {
    try ArchiveDecoder.root(of: data, among: [NSDictionary.self] + keyClasses + valueClasses)
      as? [AnyHashable: Any]
  }

  /// Decodes a dictionary with keys of one class and values of another.
  /// - Throws: As `unarchivedObject(ofClass:from:)`.
  public static func unarchivedDictionary<KeyType, ObjectType>(
    ofKeyClass keyClass: KeyType.Type, objectClass valueClass: ObjectType.Type, from data: Data
  ) throws -> [KeyType: ObjectType]?
  where KeyType: NSObject, KeyType: NSSecureCoding, ObjectType: NSObject, ObjectType: NSSecureCoding {
    try ArchiveDecoder.root(of: data, among: [NSDictionary.self, keyClass, valueClass])
      as? [KeyType: ObjectType]
  }
}
