import Foundation

/// Queries and options for the other end of a connection.
enum PeerAddress {
  /// The connection's remote address without port; empty if the system does not provide it.
  static func text(of descriptor: Int32) -> String {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard getpeername(descriptor, address, &length) == 0 else { return -1 }
        return getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      }
    }
    guard result == 0 else { return "" }
    return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes the system close a connection whose machine has not answered for this many seconds.
  static func noticeLoss(on descriptor: Int32, after seconds: Int32) {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, max(1, seconds / 2))
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, max(1, seconds / 4))
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 2)
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, seconds * 1000)
  }
}
