/// A binary property list that anybody may have made, looked at in place.
///
/// Foundation's reader stops the process on Linux when a list holds a set, which one changed octet of a string
/// can make of it. This one instantiates nothing, follows only the references it is asked to, and reads no octet
/// outside. Source: the remarks in CoreFoundation's `CFBinaryPList.c`.
package struct BinaryPropertyList {
  /// An object's place in the list's table of objects.
  package typealias Reference = Int

  private let octets: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  package let top: Reference

  private static let magic = Array("bplist0".utf8)
  private static let trailerSize = 32

  /// Reads the trailer; `nil` where it does not fit the octets.
  package init?(_ octets: [UInt8]) {
    guard octets.starts(with: Self.magic), octets.count >= 8 + Self.trailerSize else { return nil }
    let trailer = octets.count - Self.trailerSize
    offsetSize = Int(octets[trailer + 6])
    referenceSize = Int(octets[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(octets[(trailer + 8)..<(trailer + 16)]),
      let top = Self.number(octets[(trailer + 16)..<(trailer + 24)]),
      let table = Self.number(octets[(trailer + 24)..<(trailer + 32)]),
      top < count, table <= trailer, count <= (trailer - table) / offsetSize
    else { return nil }
    self.octets = octets
    self.count = count
    self.top = top
    self.table = table
  }

  /// Big-endian; `nil` beyond what an `Int` holds.
  private static func number(_ octets: ArraySlice<UInt8>) -> Int? {
    Int(exactly: octets.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  // MARK: Objects

  /// What an object is, as far as one look tells: the upper half of its first octet.
  package enum Kind: UInt8 {
    case simple = 0x0
    case integer = 0x1
    case real = 0x2
    case date = 0x3
    case data = 0x4
    case ascii = 0x5
    case utf16 = 0x6
    case archived = 0x8
    case array = 0xA
    case set = 0xC
    case dictionary = 0xD
  }

  /// `nil` for an object outside, or of a kind unknown.
  package func kind(of reference: Reference) -> Kind? {
    offset(of: reference).flatMap { Kind(rawValue: octets[$0] >> 4) }
  }

  /// How many elements, pairs or characters an object has; 0 for those without.
  package func count(of reference: Reference) -> Int {
    guard let kind = kind(of: reference) else { return 0 }
    return body(of: reference, kind: kind)?.count ?? 0
  }

  /// Whether an object is a string of these characters in ASCII.
  package func isText(_ reference: Reference, _ text: String) -> Bool {
    guard let body = body(of: reference, kind: .ascii) else { return false }
    return octets(from: body.start, count: body.count)?.elementsEqual(text.utf8) ?? false
  }

  /// The characters of a string.
  package func text(_ reference: Reference) -> String? {
    if let body = body(of: reference, kind: .ascii) {
      guard let characters = octets(from: body.start, count: body.count), characters.allSatisfy({ $0 < 0x80 })
      else { return nil }
      return String(decoding: characters, as: UTF8.self)
    }
    guard let body = body(of: reference, kind: .utf16) else { return nil }
    guard let characters = octets(from: body.start, count: 2 * body.count) else { return nil }
    let units = stride(from: characters.startIndex, to: characters.endIndex, by: 2).map {
      UInt16(characters[$0]) << 8 | UInt16(characters[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  package func octets(of reference: Reference) -> ArraySlice<UInt8>? {
    body(of: reference, kind: .data).flatMap { octets(from: $0.start, count: $0.count) }
  }

  package func isTrue(_ reference: Reference) -> Bool? {
    guard let start = offset(of: reference) else { return nil }
    return octets[start] == 0x09 ? true : octets[start] == 0x08 ? false : nil
  }

  /// Of up to eight octets, whose meaning is signed; of sixteen where the lower eight say it all.
  package func integer(_ reference: Reference) -> Int64? {
    guard let start = offset(of: reference), kind(of: reference) == .integer else { return nil }
    let size = Int(octets[start] & 0x0F)
    guard size <= 4, let number = octets(from: start + 1, count: 1 << size) else { return nil }
    let bits = number.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: bits)
  }

  /// A real number, or the seconds of a date since 2001.
  package func real(_ reference: Reference) -> Double? {
    guard let start = offset(of: reference), let kind = kind(of: reference), kind == .real || kind == .date
    else { return nil }
    let size = octets[start] & 0x0F
    guard size == 2 || size == 3, let number = octets(from: start + 1, count: 1 << Int(size)) else {
      return nil
    }
    let bits = number.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  /// What an array or a set holds.
  package func elements(of reference: Reference) -> [Reference]? {
    let body = body(of: reference, kind: .array) ?? body(of: reference, kind: .set)
    guard let body else { return nil }
    return references(body.count, from: body.start)
  }

  /// The keys and the values of a dictionary, in its order.
  package func pairs(of reference: Reference) -> (keys: [Reference], values: [Reference])? {
    guard let body = body(of: reference, kind: .dictionary),
      let all = references(2 * body.count, from: body.start)
    else { return nil }
    return (Array(all.prefix(body.count)), Array(all.suffix(body.count)))
  }

  /// The value that a dictionary has for a key.
  package func value(_ key: String, of reference: Reference) -> Reference? {
    guard let body = body(of: reference, kind: .dictionary) else { return nil }
    for index in 0..<body.count {
      guard let candidate = self.reference(index, from: body.start) else { return nil }
      if isText(candidate, key) { return self.reference(body.count + index, from: body.start) }
    }
    return nil
  }

  /// What an archiver's reference to another object says.
  package func identifier(_ reference: Reference) -> Int? {
    guard let start = offset(of: reference), kind(of: reference) == .archived else { return nil }
    return octets(from: start + 1, count: Int(octets[start] & 0x0F) + 1).flatMap(Self.number)
  }

  /// An object's own octets, without the references that those of arrays, sets and dictionaries end with.
  package func head(of reference: Reference) -> ArraySlice<UInt8>? {
    guard let start = offset(of: reference), let kind = kind(of: reference) else { return nil }
    let low = Int(octets[start] & 0x0F)
    switch kind {
    case .simple: return octets(from: start, count: 1)
    case .integer, .real, .date: return low <= 4 ? octets(from: start, count: 1 + (1 << low)) : nil
    case .archived: return octets(from: start, count: low + 2)
    case .data, .ascii, .utf16:
      guard let body = body(of: reference, kind: kind) else { return nil }
      let size = kind == .utf16 ? 2 * body.count : body.count
      return octets(from: start, count: body.start - start + size)
    case .array, .set, .dictionary:
      return body(of: reference, kind: kind).flatMap { octets(from: start, count: $0.start - start) }
    }
  }

  // MARK: Octets

  private func octets(from start: Int, count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, start <= table, count <= table - start else { return nil }
    return octets[start..<(start + count)]
  }

  private func offset(of reference: Reference) -> Int? {
    guard (0..<count).contains(reference) else { return nil }
    let entry = table + reference * offsetSize
    guard let offset = Self.number(octets[entry..<(entry + offsetSize)]), offset < table else { return nil }
    return offset
  }

  private func reference(_ index: Int, from start: Int) -> Reference? {
    let (place, isTooLarge) = index.multipliedReportingOverflow(by: referenceSize)
    guard !isTooLarge, place <= table - start else { return nil }
    return octets(from: start + place, count: referenceSize).flatMap(Self.number)
  }

  private func references(_ count: Int, from start: Int) -> [Reference]? {
    let (size, isTooLarge) = count.multipliedReportingOverflow(by: referenceSize)
    guard !isTooLarge, octets(from: start, count: size) != nil else { return nil }
    return (0..<count).compactMap { reference($0, from: start) }
  }

  /// Where an object of a kind has its elements, and how many; `nil` for another kind.
  private func body(of reference: Reference, kind: Kind) -> (start: Int, count: Int)? {
    guard let start = offset(of: reference), octets[start] >> 4 == kind.rawValue else { return nil }
    let short = Int(octets[start] & 0x0F)
    guard short == 0x0F else { return (start + 1, short) }
    // A count above 14 is a number object of its own.
    guard start + 1 < table, octets[start + 1] >> 4 == 0x1, octets[start + 1] & 0x0F <= 3 else { return nil }
    let size = 1 << Int(octets[start + 1] & 0x0F)
    guard let count = octets(from: start + 2, count: size).flatMap(Self.number), count <= table else {
      return nil
    }
    return (start + 2 + size, count)
  }
}
