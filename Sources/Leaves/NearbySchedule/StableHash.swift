/// A hash that is the same in every run, unlike `hashValue`: FNV-1a of Fowler, Noll and Vo, 64 bits.
///
/// A number made from a device's name stays the device's own, whatever else exists. It does not protect against
/// somebody who looks for collisions.
@usableFromInline
package enum StableHash {
  @inlinable
  package static func of(_ octets: some Sequence<UInt8>) -> UInt64 {
    octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  @inlinable
  package static func of(_ text: String) -> UInt64 { of(text.utf8) }
}
