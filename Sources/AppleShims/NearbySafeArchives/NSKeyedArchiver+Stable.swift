import Foundation

extension NSKeyedArchiver {
  /// Archives an object deterministically: equal objects yield equal archives.
  ///
  /// On Linux, Foundation's method of this name writes dictionary keys in an order that varies from call to
  /// call, but some apps derive identifiers from archives. The compiler prefers this overload for classes
  /// with secure coding; it writes the same property list in a fixed order.
  /// - Throws: Whatever Foundation's method throws.
  public static func archivedData<Root>(
    withRootObject object: Root, requiringSecureCoding: Bool
  ) throws -> Data where Root: NSObject, Root: NSSecureCoding {
    let data = try archivedData(withRootObject: object as Any, requiringSecureCoding: requiringSecureCoding)
    return SettledPropertyList(data)?.data ?? data
  }
}

/// A binary property list rewritten with objects and keys in a fixed order.
struct SettledPropertyList {
  private let list: BinaryPropertyList
  /// New object numbers, by reference in the original list.
  private var numbers: [BinaryPropertyList.Reference: Int] = [:]
  private var order: [BinaryPropertyList.Reference] = []
  private(set) var data = Data()

  /// Returns `nil` if the data is not a property list or contains a kind of object that archives do not use.
  init?(_ data: Data) {
    guard let list = BinaryPropertyList([UInt8](data)) else { return nil }
    self.list = list
    guard number(list.top, depth: 0), write() else { return nil }
  }

  /// Numbers an object and its descendants, parents first.
  private mutating func number(_ reference: BinaryPropertyList.Reference, depth: Int) -> Bool {
    guard depth < 20 else { return false }
    if numbers[reference] != nil { return true }
    numbers[reference] = order.count
    order.append(reference)
    return children(of: reference).allSatisfy { number($0, depth: depth + 1) }
  }

  private func children(of reference: BinaryPropertyList.Reference) -> [BinaryPropertyList.Reference] {
    if let pairs = settledPairs(of: reference) { return pairs.map(\.key) + pairs.map(\.value) }
    return list.elements(of: reference) ?? []
  }

  private func settledPairs(
    of reference: BinaryPropertyList.Reference
  ) -> [(key: BinaryPropertyList.Reference, value: BinaryPropertyList.Reference)]? {
    guard let pairs = list.pairs(of: reference) else { return nil }
    return zip(pairs.keys, pairs.values).map { (key: $0, value: $1) }
      .sorted { list.text($0.key) ?? "" < list.text($1.key) ?? "" }
  }

  private mutating func write() -> Bool {
    let referenceSize = Self.size(of: order.count)
    var octets = Array("bplist00".utf8)
    var offsets: [Int] = []
    for reference in order {
      offsets.append(octets.count)
      guard let head = list.head(of: reference) else { return false }
      octets += head
      for child in children(of: reference) {
        octets += Self.octets(numbers[child] ?? 0, size: referenceSize)
      }
    }
    let table = octets.count
    let offsetSize = Self.size(of: table)
    for offset in offsets { octets += Self.octets(offset, size: offsetSize) }
    octets += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    octets += Self.octets(order.count, size: 8) + Self.octets(0, size: 8) + Self.octets(table, size: 8)
    data = Data(octets)
    return true
  }

  /// The number of octets needed for a number: 1, 2, 4 or 8.
  private static func size(of number: Int) -> Int {
    number < 0x100 ? 1 : number < 0x1_0000 ? 2 : number < 0x1_0000_0000 ? 4 : 8
  }

  /// Writes a number big-endian.
  private static func octets(_ number: Int, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
