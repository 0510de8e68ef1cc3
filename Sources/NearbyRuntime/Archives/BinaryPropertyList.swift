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

  /// The text of an object, where that is one in ASCII.
  package func text(_ reference: Reference) -> ArraySlice<UInt8>? {
    body(of: reference, kind: 0x5).flatMap { octets(from: $0.start, count: $0.count) }
  }

  package func isText(_ reference: Reference, _ text: String) -> Bool {
    self.text(reference)?.elementsEqual(text.utf8) ?? false
  }

  /// The element of an array.
  package func element(_ index: Int, of reference: Reference) -> Reference? {
    guard let body = body(of: reference, kind: 0xA), (0..<body.count).contains(index) else { return nil }
    return self.reference(index, from: body.start)
  }

  /// The value that a dictionary has for a key.
  package func value(_ key: String, of reference: Reference) -> Reference? {
    guard let body = body(of: reference, kind: 0xD) else { return nil }
    for index in 0..<body.count {
      guard let candidate = self.reference(index, from: body.start) else { return nil }
      if isText(candidate, key) { return self.reference(body.count + index, from: body.start) }
    }
    return nil
  }

  /// What an archiver's reference to another object says.
  package func identifier(_ reference: Reference) -> Int? {
    guard let start = offset(of: reference), octets[start] >> 4 == 0x8 else { return nil }
    return octets(from: start + 1, count: Int(octets[start] & 0x0F) + 1).flatMap(Self.number)
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

  /// Where an object of a kind has its elements, and how many; `nil` for another kind.
  private func body(of reference: Reference, kind: UInt8) -> (start: Int, count: Int)? {
    guard let start = offset(of: reference), octets[start] >> 4 == kind else { return nil }
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
