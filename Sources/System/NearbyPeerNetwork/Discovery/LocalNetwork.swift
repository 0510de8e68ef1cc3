// Declarations of the C library come from whichever of these modules the compiler imports first.
import CNearbyLinux
import Foundation

/// A network to which an interface of this machine belongs: an address, and how many of its bits form the
/// prefix.
package struct LocalNetwork: Equatable, Sendable {
  /// 4 or 16 octets in network order.
  package let octets: [UInt8]
  /// 0 to 8 times the count of `octets`.
  package let prefixLength: Int

  /// - Returns: `nil` unless there are 4 or 16 octets, and at least as many bits as the prefix has.
  package init?(octets: [UInt8], prefixLength: Int) {
    guard octets.count == 4 || octets.count == 16, (0...8 * octets.count).contains(prefixLength) else {
      return nil
    }
    self.octets = octets
    self.prefixLength = prefixLength
  }

  package var isLoopback: Bool { SocketAddress(octets: octets, port: 0)?.isLoopback ?? false }

  package func contains(_ address: SocketAddress) -> Bool {
    guard address.octets.count == octets.count else { return false }
    let whole = prefixLength / 8
    guard address.octets[..<whole] == octets[..<whole] else { return false }
    let rest = prefixLength % 8
    return rest == 0 || (address.octets[whole] ^ octets[whole]) >> UInt8(8 - rest) == 0
  }

  /// The networks of all interfaces that are up.
  package static func all() -> [LocalNetwork] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var result: [LocalNetwork] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_UP.rawValue) != 0, let address = SocketAddress(entry.ifa_addr),
        let mask = SocketAddress(entry.ifa_netmask),
        let network = LocalNetwork(
          octets: address.octets, prefixLength: mask.octets.reduce(0) { $0 + $1.nonzeroBitCount })
      else { continue }
      if !result.contains(network) { result.append(network) }
    }
    return result
  }
}

extension SocketAddress {
  /// Whether the address is in a range that is not routed on the Internet: RFC 1918, RFC 6598 or RFC 4193.
  package var isPrivate: Bool {
    if isIPv6 { return octets[0] & 0xFE == 0xFC }
    switch (octets[0], octets[1]) {
    case (10, _), (172, 16...31), (192, 168), (100, 64...127): return true
    default: return false
    }
  }
}
