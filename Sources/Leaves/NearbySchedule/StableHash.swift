/// FNV-1a, 64 bits: the same in every run, unlike `hashValue`. Keeps a device's numbers its own, whatever stands
/// before it; no protection against who is out to deceive.
package enum StableHash {
  package static func of(_ octets: some Sequence<UInt8>) -> UInt64 {
    octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  package static func of(_ text: String) -> UInt64 { of(text.utf8) }
}
