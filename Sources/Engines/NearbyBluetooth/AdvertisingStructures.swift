/// Parses the sequence of AD structures that makes up an advertising payload.
///
/// ```
/// +--------+------+-------------------+--------+------+-----
/// | length | type | data              | length | type | ...
/// | u8     | u8   | length − 1 octets |        |      |
/// +--------+------+-------------------+--------+------+-----
/// ```
/// Source: Bluetooth Core 5.4, volume 3, part C, 11; Core Specification Supplement 11, part A.
package enum AdvertisingStructures {
  /// The AD types, which identify a structure's contents.
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

  /// An AD structure whose length exceeds the rest of the payload.
  package struct Overrun: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset of its length field in the payload.
    package let offset: Int
    package let length: Int
    /// The number of octets after the length field.
    package let left: Int

    package var description: String {
      "AD structure at offset \(offset): length \(length), but only \(left) octets are left"
    }
  }

  /// Calls `body` with each structure's type and the range of its data, in order, without allocating.
  ///
  /// A length of 0 ends the payload early, as the specification requires.
  ///
  /// - Throws: `Overrun` at a structure that is too long, after `body` was called for those before it.
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
