import Foundation

/// Foundation classes that an archive may contain besides the app's own. They are decoded here, because
/// Foundation's own decoders are what ends the process.
enum FoundationClass: String {
  case string = "NSString"
  case mutableString = "NSMutableString"
  case number = "NSNumber"
  case data = "NSData"
  case mutableData = "NSMutableData"
  case date = "NSDate"
  case uuid = "NSUUID"
  case url = "NSURL"
  case null = "NSNull"
  case array = "NSArray"
  case mutableArray = "NSMutableArray"
  case set = "NSSet"
  case mutableSet = "NSMutableSet"
  case orderedSet = "NSOrderedSet"
  case mutableOrderedSet = "NSMutableOrderedSet"
  case dictionary = "NSDictionary"
  case mutableDictionary = "NSMutableDictionary"
}

extension ArchiveDecoder {
  /// Classes a collection may contain without the caller naming them.
  private static let scalars: [AnyClass] = [
    NSString.self, NSNumber.self, NSData.self, NSDate.self, NSNull.self,
  ]
  static let plainClasses = scalars + [NSArray.self, NSDictionary.self]

  /// Decodes the current object as an instance of a Foundation class.
  func foundationObject(_ kind: FoundationClass, among classes: [AnyClass]) -> Any? {
    switch kind {
    case .string: text().map { NSString(string: $0) }
    case .mutableString: text().map { NSMutableString(string: $0) }
    case .number: number()
    case .data: octets().map { NSData(data: $0) }
    case .mutableData: octets().map { NSMutableData(data: $0) }
    case .date: value("NS.time").flatMap(list.real).map { NSDate(timeIntervalSinceReferenceDate: $0) }
    case .uuid: uuid()
    case .url: url()
    case .null: NSNull()
    case .array: elements(among: classes).map { NSArray(array: $0) }
    case .mutableArray: elements(among: classes).map { NSMutableArray(array: $0) }
    case .set: elements(among: classes).map { NSSet(array: $0) }
    case .mutableSet: elements(among: classes).map { NSMutableSet(array: $0) }
    case .orderedSet: ordered(among: classes).map { NSOrderedSet(array: $0) }
    case .mutableOrderedSet: ordered(among: classes).map { NSMutableOrderedSet(array: $0) }
    case .dictionary: pairs(among: classes).map { NSDictionary(objects: $0.values, forKeys: $0.keys) }
    case .mutableDictionary:
      pairs(among: classes).map { NSMutableDictionary(objects: $0.values, forKeys: $0.keys) }
    }
  }

  private func text() -> String? { value("NS.string").flatMap(list.text) ?? octets("NS.bytes") }

  private func octets(_ key: String) -> String? {
    value(key).flatMap(list.octets).flatMap { String(validating: $0, as: UTF8.self) }
  }

  private func number() -> NSNumber? {
    for key in ["NS.number", "NS.boolval", "NS.intval", "NS.dblval"] {
      if let number = value(key).flatMap(propertyListObject) as? NSNumber { return number }
    }
    return nil
  }

  private func octets() -> Data? {
    let held = value("NS.data") ?? value("NS.bytes")
    guard let held else { return nil }
    if list.kind(of: held) == .archived {
      return (object(held, among: [NSData.self]) as? NSData).map { Data($0) }
    }
    return list.octets(of: held).map { Data($0) }
  }

  private func uuid() -> NSUUID? {
    guard let octets = value("NS.uuidbytes").flatMap(list.octets), octets.count == 16 else { return nil }
    return Array(octets).withUnsafeBufferPointer { $0.baseAddress.map { NSUUID(uuidBytes: $0) } }
  }

  private func url() -> NSURL? {
    guard let text = object(forKey: "NS.relative", among: [NSString.self]) as? NSString else { return nil }
    let base = object(forKey: "NS.base", among: [NSURL.self]) as? NSURL
    return NSURL(string: String(text), relativeTo: base.map { $0 as URL })
  }

  private func objects(_ key: String, among classes: [AnyClass]) -> [Any]? {
    guard let references = value(key).flatMap(list.elements), spend(references.count) else { return nil }
    var made: [Any] = []
    for reference in references {
      guard let object = object(reference, among: classes) else { return nil }
      made.append(object)
    }
    return made
  }

  private func elements(among classes: [AnyClass]) -> [Any]? {
    objects("NS.objects", among: classes + Self.scalars)
  }

  /// An ordered set stores each element under a numbered key.
  private func ordered(among classes: [AnyClass]) -> [Any]? {
    var made: [Any] = []
    while let reference = value("NS.object.\(made.count)") {
      guard let object = object(reference, among: classes + Self.scalars) else { return nil }
      made.append(object)
    }
    return made
  }

  private func pairs(among classes: [AnyClass]) -> (keys: [NSObject], values: [Any])? {
    guard let keys = objects("NS.keys", among: classes + Self.scalars),
      let values = elements(among: classes), keys.count == values.count
    else { return nil }
    // Dictionary keys must be hashable, so keep the NSObject instances rather than their bridged values.
    let hashable = keys.compactMap { $0 as? NSObject }
    return hashable.count == keys.count ? (hashable, values) : nil
  }

  // MARK: Property lists

  /// Converts a string, number, data or date to an object.
  func propertyListObject(_ reference: BinaryPropertyList.Reference) -> NSObject? {
    switch list.kind(of: reference) {
    case .ascii, .utf16: list.text(reference).map { NSString(string: $0) }
    case .integer: list.integer(reference).map { NSNumber(value: $0) }
    case .real: list.real(reference).map { NSNumber(value: $0) }
    case .simple: list.isTrue(reference).map { NSNumber(value: $0) }
    case .data: list.octets(of: reference).map { NSData(data: Data($0)) }
    case .date: list.real(reference).map { NSDate(timeIntervalSinceReferenceDate: $0) }
    case .archived, .array, .set, .dictionary, nil: nil
    }
  }

  /// Decodes a nested property list, at most 100 levels deep.
  func propertyList(_ reference: BinaryPropertyList.Reference, depth: Int = 0) -> Any? {
    guard depth < 100, spend(1) else { return nil }
    if let elements = list.elements(of: reference) {
      guard list.kind(of: reference) == .array else { return nil }
      let made = elements.compactMap { propertyList($0, depth: depth + 1) }
      return made.count == elements.count ? made : nil
    }
    guard let pairs = list.pairs(of: reference) else { return propertyListObject(reference) }
    var made: [String: Any] = [:]
    for (key, value) in zip(pairs.keys, pairs.values) {
      guard let key = list.text(key), let value = propertyList(value, depth: depth + 1) else { return nil }
      made[key] = value
    }
    return made
  }
}
