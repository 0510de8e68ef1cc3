import NearbyOctets

/// Reads the payloads of packets, parameters and measurements.
package typealias UCICursor = OctetCursor<UCIError>

extension UCIError: OctetCursorFailure {
  package init(truncated field: UCIField, at offset: Int, needed: Int, left: Int) {
    self = .truncated(field, needed: needed, left: left)
  }
}

extension UCICursor {
  /// Throws when octets are left.
  @inline(__always)
  func requireEnd(_ field: UCIField = .payload) throws(UCIError) {
    guard isEmpty else { throw .leftover(field, count: left) }
  }

  /// Takes a list behind its count of one octet, with elements of at least `size` octets.
  mutating func takeList<Element>(
    atLeast size: Int, _ field: UCIField, _ takeElement: (inout UCICursor) throws(UCIError) -> Element
  ) throws(UCIError) -> [Element] {
    try takeArray(of: UInt16(try takeUInt8(.count)), atLeast: size, field, takeElement)
  }
}

extension Array where Element == UInt8 {
  /// Appends octets behind their count; octets past 255 are left out.
  mutating func append(counted octets: [UInt8]) {
    append(UInt8(clamping: octets.count))
    append(contentsOf: octets.prefix(255))
  }

  /// Appends a list behind its count of one octet; elements past 255 are left out.
  mutating func append<Listed>(list: [Listed], _ write: (inout [UInt8], Listed) -> Void) {
    append(UInt8(clamping: list.count))
    for element in list.prefix(255) { write(&self, element) }
  }

  /// Appends octets, cut or filled with zeros to `count`.
  mutating func append(_ octets: [UInt8], filledTo count: Int) {
    append(contentsOf: octets.prefix(count))
    append(contentsOf: repeatElement(0, count: Swift.max(0, count - octets.count)))
  }
}
