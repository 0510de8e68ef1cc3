import Glibc

/// A descriptor that came over the bus, or goes there; closed when nobody has it any more.
package final class BusDescriptor: Equatable, Sendable {
  package let number: Int32

  /// - Parameter number: Belongs to this object from now on.
  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  package static func == (left: BusDescriptor, right: BusDescriptor) -> Bool { left.number == right.number }

  /// Both ends of a connection that keeps the borders of packets, neither waiting.
  package static func packetPair() throws(BusError) -> (BusDescriptor, BusDescriptor) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .system(call: "socketpair", errno: errno)
    }
    return (BusDescriptor(owning: ends[0]), BusDescriptor(owning: ends[1]))
  }
}
