import Foundation

/// The few calls on TCP sockets that links and servers need.
package enum TCPSockets {
  /// Connections that may wait to be accepted; beyond that the system drops attempts, which are repeated a second
  /// later.
  private static let backlog: Int32 = 512

  /// Connects to a host; every address of its name is tried in the resolver's order.
  ///
  /// Blocks for at most `timeout`, name resolution not counted.
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

  /// Listens on one address of this machine and nowhere else; port 0 takes a free one.
  ///
  /// A name with addresses of both families gets its IPv4 address, or its IPv6 address where this machine has no IPv4.
  /// `0.0.0.0` is every IPv4 address and `::` every IPv6 address, and no other spelling is.
  /// - Returns: A non-blocking descriptor that the caller owns, and the port it has.
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

  /// Takes a port without listening on it yet; addresses as in `listen`.
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
        // Only where this machine has not got the address is the next one as good.
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
      // Otherwise `::` would be every IPv4 address too.
      set(descriptor, Int32(IPPROTO_IPV6), Int32(IPV6_V6ONLY), 1)
    }
    let number = candidate.withAddress({ Foundation.bind(descriptor, $0, $1) }) == 0 ? 0 : errno
    // Linux binds to a multicast address, and where it is set up so to a foreign one.
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

  /// Takes the next waiting connection; `nil` when none waits.
  package static func accept(from descriptor: Int32) throws(LinkError) -> Int32? {
    let connection = Foundation.accept(descriptor, nil, nil)
    if connection >= 0 {
      prepare(connection)
      return connection
    }
    switch errno {
    case EAGAIN, EINTR, ECONNABORTED: return nil
    // Linux reports here errors of the new connection's network (accept(2)); the listener is well.
    case ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, EPERM:
      return nil
    default: throw .system(call: "accept", errno: errno)
    }
  }

  /// The machine at the other end of a connection; `nil` if the connection has ended already.
  package static func peer(of descriptor: Int32) -> PeerHost? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { raw in
      guard let base = raw.baseAddress,
        getpeername(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
      // The address lies behind family and port, in IPv6 behind the flow label too.
      case AF_INET: return PeerHost(address: Array(raw[4..<8]))
      case AF_INET6: return PeerHost(address: Array(raw[8..<24]))
      default: return nil
      }
    }
  }

  // MARK: addresses

  /// One socket address as the resolver gave it.
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
    // UCI packets are small and waited for: no gathering in the kernel.
    set(descriptor, Int32(IPPROTO_TCP), Int32(TCP_NODELAY), 1)
    // A machine that vanished without a word is noticed after a minute, instead of keeping its place for ever.
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
      // The port has the same place, in network order, in both families' addresses.
      return UInt16(raw[2]) << 8 | UInt16(raw[3])
    }
  }
}
