import Foundation

/// Decodes archives written by `NSKeyedArchiver`, from untrusted octets.
///
/// On Linux, Foundation's unarchiver ends the process if an archive is damaged or contains an object of an
/// unexpected class. This decoder offers classes the same `NSCoder` calls but returns `nil` instead; it
/// records the first error and throws it at the end. It creates objects of the requested classes only,
/// creates each object once, and its running time is linear in the length of the archive.
///
/// An archive is a binary property list with a dictionary at the top:
///
///     $archiver   "NSKeyedArchiver"
///     $version    100000
///     $top        {key: reference}, one for each encoded root object
///     $objects    [object]; a reference is an index into this array, and "$null" stands for nil
///
/// An object is a string, number, date, data, or a dictionary of the keys that it encoded, in which "$class"
/// refers to a dictionary with its "$classname".
///
/// Source: archives that `NSKeyedArchiver` of the same Foundation writes.
final class ArchiveDecoder: NSCoder {
  let list: BinaryPropertyList
  private let objects: [BinaryPropertyList.Reference]
  /// The decoded objects, by index in `$objects`.
  private var made: [Int: Any] = [:]
  /// Indices of the objects being decoded, outermost first.
  private var making: [Int] = []
  /// The dictionary from which `decode…(forKey:)` reads.
  private var holder: BinaryPropertyList.Reference
  /// The classes the caller requested.
  private var asked: [AnyClass] = []
  private(set) var failure: CocoaError?
  /// The class that an unarchiver maps a class name to.
  private let mapped: (String) -> AnyClass?
  /// Remaining number of steps. It keeps the work linear even if parts of a short archive overlap.
  private var budget: Int

  /// Maximum nesting of objects, because each level may use several stack frames.
  private static let depth = 100

  /// - Parameter mapped: The class the app has set for a name, or `nil`.
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

  /// Decodes the archive's root object.
  /// - Throws: `CocoaError.coderReadCorrupt` if the root is of no class in `classes`, or anything in it is
  ///   invalid.
  static func root(of data: Data, among classes: [AnyClass]) throws -> Any {
    let decoder = try ArchiveDecoder(data)
    let root = try decoder.object(atTop: NSKeyedArchiveRootObjectKey, among: classes)
    guard let root else { throw CocoaError.archive("The archive holds nothing.") }
    return root
  }

  /// Decodes a top-level object; `nil` if there is none for the key.
  /// - Throws: As `root(of:among:)`, and immediately if an earlier call failed.
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

  /// The object for a key of the object being decoded; `nil` if missing or invalid.
  func object(forKey key: String, among classes: [AnyClass]) -> Any? {
    guard let reference = value(key) else { return nil }
    return object(reference, among: classes)
  }

  /// The object at the index that a reference contains.
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

  /// Decodes an object that is archived without its class: a string, number, data or date.
  private func plain(_ reference: BinaryPropertyList.Reference, among classes: [AnyClass]) -> Any? {
    propertyListObject(reference).flatMap { checked($0, among: classes) }
  }

  private func checked(_ object: Any, among classes: [AnyClass]) -> Any? {
    if isAllowed(type(of: object as AnyObject), among: classes) { return object }
    fail("\(type(of: object)) is not what was asked for.")
    return nil
  }

  /// Whether a class is one of `classes`, or a subclass of one.
  private func isAllowed(_ found: AnyClass, among classes: [AnyClass]) -> Bool {
    sequence(first: found, next: { _getSuperclass($0) }).contains { ancestor in
      classes.contains { $0 == ancestor }
    }
  }

  /// Creates the object that `holder` describes.
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

  /// The class for a name in an archive. Only plain identifiers are looked up in the runtime, because the
  /// name is untrusted.
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

  /// Without a requested class, allows the archive's requested classes and the plain ones.
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
