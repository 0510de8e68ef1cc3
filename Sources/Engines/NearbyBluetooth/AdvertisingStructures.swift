/// The row of AD structures that an advertising payload is: length, type, data, again and again.
///
/// Source: Bluetooth Core 5.4, volume 3, part C, 11; Core Specification Supplement 11, part A.
package enum AdvertisingStructures {
  /// What a structure holds, by its first octet.
  package enum Kind {
    package static let flags: UInt8 = 0x01
    package static let someServices16: UInt8 = 0x02
    package static let allServices16: UInt8 = 0x03
    package static let someServices32: UInt8 = 0x04
    package static let allServices32: UInt8 = 0x05
    package static let someServices128: UInt8 = 0x06
    package static let allServices128: UInt8 = 0x07
    package static let shortName: UInt8 = 0x08
    package static let completeName: UInt8 = 0x09
    package static let transmitPower: UInt8 = 0x0A
    package static let solicited16: UInt8 = 0x14
    package static let solicited128: UInt8 = 0x15
    package static let serviceData16: UInt8 = 0x16
    package static let serviceData32: UInt8 = 0x20
    package static let serviceData128: UInt8 = 0x21
    package static let manufacturerData: UInt8 = 0xFF
  }

  /// A structure that says it is longer than what is left of the payload.
  package struct Overrun: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where its length stands.
    package let offset: Int
    package let length: Int
    /// Octets behind the length.
    package let left: Int

    package var description: String {
      "AD structure at offset \(offset): length \(length), but only \(left) octets are left"
    }
  }

  /// Calls `body` with each structure's type and where its data stands, in order.
  ///
  /// A length of 0 ends the payload early, as the specification has it. Structures before one that is
  /// too long are told all the same. Nothing is allocated.
  @inline(__always)
  package static func forEach(
    in payload: Span<UInt8>, _ body: (_ type: UInt8, _ data: Range<Int>) -> Void
  ) throws(Overrun) {
    var offset = 0
    while offset < payload.count {
      let length = Int(payload[offset])
      if length == 0 { return }
      guard length < payload.count - offset else {
        throw Overrun(offset: offset, length: length, left: payload.count - offset - 1)
      }
      body(payload[offset + 1], offset + 2..<offset + 1 + length)
      offset += 1 + length
    }
  }
}
