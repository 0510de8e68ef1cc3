import NearbyOctets

/// Reads the payloads of packets, parameters and measurements.
package typealias UCICursor = OctetCursor<UCIError>

extension UCIError: OctetCursorFailure {
  package init(truncated field: UCIField, at offset: Int, needed: Int, left: Int) {
    self = .truncated(field, needed: needed, left: left)
  }
}

extension UCICursor {
  /// Throws `leftover` unless all octets have been read.
  @inline(__always)
  func requireEnd(_ field: UCIField = .payload) throws(UCIError) {
    guard isEmpty else { throw .leftover(field, count: left) }
  }

  /// Reads a one-octet count and that many elements, each at least `size` octets long.
  mutating func takeList<Element>(
    atLeast size: Int, _ field: UCIField, _ takeElement: (inout UCICursor) throws(UCIError) -> Element
  ) throws(UCIError) -> [Element] {
    try takeArray(of: UInt16(try takeUInt8(.count)), atLeast: size, field, takeElement)
  }
}

extension Array where Element == UInt8 {
  /// Appends a one-octet count and the octets; octets past 255 are left out.
  mutating func append(counted octets: [UInt8]) {
    append(UInt8(clamping: octets.count))
    append(contentsOf: octets.prefix(255))
  }

  /// Appends a one-octet count and the elements; elements past 255 are left out.
  mutating func append<Listed>(list: [Listed], _ write: (inout [UInt8], Listed) -> Void) {
    append(UInt8(clamping: list.count))
    for element in list.prefix(255) { write(&self, element) }
  }

  /// Appends exactly `count` octets: truncates longer input and pads shorter input with zeros.
  mutating func append(_ octets: [UInt8], filledTo count: Int) {
    append(contentsOf: octets.prefix(count))
    append(contentsOf: repeatElement(0, count: Swift.max(0, count - octets.count)))
  }
}
