/// A hash that is the same in every run, unlike `hashValue`: 64-bit FNV-1a (Fowler, Noll and Vo).
///
/// A number derived from a device's name does not depend on which other devices exist. The hash does not
/// resist deliberate collisions.
@usableFromInline
package enum StableHash {
  @inlinable
  package static func of(_ octets: some Sequence<UInt8>) -> UInt64 {
    octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  @inlinable
  package static func of(_ text: String) -> UInt64 { of(text.utf8) }
}
