import Foundation

/// The operations on TCP sockets that links and servers need.
package enum TCPSockets {
  /// Maximum number of connections waiting to be accepted. Beyond it the system drops attempts, which clients
  /// repeat a second later.
  private static let backlog: Int32 = 512

  /// Connects to a host, trying all of its addresses in the resolver's order.
  ///
  /// Blocks for at most `timeout`, not counting name resolution.
  /// - Returns: A connected descriptor that the caller owns.
  package static func connect(host: String, port: UInt16, timeout: Duration) throws(LinkError) -> Int32 {
    let address = RadioAddress.tcp(host: host, port: port).description
    let end = ContinuousClock.now + timeout
    var failure = LinkError.unknownHost(host)
    for candidate in try resolve(host: host, port: port, forListening: false) {
      do throws(LinkError) {
        return try connect(to: candidate, until: end, address: address)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Listens on a single address of this machine; port 0 selects a free port.
  ///
  /// A name with addresses of both families is bound to its IPv4 address, or to its IPv6 address if this
  /// machine has no IPv4. Only the exact spellings `0.0.0.0` and `::` listen on all IPv4 or all IPv6
  /// addresses.
  /// - Returns: A non-blocking descriptor that the caller owns, and its port.
  package static func listen(host: String, port: UInt16) throws(LinkError) -> (
    descriptor: Int32, port: UInt16
  ) {
    let bound = try bind(host: host, port: port)
    guard Foundation.listen(bound.descriptor, backlog) == 0 else {
      let number = errno
      close(bound.descriptor)
      throw number == EADDRINUSE
        ? .inUse(address: RadioAddress.text(host: host, port: bound.port))
        : .system(call: "listen", errno: number)
    }
    return bound
  }

  /// Binds a port without listening yet; the address is chosen as in `listen`.
  package static func bind(host: String, port: UInt16) throws(LinkError) -> (
    descriptor: Int32, port: UInt16
  ) {
    let candidates = try resolve(host: host, port: port, forListening: true)
    var failure = LinkError.unknownHost(host)
    for candidate in candidates.filter({ $0.family == AF_INET })
      + candidates.filter({ $0.family == AF_INET6 })
    {
      do throws(LinkError) {
        return try bind(candidate, host: host, port: port)
      } catch {
        failure = error
        // Try the next address only if this one does not belong to this machine.
        guard case .notLocal = error else { throw error }
      }
    }
    throw failure
  }

  private static func bind(
    _ candidate: Candidate, host: String, port: UInt16
  ) throws(LinkError) -> (descriptor: Int32, port: UInt16) {
    guard let asked = HostAddress(socketAddress: candidate.octets) else { throw .unknownHost(host) }
    if asked.isWildcard, HostAddress(literal: host) != asked {
      throw .badAddress(found: host, expected: "0.0.0.0 or [::] to listen on every address")
    }
    let descriptor: Int32
    do throws(LinkError) {
      descriptor = try open(candidate.family)
    } catch .system(call: _, errno: EAFNOSUPPORT) {
      throw .notLocal(host: host, address: asked.description)
    }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if candidate.family == AF_INET6 {
      // Otherwise `::` would include all IPv4 addresses.
      set(descriptor, Int32(IPPROTO_IPV6), Int32(IPV6_V6ONLY), 1)
    }
    let number = candidate.withAddress({ Foundation.bind(descriptor, $0, $1) }) == 0 ? 0 : errno
    // Linux also binds to multicast addresses and, if configured so, to foreign ones.
    let isOwn =
      number == 0 && HostAddress(of: descriptor) == asked
      && (asked.isWildcard || asked.isOfThisMachine)
    guard isOwn else {
      close(descriptor)
      switch number {
      case 0, EADDRNOTAVAIL: throw .notLocal(host: host, address: asked.description)
      case EADDRINUSE: throw .inUse(address: RadioAddress.text(host: host, port: port))
      default: throw .system(call: "bind", errno: number)
      }
    }
    return (descriptor, localPort(of: descriptor) ?? port)
  }

  /// Accepts the next waiting connection; `nil` if no connection is waiting.
  package static func accept(from descriptor: Int32) throws(LinkError) -> Int32? {
    let connection = Foundation.accept(descriptor, nil, nil)
    if connection >= 0 {
      prepare(connection)
      return connection
    }
    switch errno {
    case EAGAIN, EINTR, ECONNABORTED: return nil
    // accept(2) on Linux also reports network errors of the new connection; the listener still works.
    case ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, EPERM:
      return nil
    default: throw .system(call: "accept", errno: errno)
    }
  }

  /// The machine at the other end of a connection; `nil` if the connection has already ended.
  package static func peer(of descriptor: Int32) -> PeerHost? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { raw in
      guard let base = raw.baseAddress,
        getpeername(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
      // The address follows the family and port, and in IPv6 also the flow label.
      case AF_INET: return PeerHost(address: Array(raw[4..<8]))
      case AF_INET6: return PeerHost(address: Array(raw[8..<24]))
      default: return nil
      }
    }
  }

  // MARK: Addresses

  /// A socket address returned by the resolver.
  private struct Candidate {
    var family: Int32
    var octets: [UInt8]
    func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      octets.withUnsafeBytes { raw in
        guard let base = raw.baseAddress else { return -1 }
        return body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
      }
    }
  }

  private static func resolve(host: String, port: UInt16, forListening: Bool) throws(LinkError) -> [Candidate]
  {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV | (forListening ? AI_PASSIVE : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { throw .unknownHost(host) }
    defer { freeaddrinfo(list) }
    var candidates: [Candidate] = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ai_addr {
        let octets = UnsafeRawBufferPointer(start: UnsafeRawPointer(address), count: Int(entry.ai_addrlen))
        candidates.append(Candidate(family: entry.ai_family, octets: Array(octets)))
      }
      next = entry.ai_next
    }
    return candidates
  }

  private static func open(_ family: Int32) throws(LinkError) -> Int32 {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    prepare(descriptor)
    return descriptor
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // UCI packets are small and urgent: disable Nagle's algorithm.
    set(descriptor, Int32(IPPROTO_TCP), Int32(TCP_NODELAY), 1)
    // Notice after about a minute that a machine has vanished, instead of keeping its place forever.
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(descriptor, Int32(IPPROTO_TCP), Int32(TCP_KEEPIDLE), 30)
    set(descriptor, Int32(IPPROTO_TCP), Int32(TCP_KEEPINTVL), 10)
    set(descriptor, Int32(IPPROTO_TCP), Int32(TCP_KEEPCNT), 3)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func connect(
    to candidate: Candidate, until end: ContinuousClock.Instant, address: String
  ) throws(LinkError) -> Int32 {
    let descriptor = try open(candidate.family)
    do throws(LinkError) {
      if candidate.withAddress({ Foundation.connect(descriptor, $0, $1) }) != 0 {
        guard errno == EINPROGRESS else { throw .system(call: "connect", errno: errno) }
        try awaitConnection(descriptor, until: end, address: address)
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func awaitConnection(
    _ descriptor: Int32, until end: ContinuousClock.Instant, address: String
  ) throws(LinkError) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let left = (end - .now) / .milliseconds(1)
      guard left > 0 else { throw .timedOut(address: address) }
      let count = poll(&entry, 1, Int32(clamping: Int(min(left, 86_400_000).rounded(.up))))
      if count > 0 { break }
      if count < 0, errno != EINTR { throw .system(call: "poll", errno: errno) }
    }
    var failure: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
    if failure != 0 { throw .system(call: "connect", errno: failure) }
  }

  private static func localPort(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { raw -> UInt16? in
      guard let base = raw.baseAddress,
        getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      // Both families store the port at the same place, in network order.
      return UInt16(raw[2]) << 8 | UInt16(raw[3])
    }
  }
}
