import Glibc

/// A file descriptor received or sent over the bus, closed on release.
package final class BusDescriptor: Equatable, Sendable {
  package let number: Int32

  /// - Parameter number: The descriptor, now owned by this object.
  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left.number == right.number }

  /// A pair of connected, non-blocking sockets that preserve packet boundaries.
  package static func packetPair() throws(BusError) -> (BusDescriptor, BusDescriptor) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .system(call: "socketpair", errno: errno)
    }
    return (BusDescriptor(owning: ends[0]), BusDescriptor(owning: ends[1]))
  }
}
