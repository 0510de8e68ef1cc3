import NearbyOctets
import NearbyPeerNetwork

/// The addresses of a peer, in the form in which PeerLink carries them: at most 512 octets.
///
/// | octets | |
/// |---|---|
/// | 0 | 4 or 6, the family |
/// | then 4, of family 6 only | index of the interface, big-endian; 0 elsewhere and in contacts sent to peers |
/// | then 4 or 16 | the address |
/// | then 2 | the port, big-endian |
///
/// and so on; addresses that do not fit are omitted.
enum PeerContact {
  /// Stands for the way through the NATS server, at which every peer is known by its identity.
  static let relay: [UInt8] = [0]

  static let maximumOctets = 512

  static func octets(of addresses: [SocketAddress]) -> [UInt8] {
    var octets: [UInt8] = []
    for address in addresses {
      var entry: [UInt8] = [address.isIPv6 ? 6 : 4]
      if address.isIPv6 { entry.append(bigEndian: address.scope) }
      entry += address.octets
      entry.append(bigEndian: address.port)
      guard octets.count + entry.count <= maximumOctets else { break }
      octets += entry
    }
    return octets
  }

  /// Parses up to the first invalid octet: the contact comes from a peer.
  static func addresses(in octets: [UInt8]) -> [SocketAddress] {
    var addresses: [SocketAddress] = []
    var rest = octets[...]
    while let family = rest.popFirst(), family == 4 || family == 6 {
      let size = family == 4 ? 4 : 16
      let scopeSize = family == 4 ? 0 : 4
      guard rest.count >= scopeSize + size + 2 else { break }
      let scope = UInt32(bigEndianOctets: rest.prefix(scopeSize))
      rest = rest.dropFirst(scopeSize)
      let address = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      let port = UInt16(bigEndianOctets: rest.prefix(2))
      rest = rest.dropFirst(2)
      if port != 0, let found = SocketAddress(octets: address, scope: scope, port: port) {
        addresses.append(found)
      }
    }
    return addresses
  }

  /// The addresses to announce for this machine: those that have the same meaning for others.
  ///
  /// Loopback and link-local addresses only if there are no others; without others, peers are on this machine.
  static func own(port: UInt16) -> [UInt8] {
    let all = LocalAddresses.byInterface().sorted { $0.key < $1.key }.flatMap(\.value)
    let wide = all.filter { !$0.isLoopback && !$0.isLinkLocal }
    let near = all.filter { !$0.isLoopback && $0.isLinkLocal }
    let chosen = wide.isEmpty ? (near.isEmpty ? all : near) : wide
    return octets(
      of: chosen.compactMap { address in SocketAddress(octets: address.octets, port: port) })
  }

  /// The largest number of addresses of one peer to dial.
  static let maximumDials = 8
  /// The lowest port of a peer: peers listen at ports that the system chooses.
  static let minimumPort: UInt16 = 1024

  /// The addresses that may be dialled because a peer, or another one on its behalf, announced them. The limits keep
  /// peers from making this machine connect to arbitrary hosts: an address has to be in a network of this machine,
  /// link-local or private. Loopback is allowed with `isLoopbackKnown`, or if this machine has no other address. At
  /// most `maximumDials` are returned, in their order.
  ///
  /// - Parameters:
  ///   - networks: This machine's.
  ///   - isLoopbackKnown: Whether discovery on this machine, not a peer, gave the addresses.
  static func plausible(
    _ addresses: [SocketAddress], in networks: [LocalNetwork], isLoopbackKnown: Bool
  ) -> [SocketAddress] {
    let mayLoop = isLoopbackKnown || networks.allSatisfy(\.isLoopback)
    let chosen = addresses.filter { address in
      guard address.port >= minimumPort else { return false }
      if address.isLoopback { return mayLoop }
      return address.isPrivate || address.isLinkLocal || networks.contains { $0.contains(address) }
    }
    return Array(chosen.prefix(maximumDials))
  }

  /// The addresses to dial: link-local ones of other hosts once for each of our interfaces.
  static func reachable(_ addresses: [SocketAddress]) -> [SocketAddress] {
    var result: [SocketAddress] = []
    func add(_ address: SocketAddress) { if !result.contains(address) { result.append(address) } }
    for address in addresses {
      guard address.isIPv6, address.isLinkLocal, address.scope == 0 else {
        add(address)
        continue
      }
      for interface in LocalAddresses.byInterface().keys.sorted() {
        guard
          let scoped = SocketAddress(
            octets: address.octets, scope: UInt32(clamping: interface), port: address.port)
        else { continue }
        add(scoped)
      }
    }
    return result
  }
}
