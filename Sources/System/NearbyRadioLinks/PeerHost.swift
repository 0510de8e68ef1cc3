/// The machine at the other end of a connection, to limit the number of connections per machine.
package struct PeerHost: Hashable, Sendable {
  /// A complete IPv4 address, or the network half of an IPv6 address, because a machine can choose the other
  /// half freely.
  private let network: [UInt8]
  /// Whether this is the local machine.
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
