/// The machine that a connection comes from, for limits on each.
package struct PeerHost: Hashable, Sendable {
  /// All of an IPv4 address, and of an IPv6 address the network half: the other half is the machine's to choose.
  private let network: [UInt8]
  /// Whether it is this machine.
  package let isLoopback: Bool

  /// - Parameter address: 4 octets of IPv4 or 16 of IPv6, in network order.
  package init(address: [UInt8]) {
    let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    let plain = address.starts(with: mappedPrefix) ? Array(address.dropFirst(12)) : address
    if plain.count == 4 {
      isLoopback = plain.first == 127
      network = plain
    } else {
      isLoopback = plain.dropLast().allSatisfy { $0 == 0 } && plain.last == 1
      network = Array(plain.prefix(8))
    }
  }
}
