// Declarations of the C library come from whichever of these modules the compiler imports first.
import CNearbyAvahi
import CNearbyLinux
import CNearbyOpenSSL
import Foundation

/// The address of a socket: IPv4 or IPv6, with an interface if the address needs one, and a port.
package struct SocketAddress: Hashable, Sendable {
  /// Octets of the address in network order: 4 or 16.
  package let octets: [UInt8]
  /// Index of the interface for a link-local IPv6 address, otherwise 0.
  package let scope: UInt32
  package var port: UInt16

  package var isIPv6: Bool { octets.count == 16 }

  /// - Returns: `nil` unless there are 4 or 16 octets. An IPv4-mapped IPv6 address becomes IPv4.
  package init?(octets: [UInt8], scope: UInt32 = 0, port: UInt16) {
    guard octets.count == 4 || octets.count == 16 else { return nil }
    let isMapped =
      octets.count == 16 && octets[..<10].allSatisfy { $0 == 0 } && octets[10] == 255 && octets[11] == 255
    self.octets = isMapped ? Array(octets[12...]) : octets
    let isLinkLocal = octets.count == 16 && octets[0] == 0xFE && octets[1] & 0xC0 == 0x80
    self.scope = isLinkLocal ? scope : 0
    self.port = port
  }

  /// Parses a numeric address such as `127.0.0.1` or `fe80::1%eth0`.
  ///
  /// - Throws: `.badAddress`.
  package init(host: String, port: UInt16) throws(NetworkError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let isFound = getaddrinfo(host, "\(port)", &hints, &list) == 0
    defer { if isFound { freeaddrinfo(list) } }
    guard isFound, let entry = list?.pointee, let address = SocketAddress(entry.ai_addr) else {
      throw .badAddress(found: host, expected: "a numeric IP address")
    }
    self = address
  }

  /// Any address of this machine, in both families.
  package static func any(port: UInt16) -> SocketAddress {
    SocketAddress(unchecked: [UInt8](repeating: 0, count: 16), port: port)
  }

  /// Any IPv4 address of this machine.
  package static func anyIPv4(port: UInt16) -> SocketAddress {
    SocketAddress(unchecked: [UInt8](repeating: 0, count: 4), port: port)
  }

  package static func loopback(port: UInt16) -> SocketAddress {
    SocketAddress(unchecked: [127, 0, 0, 1], port: port)
  }

  /// Stands for a peer that is reached through a server, known by its identity: an address that nobody has (RFC 6666).
  package static func relayed(_ identity: [UInt8]) -> SocketAddress {
    let prefix: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
    return SocketAddress(unchecked: prefix + (identity + [UInt8](repeating: 0, count: 8)).prefix(8), port: 0)
  }

  private init(unchecked octets: [UInt8], port: UInt16) {
    self.octets = octets
    self.scope = 0
    self.port = port
  }

  /// Sorts addresses of one peer into the order in which to try them, the nearest first.
  ///
  /// Loopback reaches only this machine and is fastest there. IPv6 comes before IPv4 (RFC 6724), except that
  /// link-local addresses come last, because they fail on the wrong interface.
  package static func preferred(_ left: SocketAddress, _ right: SocketAddress) -> Bool {
    if left.rank != right.rank { return left.rank < right.rank }
    if left.octets != right.octets { return left.octets.lexicographicallyPrecedes(right.octets) }
    return (left.scope, left.port) < (right.scope, right.port)
  }

  package var isLoopback: Bool {
    isIPv6 ? octets[15] == 1 && octets[..<15].allSatisfy { $0 == 0 } : octets[0] == 127
  }

  package var isLinkLocal: Bool {
    isIPv6 ? octets[0] == 0xFE && octets[1] & 0xC0 == 0x80 : octets[0] == 169 && octets[1] == 254
  }

  private var rank: Int {
    if isLoopback { return isIPv6 ? 1 : 0 }
    if isLinkLocal { return isIPv6 ? 4 : 5 }
    return isIPv6 ? 2 : 3
  }
}

extension SocketAddress: CustomStringConvertible {
  package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// The address without its port, but with the index of the interface if it has one.
  package var host: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = isIPv6 ? AF_INET6 : AF_INET
    _ = octets.withUnsafeBytes { inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }
    let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return scope == 0 ? name : "\(name)%\(scope)"
  }
}

// MARK: The system's form

extension SocketAddress {
  var family: Int32 { isIPv6 ? AF_INET6 : AF_INET }

  init?(_ pointer: UnsafePointer<sockaddr>?) {
    guard let pointer else { return nil }
    let raw = UnsafeRawPointer(pointer)
    switch Int32(pointer.pointee.sa_family) {
    case AF_INET:
      let address = raw.loadUnaligned(as: sockaddr_in.self)
      self.init(
        octets: withUnsafeBytes(of: address.sin_addr) { Array($0) }, port: UInt16(bigEndian: address.sin_port)
      )
    case AF_INET6:
      let address = raw.loadUnaligned(as: sockaddr_in6.self)
      self.init(
        octets: withUnsafeBytes(of: address.sin6_addr) { Array($0) }, scope: address.sin6_scope_id,
        port: UInt16(bigEndian: address.sin6_port))
    default: return nil
    }
  }

  /// - Parameter asIPv6: Whether to map an IPv4 address to IPv6, for a socket of both families.
  func withSystemAddress<Result>(
    asIPv6: Bool = false, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var storage = sockaddr_storage()
    let size = withUnsafeMutableBytes(of: &storage) { raw -> Int in
      if isIPv6 || asIPv6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_scope_id = scope
        let mapped = isIPv6 ? octets : [UInt8](repeating: 0, count: 10) + [255, 255] + octets
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: mapped) }
        withUnsafeBytes(of: address) { raw.copyMemory(from: $0) }
        return MemoryLayout<sockaddr_in6>.size
      }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: octets) }
      withUnsafeBytes(of: address) { raw.copyMemory(from: $0) }
      return MemoryLayout<sockaddr_in>.size
    }
    return withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
  }
}
