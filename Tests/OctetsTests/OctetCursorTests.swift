import NearbyOctets
import Testing

private struct Shortage: OctetCursorFailure, Equatable {
  var field: String
  var offset: Int
  var needed: Int
  var left: Int

  init(truncated field: String, at offset: Int, needed: Int, left: Int) {
    (self.field, self.offset, self.needed, self.left) = (field, offset, needed, left)
  }
}

@Suite("Octet cursor")
struct OctetCursorTests {
  private static let octets: [UInt8] = Array(1...40)

  private func shortage(
    _ cursor: inout OctetCursor<Shortage>, _ read: (inout OctetCursor<Shortage>) throws(Shortage) -> Void
  ) -> Shortage? {
    do throws(Shortage) {
      try read(&cursor)
      return nil
    } catch {
      return error
    }
  }

  @Test("Numbers are read least significant octet first by default")
  func littleEndian() throws {
    var cursor = OctetCursor<Shortage>(Self.octets.span)
    let first = try cursor.takeUInt8("a")
    #expect(first == 0x01)
    let second = try cursor.takeUInt16("b")
    #expect(second == 0x0302)
    let third = try cursor.takeUInt32("c")
    #expect(third == 0x0706_0504)
    let fourth = try cursor.takeUInt64("d")
    #expect(fourth == 0x0F0E_0D0C_0B0A_0908)
    let fifth = try cursor.takeUInt(octets: 5, "e")
    #expect(fifth == 0x14_1312_1110)
    let (offset, left) = (cursor.offset, cursor.left)
    #expect(offset == 20)
    #expect(left == 20)
  }

  @Test("Numbers are read most significant octet first on request")
  func bigEndian() throws {
    var cursor = OctetCursor<Shortage>(Self.octets.span)
    let first = try cursor.takeBigEndian("a", as: UInt8.self)
    #expect(first == 0x01)
    let second = try cursor.takeBigEndian("b", as: UInt16.self)
    #expect(second == 0x0203)
    let third = try cursor.takeBigEndian("c", as: UInt32.self)
    #expect(third == 0x0405_0607)
    let fourth = try cursor.takeBigEndian("d", as: UInt64.self)
    #expect(fourth == 0x0809_0A0B_0C0D_0E0F)
  }

  @Test("A truncated field throws its name, offset and size, and consumes nothing", arguments: 0..<8)
  func truncation(count: Int) {
    var cursor = OctetCursor<Shortage>(Self.octets.span.extracting(first: count), at: 100)
    #expect(
      shortage(&cursor) { (cursor) throws(Shortage) in _ = try cursor.takeUInt64("n") }
        == Shortage(truncated: "n", at: 100, needed: 8, left: count))
    #expect(
      shortage(&cursor) { (cursor) throws(Shortage) in _ = try cursor.takeOctets(count + 1, "o") }
        == Shortage(truncated: "o", at: 100, needed: count + 1, left: count))
    let rest = cursor.takeRest()
    #expect(rest == Array(Self.octets.prefix(count)))
    let (isEmpty, offset) = (cursor.isEmpty, cursor.offset)
    #expect(isEmpty)
    #expect(offset == 100 + count)
  }

  @Test("Truncating drops the octets after a field of known length and keeps offsets")
  func inner() throws {
    var cursor = OctetCursor<Shortage>(Self.octets.span, at: 7)
    cursor.skip(3)
    cursor.truncate(to: 2)
    let offset = cursor.offset
    #expect(offset == 10)
    let octets = try cursor.takeOctets(2, "a")
    #expect(octets == [4, 5])
    #expect(
      shortage(&cursor) { (cursor) throws(Shortage) in _ = try cursor.takeUInt8("b") }
        == Shortage(truncated: "b", at: 12, needed: 1, left: 0))
  }

  @Test(
    "Numbers written in either octet order are read back",
    arguments: [0, 1, 0x8000_0000_0000_0001, UInt64.max])
  func writing(number: UInt64) throws {
    var octets: [UInt8] = []
    octets.append(littleEndian: number)
    octets.append(bigEndian: number)
    octets.append(littleEndian: UInt16(truncatingIfNeeded: number))
    octets.append(number, octets: 3)
    octets.append(copying: Self.octets.span.extracting(2..<4))
    var cursor = OctetCursor<Shortage>(octets.span)
    let first = try cursor.takeUInt64("a")
    #expect(first == number)
    let second = try cursor.takeBigEndian("b", as: UInt64.self)
    #expect(second == number)
    let third = try cursor.takeUInt16("c")
    #expect(third == UInt16(truncatingIfNeeded: number))
    let fourth = try cursor.takeUInt(octets: 3, "d")
    #expect(fourth == number & 0xFF_FFFF)
    let fifth = cursor.takeRest()
    #expect(fifth == [3, 4])
  }

  @Test("Replacing a number changes only its own octets")
  func replacing() {
    var octets: [UInt8] = [1, 2, 3, 4, 5, 6]
    octets.replace(at: 1, littleEndian: UInt32(0xA4A3_A2A1))
    #expect(octets == [1, 0xA1, 0xA2, 0xA3, 0xA4, 6])
  }

  @Test("Numbers convert to octets and back in both orders")
  func collections() {
    #expect(UInt32(0x0102_0304).littleEndianOctets == [4, 3, 2, 1])
    #expect(UInt32(0x0102_0304).bigEndianOctets == [1, 2, 3, 4])
    #expect(UInt32(littleEndianOctets: [4, 3, 2, 1]) == 0x0102_0304)
    #expect(UInt32(bigEndianOctets: [1, 2, 3, 4]) == 0x0102_0304)
    #expect(UInt16(littleEndianOctets: [4, 3, 2, 1]) == 0x0304)
    #expect(UInt16(bigEndianOctets: [1, 2, 3, 4]) == 0x0304)
    #expect(UInt64(littleEndianOctets: [] as [UInt8]) == 0)
    #expect(UInt8(littleEndianOctets: [7, 8]) == 7)
  }
}
