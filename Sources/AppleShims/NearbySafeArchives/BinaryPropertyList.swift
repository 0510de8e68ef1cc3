/// An untrusted binary property list, read in place.
///
/// On Linux, Foundation's reader ends the process if a list contains a set, which a single changed octet in a
/// string can produce. This reader creates no objects up front, follows only the references it is asked for,
/// and checks every offset.
///
/// Layout, all numbers big-endian:
///
///     "bplist00" | objects | offset table | trailer (32 octets)
///
///     trailer   0…5    unused
///               6      octets per entry of the offset table
///               7      octets per reference
///               8…15   number of objects
///               16…23  reference of the top object
///               24…31  position of the offset table
///
/// A reference is an index into the offset table, whose entries are positions in the list. Each object starts
/// with a marker octet, whose upper half is its kind and lower half n its size:
///
///     0  simple      n = 8 false, n = 9 true
///     1  integer     2ⁿ octets
///     2  real        2ⁿ octets, IEEE 754
///     3  date        8 octets, IEEE 754, seconds since 1 January 2001
///     4  data        n octets
///     5  ASCII       n octets
///     6  UTF-16      2n octets
///     8  archived    n + 1 octets: an archiver's reference
///     A  array       n references
///     C  set         n references
///     D  dictionary  n references of keys, then n of values
///
/// For kinds 4 to 6 and A to D, n = 15 means that an integer object with the count follows.
///
/// Source: the comments in CoreFoundation's `CFBinaryPList.c`.
package struct BinaryPropertyList {
  /// An index into the list's table of objects.
  package typealias Reference = Int

  private let octets: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  package let top: Reference

  private static let magic = Array("bplist0".utf8)
  private static let trailerSize = 32

  /// Reads the trailer; `nil` if it is inconsistent with the length.
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

  /// Parses a big-endian number; `nil` if it exceeds `Int`.
  private static func number(_ octets: ArraySlice<UInt8>) -> Int? {
    Int(exactly: octets.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  // MARK: Objects

  /// The kind of an object: the upper half of its marker octet.
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

  /// The object's kind; `nil` if the reference is out of range or the kind is unknown.
  package func kind(of reference: Reference) -> Kind? {
    offset(of: reference).flatMap { Kind(rawValue: octets[$0] >> 4) }
  }

  /// The number of elements, pairs, characters or octets of an object; 0 for kinds without a count.
  package func count(of reference: Reference) -> Int {
    guard let kind = kind(of: reference) else { return 0 }
    return body(of: reference, kind: kind)?.count ?? 0
  }

  /// Whether an object is an ASCII string equal to `text`.
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

  /// An integer: unsigned in 1, 2 or 4 octets, signed in 8; of 16 octets, only the lower 8 are read.
  package func integer(_ reference: Reference) -> Int64? {
    guard let start = offset(of: reference), kind(of: reference) == .integer else { return nil }
    let size = Int(octets[start] & 0x0F)
    guard size <= 4, let number = octets(from: start + 1, count: 1 << size) else { return nil }
    let bits = number.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: bits)
  }

  /// A real number, or a date in seconds since 1 January 2001.
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

  /// The elements of an array or a set.
  package func elements(of reference: Reference) -> [Reference]? {
    let body = body(of: reference, kind: .array) ?? body(of: reference, kind: .set)
    guard let body else { return nil }
    return references(body.count, from: body.start)
  }

  /// The keys and values of a dictionary, in stored order.
  package func pairs(of reference: Reference) -> (keys: [Reference], values: [Reference])? {
    guard let body = body(of: reference, kind: .dictionary),
      let all = references(2 * body.count, from: body.start)
    else { return nil }
    return (Array(all.prefix(body.count)), Array(all.suffix(body.count)))
  }

  /// The value for a key of a dictionary.
  package func value(_ key: String, of reference: Reference) -> Reference? {
    guard let body = body(of: reference, kind: .dictionary) else { return nil }
    for index in 0..<body.count {
      guard let candidate = self.reference(index, from: body.start) else { return nil }
      if isText(candidate, key) { return self.reference(body.count + index, from: body.start) }
    }
    return nil
  }

  /// The number in an archiver's reference to another object.
  package func identifier(_ reference: Reference) -> Int? {
    guard let start = offset(of: reference), kind(of: reference) == .archived else { return nil }
    return octets(from: start + 1, count: Int(octets[start] & 0x0F) + 1).flatMap(Self.number)
  }

  /// An object's octets without the references that follow in arrays, sets and dictionaries.
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

  /// Where an object's content starts, and its count; `nil` if the object is of another kind.
  private func body(of reference: Reference, kind: Kind) -> (start: Int, count: Int)? {
    guard let start = offset(of: reference), octets[start] >> 4 == kind.rawValue else { return nil }
    let short = Int(octets[start] & 0x0F)
    guard short == 0x0F else { return (start + 1, short) }
    // A count above 14 follows as an integer object.
    guard start + 1 < table, octets[start + 1] >> 4 == 0x1, octets[start + 1] & 0x0F <= 3 else { return nil }
    let size = 1 << Int(octets[start + 1] & 0x0F)
    guard let count = octets(from: start + 2, count: size).flatMap(Self.number), count <= table else {
      return nil
    }
    return (start + 2 + size, count)
  }
}
