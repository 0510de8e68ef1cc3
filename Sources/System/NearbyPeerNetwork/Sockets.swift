// Declarations of the C library come from whichever of these modules the compiler imports first.
import CNearbyAvahi
import CNearbyLinux
import CNearbyOpenSSL
import Foundation

/// The socket calls that channels and endpoints need; every descriptor is non-blocking.
enum Sockets {
  /// Opens a listening TCP socket. For the IPv6 wildcard address it serves both families.
  static func listen(at address: SocketAddress, backlog: Int32) throws(NetworkError) -> Int32 {
    let descriptor = try open(address.family, stream: true)
    do throws(NetworkError) {
      set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
      if address.isIPv6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
      try check("bind", address.withSystemAddress { Foundation.bind(descriptor, $0, $1) })
      try check("listen", Foundation.listen(descriptor, backlog))
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Accepts the next connection; `nil` if none is waiting.
  static func accept(from listener: Int32) throws(NetworkError) -> (Int32, SocketAddress)? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.accept(listener, $0, &size) }
    }
    guard descriptor >= 0 else {
      switch errno {
      case EAGAIN, EINTR, ECONNABORTED, EPROTO: return nil
      default: throw .system(call: "accept", errno: errno)
      }
    }
    prepare(descriptor, stream: true)
    guard let address = address(from: &storage) else {
      close(descriptor)
      return nil
    }
    return (descriptor, address)
  }

  /// Starts to connect over TCP.
  static func connect(to address: SocketAddress) throws(NetworkError) -> Int32 {
    let descriptor = try open(address.family, stream: true)
    let result = address.withSystemAddress { Foundation.connect(descriptor, $0, $1) }
    if result == 0 || errno == EINPROGRESS { return descriptor }
    let number = errno
    close(descriptor)
    throw .system(call: "connect", errno: number)
  }

  /// The error of a connection attempt that has ended; `nil` if it succeeded.
  static func failure(of descriptor: Int32) -> NetworkError? {
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
    return number == 0 ? nil : .system(call: "connect", errno: number)
  }

  /// Opens a UDP socket at an address; port 0 chooses a free one.
  static func datagrams(at address: SocketAddress) throws(NetworkError) -> Int32 {
    let descriptor = try open(address.family, stream: false)
    guard address.withSystemAddress({ Foundation.bind(descriptor, $0, $1) }) == 0 else {
      let number = errno
      close(descriptor)
      throw .system(call: "bind", errno: number)
    }
    // With path MTU discovery, datagrams that are too large fail instead of being fragmented.
    set(descriptor, Int32(IPPROTO_IP), IP_MTU_DISCOVER, IP_PMTUDISC_DO)
    if address.isIPv6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_MTU_DISCOVER, IP_PMTUDISC_DO) }
    set(descriptor, SOL_SOCKET, SO_RCVBUF, 1 << 20)
    return descriptor
  }

  /// Connects a UDP socket, so that it exchanges datagrams with one address only.
  static func join(_ descriptor: Int32, to address: SocketAddress) throws(NetworkError) {
    try check("connect", address.withSystemAddress { Foundation.connect(descriptor, $0, $1) })
  }

  static func localAddress(of descriptor: Int32) -> SocketAddress? { name(of: descriptor, getsockname) }

  /// Largest IP packet on the path of a connected socket, in octets.
  static func pathMTU(of descriptor: Int32, isIPv6: Bool) -> Int {
    var mtu: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let level = isIPv6 ? Int32(IPPROTO_IPV6) : Int32(IPPROTO_IP)
    let result = getsockopt(descriptor, level, isIPv6 ? IPV6_MTU : IP_MTU, &mtu, &size)
    // Every IPv6 link carries 1280 octets (RFC 8200, section 5).
    return result == 0 && mtu >= 576 ? Int(mtu) : 1280
  }

  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func open(_ family: Int32, stream: Bool) throws(NetworkError) -> Int32 {
    let kind = Int32((stream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    prepare(descriptor, stream: stream)
    return descriptor
  }

  private static func prepare(_ descriptor: Int32, stream: Bool) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Writes are batched already, so the kernel need not delay them.
    if stream { set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
  }

  private static func check(_ call: String, _ result: Int32) throws(NetworkError) {
    guard result == 0 else { throw .system(call: call, errno: errno) }
  }

  private static func name(
    of descriptor: Int32,
    _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &size) }
    }
    return result == 0 ? address(from: &storage) : nil
  }

  private static func address(from storage: inout sockaddr_storage) -> SocketAddress? {
    withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { SocketAddress($0) }
    }
  }
}
