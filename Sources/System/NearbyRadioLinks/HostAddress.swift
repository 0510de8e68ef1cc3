import Foundation

/// An IP address without a port.
package struct HostAddress: Equatable, Sendable, CustomStringConvertible {
  private enum Host: Equatable, Sendable {
    case v4([UInt8])
    case v6([UInt8])
  }

  private let host: Host

  /// Reads a socket address:
  ///
  ///     sockaddr_in    family (2), port (2), address (4), …
  ///     sockaddr_in6   family (2), port (2), flow label (4), address (16), …
  ///
  /// - Parameter socketAddress: The octets of a `sockaddr_in` or `sockaddr_in6`; any other family yields
  ///   `nil`.
  init?(socketAddress: some Collection<UInt8>) {
    let octets = Array(socketAddress)
    guard octets.count >= MemoryLayout<sockaddr_in>.size else { return nil }
    switch Int32(octets.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }) {
    case AF_INET: host = .v4(Array(octets[4..<8]))
    case AF_INET6:
      guard octets.count >= 24 else { return nil }
      host = .v6(Array(octets[8..<24]))
    default: return nil
    }
  }

  /// The address a socket is bound to; `nil` if it is not bound.
  package init?(of descriptor: Int32) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let octets = withUnsafeMutableBytes(of: &storage) { raw -> [UInt8]? in
      guard let base = raw.baseAddress,
        getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      return Array(raw.prefix(Int(size)))
    }
    guard let octets else { return nil }
    self.init(socketAddress: octets)
  }

  /// Parses a dotted IPv4 address with all four numbers, or an IPv6 address without brackets and zone.
  package init?(literal text: String) {
    var v4 = [UInt8](repeating: 0, count: 4)
    var v6 = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &v4) == 1 {
      host = .v4(v4)
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      host = .v6(v6)
    } else {
      return nil
    }
  }

  package var isLoopback: Bool {
    switch host {
    case .v4(let octets): octets[0] == 127
    case .v6(let octets): octets == [UInt8](repeating: 0, count: 15) + [1]
    }
  }

  /// Whether this is the wildcard address; a socket bound to it listens on all addresses of the machine.
  package var isWildcard: Bool {
    switch host {
    case .v4(let octets), .v6(let octets): octets.allSatisfy { $0 == 0 }
    }
  }

  /// Whether an interface of this machine has this address. All of 127.0.0.0/8 belongs to the loopback
  /// interface.
  package var isOfThisMachine: Bool {
    // If the list is unavailable, trust the kernel, which accepted the address in bind(2).
    isLoopback || (Self.ofThisMachine?.contains(self) ?? true)
  }

  /// The addresses of this machine's interfaces; `nil` if the system does not provide them.
  package static var ofThisMachine: [HostAddress]? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var addresses: [HostAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr else { continue }
      let family = Int32(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { continue }
      let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      let octets = UnsafeRawBufferPointer(start: address, count: size)
      if let found = HostAddress(socketAddress: octets) { addresses.append(found) }
    }
    return addresses
  }

  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let (family, octets) =
      switch host {
      case .v4(let octets): (AF_INET, octets)
      case .v6(let octets): (AF_INET6, octets)
      }
    guard inet_ntop(family, octets, &text, socklen_t(text.count)) != nil else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
