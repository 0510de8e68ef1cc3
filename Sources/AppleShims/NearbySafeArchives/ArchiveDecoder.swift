import Foundation

/// Decodes what `NSKeyedArchiver` wrote, from octets that anybody may have made.
///
/// Foundation's unarchiver stops the process on Linux when an archive holds an object of a class that was not
/// asked for, or is damaged inside. This one hands every class the same calls and answers `nil` instead; the
/// first thing that went wrong is kept and thrown in the end. It makes objects of the classes asked for only,
/// each object once, and its work grows with the archive's length and no faster.
///
/// Source: `facts/real-apps.md`, section 1; the archives of `NSKeyedArchiver` of the same Foundation.
final class ArchiveDecoder: NSCoder {
  let list: BinaryPropertyList
  private let objects: [BinaryPropertyList.Reference]
  /// What was made, by its number in the archive.
  private var made: [Int: Any] = [:]
  /// The numbers of those being made, outermost first.
  private var making: [Int] = []
  /// Whose values `decode…(forKey:)` gives.
  private var holder: BinaryPropertyList.Reference
  /// What the caller asked for.
  private var asked: [AnyClass] = []
  private(set) var failure: CocoaError?
  /// Whom an unarchiver takes for names in its archives.
  private let mapped: (String) -> AnyClass?
  /// What may still be looked at, so that a short archive whose parts overlap is no long work.
  private var budget: Int

  /// Objects in objects; a class may need a stack of its own for each.
  private static let depth = 100

  /// - Parameter mapped: The class that its reader has set for a name, `nil` for all others.
  init(_ data: Data, mapped: @escaping (String) -> AnyClass? = { _ in nil }) throws {
    self.mapped = mapped
    let octets = [UInt8](data)
    guard let list = BinaryPropertyList(octets),
      let archiver = list.value("$archiver", of: list.top), list.isText(archiver, "NSKeyedArchiver"),
      let version = list.value("$version", of: list.top), list.integer(version) == 100_000,
      let top = list.value("$top", of: list.top), list.kind(of: top) == .dictionary,
      let objects = list.value("$objects", of: list.top).flatMap(list.elements)
    else { throw CocoaError.archive("These octets are no archive.") }
    self.list = list
    self.objects = objects
    holder = top
    budget = 16 * octets.count + 10_000
    super.init()
  }

  /// The archive's one object.
  /// - Throws: `CocoaError.coderReadCorrupt` where it is of no class among these, or anything in it is wrong.
  static func root(of data: Data, among classes: [AnyClass]) throws -> Any {
    let decoder = try ArchiveDecoder(data)
    let root = try decoder.object(atTop: NSKeyedArchiveRootObjectKey, among: classes)
    guard let root else { throw CocoaError.archive("The archive holds nothing.") }
    return root
  }

  /// One of the archive's objects; `nil` where there is none.
  /// - Throws: As `root(of:among:)`, at once if something was wrong before.
  func object(atTop key: String, among classes: [AnyClass]) throws -> Any? {
    asked = classes
    let object = object(forKey: key, among: classes)
    if let failure { throw failure }
    return object
  }

  // MARK: Values

  func value(_ key: String) -> BinaryPropertyList.Reference? {
    guard failure == nil, spend(1 + list.count(of: holder)) else { return nil }
    return list.value(key, of: holder)
  }

  func spend(_ steps: Int) -> Bool {
    budget -= steps
    if budget < 0 { fail("The archive's parts overlap.") }
    return budget >= 0
  }

  func fail(_ reason: String) {
    if failure == nil { failure = CocoaError.archive(reason) }
  }

  // MARK: Objects

  /// The object under a key of the one being made; `nil` where there is none, or it failed.
  func object(forKey key: String, among classes: [AnyClass]) -> Any? {
    guard let reference = value(key) else { return nil }
    return object(reference, among: classes)
  }

  /// The object that a reference of the archiver's leads to.
  func object(_ reference: BinaryPropertyList.Reference, among classes: [AnyClass]) -> Any? {
    guard failure == nil else { return nil }
    guard let number = list.identifier(reference), objects.indices.contains(number) else {
      fail("A reference leads out of the archive.")
      return nil
    }
    let target = objects[number]
    if list.isText(target, "$null") { return nil }
    if let known = made[number] { return checked(known, among: classes) }
    guard !making.contains(number), making.count < Self.depth else {
      fail("An object holds itself, or too many in each other.")
      return nil
    }
    guard spend(1 + list.count(of: target)) else { return nil }
    making.append(number)
    let outer = holder
    holder = target
    let object = list.kind(of: target) == .dictionary ? made(among: classes) : plain(target, among: classes)
    holder = outer
    making.removeLast()
    guard failure == nil, let object else {
      fail("An object cannot be read.")
      return nil
    }
    made[number] = object
    return object
  }

  /// An object that an archive holds without its class: text, number or octets.
  private func plain(_ reference: BinaryPropertyList.Reference, among classes: [AnyClass]) -> Any? {
    propertyListObject(reference).flatMap { checked($0, among: classes) }
  }

  private func checked(_ object: Any, among classes: [AnyClass]) -> Any? {
    if isAllowed(type(of: object as AnyObject), among: classes) { return object }
    fail("\(type(of: object)) is not what was asked for.")
    return nil
  }

  /// Whether a class is one of these, or derived from one.
  private func isAllowed(_ found: AnyClass, among classes: [AnyClass]) -> Bool {
    sequence(first: found, next: { _getSuperclass($0) }).contains { ancestor in
      classes.contains { $0 == ancestor }
    }
  }

  /// Makes the object that `holder` describes.
  private func made(among classes: [AnyClass]) -> Any? {
    guard let number = value("$class").flatMap(list.identifier), objects.indices.contains(number),
      let name = list.value("$classname", of: objects[number]).flatMap(list.text),
      let found = found(name, among: classes)
    else {
      fail("An object's class is not known.")
      return nil
    }
    guard isAllowed(found, among: classes) else {
      fail("\(name) is not what was asked for.")
      return nil
    }
    if let kind = FoundationClass(rawValue: name) { return foundationObject(kind, among: classes) }
    guard let secure = found as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
      fail("\(name) has no secure coding.")
      return nil
    }
    return secure.init(coder: self)
  }

  /// The class of a name in an archive. A name from outside is looked up only if it is plain.
  private func found(_ name: String, among classes: [AnyClass]) -> AnyClass? {
    if let mapped = mapped(name) { return mapped }
    if let mapped = NSKeyedUnarchiver.class(forClassName: name) { return mapped }
    if let asked = classes.first(where: { NSStringFromClass($0) == name }) { return asked }
    guard name.utf8.count <= 256, name.split(separator: ".", omittingEmptySubsequences: false).count <= 2,
      name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(Self.isIdentifier)
    else { return nil }
    return NSClassFromString(name)
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.utf8.allSatisfy { $0 < 0x80 } && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  // MARK: NSCoder

  override var allowsKeyedCoding: Bool { true }
  override var requiresSecureCoding: Bool { true }
  override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
  override var error: (any Error)? { failure }
  override func failWithError(_ error: any Error) {
    if failure == nil { failure = (error as? CocoaError) ?? CocoaError.archive("\(error)") }
  }
  override func containsValue(forKey key: String) -> Bool { value(key) != nil }

  override func decodeBool(forKey key: String) -> Bool { decodeInt64(forKey: key) != 0 }
  override func decodeInt32(forKey key: String) -> Int32 {
    Int32(truncatingIfNeeded: decodeInt64(forKey: key))
  }
  override func decodeInteger(forKey key: String) -> Int { Int(decodeInt64(forKey: key)) }
  override func decodeInt64(forKey key: String) -> Int64 {
    guard let held = value(key) else { return 0 }
    if let isTrue = list.isTrue(held) { return isTrue ? 1 : 0 }
    return list.integer(held) ?? list.real(held).flatMap { Int64(exactly: $0.rounded()) } ?? 0
  }
  override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }
  override func decodeDouble(forKey key: String) -> Double {
    guard let held = value(key) else { return 0 }
    return list.real(held) ?? Double(decodeInt64(forKey: key))
  }
  override func withDecodedUnsafeBytes<Result>(
    forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    guard let octets = value(key).flatMap(list.octets) else { return try body(nil) }
    return try octets.withUnsafeBytes { try body($0) }
  }

  override func decodeCInt(forKey key: String) -> CInt { decodeInt32(forKey: key) }

  /// Without a class asked for, what the whole archive may hold is allowed, and plain values.
  override func decodeObject(forKey key: String) -> Any? {
    object(forKey: key, among: asked + Self.plainClasses)
  }
  override func decodeObject() -> Any? {
    fail("An archive has its values by key.")
    return nil
  }
  override func decodeData() -> Data? {
    fail("An archive has its values by key.")
    return nil
  }
  override func decodeObject<Decoded: NSCoding>(of cls: Decoded.Type, forKey key: String) -> Decoded?
  where Decoded: NSObject {
    object(forKey: key, among: [cls]) as? Decoded
  }
  override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
    object(forKey: key, among: classes ?? [])
  }
  override func decodePropertyList(forKey key: String) -> Any? { value(key).flatMap { propertyList($0) } }
}

extension CocoaError {
  static func archive(_ reason: String) -> CocoaError {
    CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: reason])
  }
}
